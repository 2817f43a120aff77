package io.gatewaybench.benchmark.report;

import java.io.StringWriter;

import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ThresholdResult;
import io.gatewaybench.benchmark.result.ThresholdResult.Outcome;

/**
 * The thresholds of a run in JUnit's format, which build servers show as tests. What
 * failed is a failure, and what is inconclusive is skipped.
 */
final class ThresholdXml {

	static final String NAME = "thresholds.xml";

	private final RunResults results;

	private final StringWriter text = new StringWriter();

	private final XMLStreamWriter xml;

	private ThresholdXml(RunResults results) throws XMLStreamException {
		this.results = results;
		this.xml = XMLOutputFactory.newFactory().createXMLStreamWriter(this.text);
	}

	static String render(RunResults results) {
		try {
			return new ThresholdXml(results).render();
		}
		catch (XMLStreamException ex) {
			throw new IllegalStateException("a text in memory can't be written", ex);
		}
	}

	private String render() throws XMLStreamException {
		this.xml.writeStartDocument("UTF-8", "1.0");
		this.xml.writeCharacters("\n");
		this.xml.writeStartElement("testsuite");
		attribute("name", "gateway-bench " + this.results.suite());
		attribute("tests", Integer.toString(this.results.thresholds().size()));
		attribute("failures", count(Outcome.FAILED));
		attribute("errors", "0");
		attribute("skipped", count(Outcome.INCONCLUSIVE));
		attribute("timestamp", Figures.time(this.results.startedAt()).replace("Z", ""));
		for (ThresholdResult threshold : this.results.thresholds()) {
			this.xml.writeCharacters("\n");
			testcase(threshold);
		}
		this.xml.writeCharacters("\n");
		this.xml.writeEndElement();
		this.xml.writeCharacters("\n");
		this.xml.writeEndDocument();
		return this.text.toString();
	}

	private String count(Outcome outcome) {
		return Long
			.toString(this.results.thresholds().stream().filter((threshold) -> threshold.outcome() == outcome).count());
	}

	private void testcase(ThresholdResult threshold) throws XMLStreamException {
		this.xml.writeStartElement("testcase");
		attribute("classname", "gateway-bench." + this.results.suite() + "." + threshold.load());
		attribute("name", "fail if " + threshold.condition());
		if (threshold.outcome() != Outcome.PASSED) {
			this.xml.writeEmptyElement((threshold.outcome() == Outcome.FAILED) ? "failure" : "skipped");
			attribute("message", threshold.reason() + " Measured: " + ThresholdTable.measured(threshold));
			attribute("type", "threshold");
		}
		this.xml.writeEndElement();
	}

	private void attribute(String name, String value) throws XMLStreamException {
		// No escape makes these characters legal in XML
		this.xml.writeAttribute(name, value
			.replaceAll("[^\\x09\\x0A\\x0D\\x20-\\x{D7FF}\\x{E000}-\\x{FFFD}\\x{10000}-\\x{10FFFF}]", "\ufffd"));
	}

}
