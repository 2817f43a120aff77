package io.gatewaybench.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page with all settings is made from what an IDE shows of them.
 */
class SettingsDocumentTests {

	private static final String WRITE = "gateway-bench.write-documents";

	private static final Path PAGE = Path.of("..", "docs", "reference", "settings.md");

	private static final String HEAD = """
			# Settings, one by one
			This page is made from the code (`SettingsDocumentTests`). [Configuration](configuration.md) shows them as YAML, with those of a single upstream or route, and what each takes.

			| key | default | what it is |
			|---|---|---|
			""";

	@Test
	void thePageHasEverySettingAsTheCodeDescribesIt() throws IOException {
		String page = HEAD + rows();
		if (Boolean.getBoolean(WRITE)) {
			Files.writeString(PAGE, page);
		}
		assertThat(PAGE).as("Run this test with -D%s=true, which writes the page", WRITE).hasContent(page);
	}

	private static String rows() throws IOException {
		try (InputStream in = GatewayBenchProperties.class
			.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
			JsonNode properties = new JsonMapper().readTree(in).get("properties");
			return StreamSupport.stream(properties.spliterator(), false)
				.map((property) -> "| `%s` | %s | %s |\n".formatted(property.get("name").asString(),
						defaultOf(property), property.get("description").asString().replace("|", "\\|")))
				.sorted()
				.collect(Collectors.joining());
		}
	}

	private static String defaultOf(JsonNode property) {
		JsonNode value = property.get("defaultValue");
		if (value == null) {
			return "";
		}
		return value.isArray() ? StreamSupport.stream(value.spliterator(), false)
			.map((each) -> "`" + each.asString() + "`")
			.collect(Collectors.joining(", ")) : "`" + value.asString() + "`";
	}

}
