package io.gatewaybench.benchmark.result;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;

/**
 * The published schema, as a validator that shares nothing with the code that writes.
 */
public final class ResultsSchema {

	private static final Schema SCHEMA = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
		.getSchema(text());

	private ResultsSchema() {
	}

	/**
	 * Validates a document.
	 * @param json the document
	 * @return what is wrong with it
	 */
	public static List<String> errors(String json) {
		return SCHEMA.validate(json, InputFormat.JSON).stream().map(Error::toString).toList();
	}

	static String text() {
		try (InputStream in = ResultsFile.class.getResourceAsStream("results.schema.json")) {
			return (in != null) ? new String(in.readAllBytes(), StandardCharsets.UTF_8) : "{}";
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
