package io.gatewaybench.benchmark.report;

import java.io.StringWriter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ThresholdResult;
import io.gatewaybench.benchmark.result.ThresholdResult.Outcome;

/**
 * What must not hold, beside what was measured.
 */
final class ThresholdReport {

	static final String NAME = "thresholds.xml";

	private ThresholdReport() {
	}

	static Table table(RunResults results) {
		return new Table("Thresholds",
				"No condition may hold. Each is judged under every load, by the 95 % confidence interval of left side / right "
						+ "side. It failed if it holds in the whole interval, and "
						+ "passed if it holds nowhere in it.",
				List.of("must not hold", "load", "outcome", "measured", "reason"),
				results.thresholds()
					.stream()
					.map((each) -> List.of(each.condition(), each.load(), outcome(each), measured(each), each.reason()))
					.toList());
	}

	private static String outcome(ThresholdResult result) {
		return (result.outcome() == Outcome.INCONCLUSIVE) ? "not decided"
				: result.outcome().name().toLowerCase(Locale.ROOT);
	}

	/**
	 * The ratio of both sides, with its interval.
	 */
	private static String measured(ThresholdResult result) {
		return (result.ratio() != null) ? "left / right = " + Figures.ratio(result.ratio()) : Figures.UNKNOWN;
	}

	/**
	 * The thresholds of a run in JUnit's format, which build servers show as tests. What
	 * failed is a failure, and what is inconclusive is skipped.
	 */
	static String xml(RunResults results) {
		StringWriter text = new StringWriter();
		try {
			XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
			xml.writeStartDocument("UTF-8", "1.0");
			xml.writeCharacters("\n");
			xml.writeStartElement("testsuite");
			attribute(xml, "name", "gateway-bench " + results.suite());
			attribute(xml, "tests", Integer.toString(results.thresholds().size()));
			attribute(xml, "failures", count(results, Outcome.FAILED));
			attribute(xml, "errors", "0");
			attribute(xml, "skipped", count(results, Outcome.INCONCLUSIVE));
			attribute(xml, "timestamp",
					results.startedAt().truncatedTo(ChronoUnit.SECONDS).toString().replace("Z", ""));
			for (ThresholdResult threshold : results.thresholds()) {
				testcase(xml, results.suite(), threshold);
			}
			xml.writeCharacters("\n");
			xml.writeEndDocument();
			return text.toString();
		}
		catch (XMLStreamException ex) {
			throw new IllegalStateException("a text in memory can't be written", ex);
		}
	}

	private static String count(RunResults results, Outcome outcome) {
		return Long.toString(results.thresholds().stream().filter((each) -> each.outcome() == outcome).count());
	}

	private static void testcase(XMLStreamWriter xml, String suite, ThresholdResult threshold)
			throws XMLStreamException {
		xml.writeCharacters("\n");
		xml.writeStartElement("testcase");
		attribute(xml, "classname", "gateway-bench." + suite + "." + threshold.load());
		attribute(xml, "name", "fail if " + threshold.condition());
		if (threshold.outcome() != Outcome.PASSED) {
			xml.writeEmptyElement((threshold.outcome() == Outcome.FAILED) ? "failure" : "skipped");
			attribute(xml, "message", threshold.reason() + " Measured: " + measured(threshold));
			attribute(xml, "type", "threshold");
		}
		xml.writeEndElement();
	}

	private static void attribute(XMLStreamWriter xml, String name, String value) throws XMLStreamException {
		// No escape makes these characters legal in XML
		xml.writeAttribute(name, value
			.replaceAll("[^\\x09\\x0A\\x0D\\x20-\\x{D7FF}\\x{E000}-\\x{FFFD}\\x{10000}-\\x{10FFFF}]", "\ufffd"));
	}

}
