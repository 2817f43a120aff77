package io.gatewaybench.benchmark.report;

import java.io.StringReader;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;

import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.SampleResults;
import io.gatewaybench.benchmark.result.ThresholdResult;
import io.gatewaybench.benchmark.result.ThresholdResult.Outcome;
import io.gatewaybench.benchmark.statistics.Interval;

import static org.assertj.core.api.Assertions.assertThat;

class ThresholdReportTests {

	private static final RunResults RESULTS = SampleResults
		.of("A title", Status.COMPLETE, SampleResults.good("webflux-c16", "WebFlux", 1))
		.withThresholds(List.of(
				new ThresholdResult("webmvc.cpu > 1.10 * webflux.cpu", "c16", Outcome.FAILED,
						new Interval(1.23, 1.15, 1.31, 5), "It holds."),
				new ThresholdResult("webmvc.service-p99 > webflux.service-p99", "c16", Outcome.INCONCLUSIVE,
						new Interval(1.01, 0.97, 1.05, 5), "It holds in a part."),
				new ThresholdResult("webflux.cpu > 1ms", "c16", Outcome.PASSED, new Interval(0.4, 0.3, 0.5, 5),
						"It does not hold."),
				new ThresholdResult("webflux.cpu > 2ms", "c16", Outcome.INCONCLUSIVE, null, "It was not measured.")));

	private static final RunResults HOSTILE = RESULTS
		.withThresholds(List.of(new ThresholdResult(SampleResults.HOSTILE + "\u0000\u001b\ud800]]>",
				SampleResults.HOSTILE, Outcome.FAILED, null, SampleResults.HOSTILE)));

	@TempDir
	private Path directory;

	@Test
	void theTableHasWhatMustNotHoldAndWhatWasMeasured() {
		assertThat(ThresholdReport.table(RESULTS).rows()).containsExactly(
				List.of("webmvc.cpu > 1.10 * webflux.cpu", "c16", "failed", "left / right = 1.23 (1.15–1.31)",
						"It holds."),
				List.of("webmvc.service-p99 > webflux.service-p99", "c16", "not decided",
						"left / right = 1.01 (0.97–1.05)", "It holds in a part."),
				List.of("webflux.cpu > 1ms", "c16", "passed", "left / right = 0.40 (0.30–0.50)", "It does not hold."),
				List.of("webflux.cpu > 2ms", "c16", "not decided", "n/a", "It was not measured."));
	}

	@Test
	void everyReportShowsTheThresholdsAndOnlyWhereThereAreAny() {
		RunResults none = RESULTS.withThresholds(List.of());
		assertThat(TerminalReport.render(RESULTS))
			.contains("fail-if webmvc.cpu > 1.10 * webflux.cpu, c16: failed. It holds.");
		assertThat(markdown(RESULTS)).contains("## Thresholds", "| webmvc.cpu > 1.10 \\* webflux.cpu | c16 | failed |");
		assertThat(Jsoup.parse(html(RESULTS)).select("h2:contains(Thresholds) ~ .scroll tbody tr").first().text())
			.isEqualTo("webmvc.cpu > 1.10 * webflux.cpu c16 failed left / right = 1.23 (1.15–1.31) It holds.");
		assertThat(Stream.of(TerminalReport.render(none), markdown(none), html(none)))
			.noneMatch((report) -> report.contains("Thresholds") || report.contains("fail-if"));
	}

	@Test
	void hostileNamesAreTextInEveryReport() throws Exception {
		assertThat(markdown(HOSTILE)).doesNotContain("<script>alert");
		assertThat(html(HOSTILE)).doesNotContain("<script>alert");
		Element test = (Element) parsed(HOSTILE).getElementsByTagName("testcase").item(0);
		assertThat(test.getAttribute("name")).isEqualTo("fail if " + SampleResults.HOSTILE + "\ufffd\ufffd\ufffd]]>");
		assertThat(test.getAttribute("classname")).isEqualTo("gateway-bench.gateway." + SampleResults.HOSTILE);
		assertThat(((Element) test.getFirstChild()).getAttribute("message")).startsWith(SampleResults.HOSTILE);
	}

	@Test
	void theXmlHasTheShapeThatBuildServersRead() throws Exception {
		Schema schema = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
			.newSchema(ThresholdReportTests.class.getResource("junit.xsd"));
		for (RunResults each : List.of(RESULTS, HOSTILE)) {
			schema.newValidator().validate(new StreamSource(new StringReader(ThresholdReport.xml(each))));
		}
	}

	@Test
	void whatFailedIsAFailureAndWhatIsInconclusiveIsSkipped() throws Exception {
		Element suite = parsed(RESULTS).getDocumentElement();
		assertThat(List.of("name", "tests", "failures", "errors", "skipped", "timestamp")).map(suite::getAttribute)
			.containsExactly("gateway-bench gateway", "4", "1", "0", "2", "2026-01-02T03:04:05");
		NodeList tests = suite.getElementsByTagName("testcase");
		assertThat(IntStream.range(0, tests.getLength()).mapToObj(tests::item).map((test) -> {
			Element outcome = (Element) test.getFirstChild();
			return (outcome != null) ? outcome.getTagName() + ": " + outcome.getAttribute("message") : "passed";
		})).containsExactly("failure: It holds. Measured: left / right = 1.23 (1.15–1.31)",
				"skipped: It holds in a part. Measured: left / right = 1.01 (0.97–1.05)", "passed",
				"skipped: It was not measured. Measured: n/a");
	}

	@Test
	void theXmlIsAFileOfTheRunWhereThereAreThresholds() {
		Reports.write(RESULTS.withThresholds(List.of()), this.directory);
		assertThat(this.directory.resolve("thresholds.xml")).doesNotExist();
		Reports.write(RESULTS, this.directory);
		assertThat(this.directory.resolve("thresholds.xml")).hasContent(ThresholdReport.xml(RESULTS));
	}

	private static String markdown(RunResults results) {
		return MarkdownReport.render(new Findings(results, Path.of("no-such-directory")));
	}

	private static String html(RunResults results) {
		return HtmlReportTests.html(results);
	}

	private static Document parsed(RunResults results) throws Exception {
		return DocumentBuilderFactory.newInstance()
			.newDocumentBuilder()
			.parse(new InputSource(new StringReader(ThresholdReport.xml(results))));
	}

}
