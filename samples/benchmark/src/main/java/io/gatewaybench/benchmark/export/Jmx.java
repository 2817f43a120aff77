package io.gatewaybench.benchmark.export;

import java.io.StringWriter;
import java.util.stream.IntStream;

import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * Writes JMeter's XML, in which the children of an element are in the {@code hashTree}
 * behind it.
 */
final class Jmx {

	private final StringWriter text = new StringWriter();

	private final XMLStreamWriter xml;

	Jmx() {
		try {
			this.xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(this.text);
			this.xml.writeStartDocument("UTF-8", "1.0");
			line();
			start("jmeterTestPlan", "version", "1.2", "properties", "5.0", "jmeter", "5.6.3");
			start("hashTree");
		}
		catch (XMLStreamException ex) {
			throw impossible(ex);
		}
	}

	/**
	 * Ends the document.
	 * @return all of it
	 */
	String end() {
		try {
			this.xml.writeEndDocument();
			this.xml.close();
			return this.text + "\n";
		}
		catch (XMLStreamException ex) {
			throw impossible(ex);
		}
	}

	void element(String type, String gui, String name, Runnable properties) {
		within(properties, type, "guiclass", gui, "testclass", type, "testname", name);
	}

	void tree(Runnable children) {
		within(children, "hashTree");
	}

	void leaf() {
		tree(() -> {
		});
	}

	void property(String name, String type, Runnable properties) {
		within(properties, "elementProp", "name", name, "elementType", type);
	}

	void collection(String name, Runnable elements) {
		within(elements, "collectionProp", "name", name);
	}

	void argument(String type, String name, String value) {
		property(name, type, () -> {
			raw("Argument.name", name);
			text("Argument.value", value);
			raw("Argument.metadata", "=");
			if (type.equals("HTTPArgument")) {
				flag("HTTPArgument.always_encode", false);
			}
		});
	}

	void header(String name, String value) {
		property("", "Header", () -> {
			text("Header.name", name);
			text("Header.value", value);
		});
	}

	void flag(String name, boolean value) {
		leaf("boolProp", name, Boolean.toString(value));
	}

	void number(String name, int value) {
		leaf("intProp", name, Integer.toString(value));
	}

	/**
	 * A text in which JMeter may call functions.
	 */
	void raw(String name, String value) {
		leaf("stringProp", name, value);
	}

	/**
	 * A text that JMeter takes as it is.
	 */
	void text(String name, String value) {
		raw(name, literal(value));
	}

	/**
	 * Replaces what JMeter would take for a function, and what XML can't hold, by calls
	 * of a function that gives the character. JMeter removes backslashes only in texts
	 * that call one.
	 */
	static String literal(String value) {
		boolean calls = value.contains("${")
				|| IntStream.range(0, value.length()).anyMatch((index) -> !isXml(value, index));
		if (!calls) {
			return value;
		}
		StringBuilder literal = new StringBuilder();
		for (int index = 0; index < value.length(); index++) {
			char character = value.charAt(index);
			if (value.startsWith("${", index) || !isXml(value, index)) {
				literal.append("${__char(").append((int) character).append(")}");
			}
			else {
				literal.append((character == '\\') ? "\\\\" : String.valueOf(character));
			}
		}
		return literal.toString();
	}

	// A carriage return would be read as a line feed
	private static boolean isXml(String value, int index) {
		char character = value.charAt(index);
		return character == '\t' || character == '\n' || (character >= ' ' && character < 0xfffe);
	}

	private void leaf(String type, String name, String value) {
		try {
			start(type, "name", name);
			this.xml.writeCharacters(value);
			this.xml.writeEndElement();
			line();
		}
		catch (XMLStreamException ex) {
			throw impossible(ex);
		}
	}

	private void within(Runnable content, String element, String... attributes) {
		try {
			start(element, attributes);
			line();
			content.run();
			this.xml.writeEndElement();
			line();
		}
		catch (XMLStreamException ex) {
			throw impossible(ex);
		}
	}

	private void start(String element, String... attributes) throws XMLStreamException {
		this.xml.writeStartElement(element);
		for (int index = 0; index < attributes.length; index += 2) {
			this.xml.writeAttribute(attributes[index], attributes[index + 1]);
		}
	}

	private void line() throws XMLStreamException {
		this.xml.writeCharacters("\n");
	}

	private static IllegalStateException impossible(XMLStreamException ex) {
		return new IllegalStateException("no text can be written to memory", ex);
	}

}
