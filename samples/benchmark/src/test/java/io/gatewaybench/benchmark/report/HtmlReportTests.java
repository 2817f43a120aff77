package io.gatewaybench.benchmark.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.load.Counts;
import io.gatewaybench.benchmark.load.GeneratorStats;
import io.gatewaybench.benchmark.load.LatencyHistogram;
import io.gatewaybench.benchmark.load.LatencyViews;
import io.gatewaybench.benchmark.load.LoadFiles;
import io.gatewaybench.benchmark.load.LoadResult;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.StageResult;
import io.gatewaybench.benchmark.load.TypeResult;
import io.gatewaybench.benchmark.result.Profile;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.SampleResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import org.HdrHistogram.Histogram;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;

import static org.assertj.core.api.Assertions.assertThat;

class HtmlReportTests {

	private static final int MOST_BYTES = 2_500_000;

	private static final RunResults RESULTS = SampleResults.of("A title", Status.COMPLETE, SampleResults.direct(1),
			SampleResults.direct(2), SampleResults.good("webflux-c16", "WebFlux", 1, 400),
			SampleResults.good("webflux-c16", "WebFlux", 2, 440), SampleResults.good("webmvc-c16", "WebMVC", 1, 800),
			SampleResults.lossy("webmvc-c16", "WebMVC", 2));

	@TempDir
	private Path directory;

	@Test
	void theFirstScreenIsAnswerHowSureAndWhatNext() {
		Document page = page(RESULTS);
		assertThat(page.title()).isEqualTo("A title");
		assertThat(page.select("main h2").eachText()).startsWith("Answer", "How sure", "What next", "Charts");
		assertThat(page.select(".answer .headline").first().text()).startsWith("WebMVC, 16 conn. failed: 4.00 %");
		assertThat(page.select("table").getFirst().select("thead th").eachText()).containsExactly("figure", "WebFlux",
				"WebMVC");
		assertThat(page.select("table").getFirst().select("tbody th").eachText()).startsWith("CPU per request",
				"allocated per request", "heap after a collection", "throughput");
		assertThat(page.select(".next li").eachText()).startsWith("Choose WebFlux if you like it.");
		assertThat(page.select(".context").text()).contains("Java 25.0.1", "Some CPU, 2 cores",
				"closed model, 16 users");
	}

	@Test
	void thePolicyAllowsTheStyleAndTheScriptsOfThePageAndNothingElse() throws Exception {
		Document page = page(RESULTS);
		String policy = page.select("meta[http-equiv=Content-Security-Policy]").attr("content");
		assertThat(policy).startsWith("default-src 'none'; img-src data:; style-src 'sha256-")
			.doesNotContain("unsafe", "http", "*");
		for (Element element : page.select("style, script:not([type])")) {
			byte[] digest = MessageDigest.getInstance("SHA-256")
				.digest(element.data().getBytes(StandardCharsets.UTF_8));
			assertThat(policy).contains("'sha256-" + Base64.getEncoder().encodeToString(digest) + "'");
		}
		assertThat(page.select("script:not([type])")).hasSize(2);
		assertThat(page.select("[style], [onclick], [onload], [onerror]")).isEmpty();
	}

	@Test
	void thePageLoadsNothing() {
		Document page = page(RESULTS);
		assertThat(page.select("[src], a, link, img, iframe, object, embed, base, form")).isEmpty();
		assertThat(page.select("style").getFirst().data()).doesNotContain("@import", "url(");
	}

	@Test
	void textOfTheRunIsNeverMarkup() {
		RunResults hostile = SampleResults.of(SampleResults.HOSTILE, Status.COMPLETE,
				SampleResults.good("webflux-c16", SampleResults.HOSTILE, 1),
				SampleResults.good("webmvc-c16", "</script><img src=x>", 1));
		Document page = page(hostile);
		assertThat(page.select("script")).hasSize(3);
		assertThat(page.select("img")).isEmpty();
		assertThat(page.title()).isEqualTo(SampleResults.HOSTILE);
		assertThat(data(page).toString()).contains("</script><img src=x>");
	}

	@Test
	void aPlaceholderInTheDataIsNotReplaced() {
		Document page = page(SampleResults.of("{{content}}", Status.COMPLETE));
		assertThat(page.title()).isEqualTo("{{content}}");
		assertThat(page.select("h1").text()).isEqualTo("{{content}}");
	}

	@Test
	void everyChartHasAPlaceAnExplanationAndRowsOfItsColumns() {
		Document page = page(RESULTS);
		assertThat(data(page)).extracting((chart) -> chart.path("id").asString())
			.containsExactly("ratios", "figures", "cpu", "percentiles", "series");
		data(page).forEach((chart) -> {
			Element figure = page.getElementById("chart-" + chart.path("id").asString());
			assertThat(figure).isNotNull();
			assertThat(figure.select("p.note").text().split("\\. ")).hasSizeGreaterThanOrEqualTo(2);
			assertThat(chart.path("rows")).isNotEmpty().allSatisfy((row) -> assertThat(row).isNotEmpty());
			assertThat(chart.path("rows").path(0)).hasSameSizeAs(chart.path("columns"));
		});
	}

	@Test
	void aChartHasTheFiguresOfTheResults() {
		assertThat(rows(page(RESULTS), "ratios")).anySatisfy(
				(row) -> assertThat(row).startsWith("[\"WebMVC, 16 conn.\",\"WebMVC\",\"WebFlux\",\"throughput\",1.0,")
					.endsWith(",0.1]"));
		assertThat(rows(page(RESULTS), "figures")).contains(
				"[\"WebFlux, 16 conn.\",\"WebFlux\",\"CPU per request\",\"µs\",2,440.0]",
				"[\"WebMVC, 16 conn.\",\"WebMVC\",\"throughput\",\"req/s\",2,430.1]");
	}

	@Test
	void aRowLeavesOutWhatItHasInCommonWithTheRowBeforeAndHasSixDigits() {
		Chart chart = Chart.of("id", "caption", "how to read", List.of("row", "view", "value", "none"), (rows) -> {
			rows.add("a", "service", 1.23456789, null);
			rows.add("a", "service", 2, null);
			rows.add("a", "overhead", 2, null);
			rows.add("a", "overhead", 2, null);
		});
		Chart.Encoded encoded = Chart.Encoded.of(chart);
		assertThat(encoded.words()).containsExactly("a", "service", "overhead");
		assertThat(encoded.rows()).hasToString("[[0, 1, 1.23457, null], [2, null], [2, 2, null], [null]]");
	}

	@Test
	void theSecondsOfAMeasurementSayWhatTheGeneratorSentAndHowLateItWas() {
		Document page = page(SampleResults.of("A title", Status.COMPLETE, SampleResults.atRate("WebFlux", 1, 500),
				SampleResults.good("webflux-c16", "WebFlux", 1)));
		assertThat(rows(page, "series")).contains("[\"WebFlux, 500/s\",11,430,0,431,0,30.0,280.0,316.0,null]",
				"[\"WebFlux, 500/s\",12,430,970,432,0,30.0,280.0,316.0,1210.0]",
				// Users are never late
				"[\"WebFlux, 16 conn.\",12,430,430,432,0,30.0,280.0,316.0,null]");
	}

	@Test
	void aPercentileCurveComesFromTheRawHistogramsAndEndsWithTenSamples() throws Exception {
		ScenarioResult block = SampleResults.good("webflux-c16", "WebFlux", 1);
		Histogram histogram = new Histogram(1_000, Duration.ofSeconds(120).toNanos(), 3);
		for (int millis = 1; millis <= 1000; millis++) {
			histogram.recordValue(Duration.ofMillis(millis).toNanos());
		}
		Path raw = Files.createDirectories(this.directory.resolve("raw/webflux-1"));
		LatencyHistogram latency = LatencyHistogram.of(histogram);
		TypeResult type = new TypeResult("data", new Counts(1000, 1000, 0, 0, 0, 0, 0, 0), 1000, Map.of(200, 1000L),
				List.of(), new LatencyViews(latency, latency, latency, LatencyHistogram.empty()), null);
		new LoadFiles(raw).writeResult(new LoadResult(
				List.of(new StageResult("webflux-c16", Stage.Kind.MEASURE, block.startedAt(), 2, true, List.of(type),
						List.of(), new GeneratorStats(LatencyHistogram.empty(), 0.1, 0, 0, List.of())))));
		RunResults results = SampleResults.of("A title", Status.COMPLETE, block);
		List<String> rows = rows(Jsoup.parse(Files.readString(Reports.write(results, this.directory))), "percentiles");
		assertThat(rows).filteredOn((row) -> row.contains("\"service\""))
			.anySatisfy((row) -> assertThat(row).contains("0.5,500."))
			.noneSatisfy((row) -> assertThat(row).contains("0.999"));
	}

	@Test
	void aDamagedRawFileLeavesTheCurveOfTheSummary() throws Exception {
		Path raw = Files.createDirectories(this.directory.resolve("raw/webflux-1"));
		Files.writeString(raw.resolve("load.json"), "{\"stages\": [");
		Path html = Reports.write(RESULTS, this.directory);
		assertThat(rows(Jsoup.parse(Files.readString(html)), "percentiles"))
			.anySatisfy((row) -> assertThat(row).endsWith("\"service\",0.5,6.1]"));
	}

	@Test
	void aRunOfTwoHundredMeasurementsStaysSmall() {
		List<ScenarioResult> blocks = new ArrayList<>();
		for (int block = 1; block <= 100; block++) {
			blocks.add(SampleResults.good("webflux-c16", "WebFlux", block, 400 + block % 7));
			blocks.add(SampleResults.good("webmvc-c16", "WebMVC", block, 300 + block % 5));
		}
		String html = html(SampleResults.of("A title", Status.COMPLETE, blocks.toArray(ScenarioResult[]::new)));
		assertThat(html.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(MOST_BYTES);
	}

	@Test
	void aRunWithoutMeasurementsIsRenderedToo() {
		assertThat(html(SampleResults.of("A title", Status.INTERRUPTED))).contains("Nothing was measured");
	}

	@Test
	void aProfileHasAFlameGraphAndSentences() throws Exception {
		SampleProfiles.write(this.directory, SampleProfiles.WEBMVC, SampleProfiles.WEBFLUX,
				Profile.failed("direct-c16", "nginx", "it is no JVM"));
		Document page = pageOfTheDirectory();
		assertThat(rows(page, "flame"))
			.startsWith("[\"WebFlux\",0,\"event loops\",0,900]", "[\"WebFlux\",1,\"io.netty.EventLoop.run\",100,900]")
			.hasSize(8 + 2)
			.anyMatch((row) -> row.startsWith("[\"WebMVC\",0,\"Tomcat\","))
			.anyMatch((row) -> row.contains("<script>alert("));
		assertThat(page.text()).contains("WebFlux: 1,000 samples in 20 s, under the load of webflux-c16, with 398",
				"nginx has no profile: it is no JVM.", "jfr view cpu-time-hot-methods");
		assertThat(page.select("script")).hasSize(3);
	}

	@Test
	void profilesOfManyVariantsKeepThePageSmallAndTheirFramesConnected() throws Exception {
		for (int number = 0; number < 20; number++) {
			SampleProfiles.write(this.directory, SampleProfiles.large("variant-" + number, "Variant " + number));
		}
		// Each report reads all of them, so this one has to do
		String html = HtmlReport.render(new Findings(RESULTS, this.directory), null);
		assertThat(html.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(MOST_BYTES);
		assertThat(rows(Jsoup.parse(html), "flame")).hasSizeBetween(20 * 500, 12_000);
	}

	@Test
	void aProfileThatIsDamagedIsNamedAndSpoilsNothing() throws Exception {
		SampleProfiles.write(this.directory, SampleProfiles.WEBMVC);
		Files.writeString(this.directory.resolve("profiles/half.json"), "{\"scenario\": ");
		Files.writeString(this.directory.resolve("profiles/wrong.json"), """
				{"scenario": "a", "variant": "b", "samples": {"samples": 1, "frames": ["a"], "nodes":
				[{"depth": 0, "frame": 7, "self": 1, "total": 1}]}}""");
		Document page = pageOfTheDirectory();
		assertThat(page.text()).contains("profiles/half.json has no profile: the file is no profile, or not all of it.",
				"profiles/wrong.json has no profile: the file is no profile, or not all of it.");
		assertThat(rows(page, "flame")).hasSize(2);
	}

	@Test
	void onlyAPageWithAFlameGraphHasAllOfTheLibrary() throws Exception {
		long without = Files.size(Reports.write(RESULTS, this.directory));
		SampleProfiles.write(this.directory, SampleProfiles.WEBMVC);
		assertThat(Files.size(Reports.write(RESULTS, this.directory))).isGreaterThan(without + 300_000)
			.isLessThan(MOST_BYTES);
	}

	private Document pageOfTheDirectory() throws Exception {
		return Jsoup.parse(Files.readString(Reports.write(RESULTS, this.directory)));
	}

	private static List<String> table(Document page, String caption) {
		return page.select("[aria-label='" + caption + "'] tbody tr")
			.stream()
			.map((row) -> String.join(" | ", row.children().eachText()))
			.toList();
	}

	private static List<String> rows(Document page, String id) {
		List<String> rows = new ArrayList<>();
		data(page).forEach((chart) -> {
			if (chart.path("id").asString().equals(id)) {
				List<JsonNode> whole = new ArrayList<>();
				chart.path("rows").forEach((row) -> {
					whole.subList(Math.min(whole.size(), chart.path("columns").size() - row.size()), whole.size())
						.clear();
					row.forEach(whole::add);
					rows.add(decode(chart, whole));
				});
			}
		});
		return rows;
	}

	private static String decode(JsonNode chart, List<JsonNode> row) {
		ArrayNode decoded = JsonMapper.shared().createArrayNode().addAll(row);
		chart.path("texts").forEach((column) -> {
			JsonNode index = row.get(column.asInt());
			if (!index.isNull()) {
				decoded.set(column.asInt(), chart.path("words").get(index.asInt()));
			}
		});
		return decoded.toString();
	}

	private static JsonNode data(Document page) {
		return JsonMapper.shared().readTree(page.getElementById("data").data()).path("charts");
	}

	private static Document page(RunResults results) {
		return Jsoup.parse(html(results));
	}

	static String html(RunResults results) {
		try {
			return HtmlReport.render(new Findings(results, Path.of("no-such-directory")), null);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
