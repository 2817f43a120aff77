package io.gatewaybench.internal.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of meters is made from the code. The rest of its page is written by hand.
 */
class MetersDocumentTests {

	private static final String WRITE = "gateway-bench.write-documents";

	private static final Path PAGE = Path.of("..", "docs", "reference", "meters.md");

	private static final String HEAD = """
			| meter | tags | what it counts |
			|---|---|---|
			""";

	@Test
	void theTableHasEveryMeterAsTheCodeDescribesIt() throws IOException {
		String page = Files.readString(PAGE);
		int from = page.indexOf(HEAD);
		int to = page.indexOf("\n\n", from) + 1;
		String expected = page.substring(0, from) + HEAD + rows() + page.substring(to);
		if (Boolean.getBoolean(WRITE)) {
			Files.writeString(PAGE, expected);
		}
		assertThat(PAGE).as("Run this test with -D%s=true, which writes the table", WRITE).hasContent(expected);
	}

	private static String rows() {
		return Arrays.stream(GatewayMeter.values())
			.map((meter) -> "| `%s` (%s) | %s | %s |\n".formatted(meter.meterName(),
					meter.type().name().toLowerCase(Locale.ROOT),
					meter.tagKeys().stream().map("`%s`"::formatted).collect(Collectors.joining(", ")),
					meter.description()))
			.collect(Collectors.joining());
	}

}
