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
 * A published schema, as a validator that shares nothing with the code that writes.
 */
public enum PublishedSchema {

	/**
	 * Of {@value ResultsFile#NAME}.
	 */
	RESULTS("results.schema.json"),

	/**
	 * Of {@value FaultResults#NAME}.
	 */
	FAULTS("faults.schema.json");

	private final String file;

	private final Schema schema;

	PublishedSchema(String file) {
		this.file = file;
		this.schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(text());
	}

	/**
	 * Validates a document.
	 * @param json the document
	 * @return what is wrong with it
	 */
	public List<String> errors(String json) {
		return this.schema.validate(json, InputFormat.JSON).stream().map(Error::toString).toList();
	}

	String file() {
		return this.file;
	}

	final String text() {
		try (InputStream in = ResultsFile.class.getResourceAsStream(this.file)) {
			return (in != null) ? new String(in.readAllBytes(), StandardCharsets.UTF_8) : "{}";
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
