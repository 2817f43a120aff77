package io.gatewaybench.internal.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class MetersDocumentTests {

	@ParameterizedTest
	@EnumSource
	void everyMeterIsDocumentedWithItsTags(GatewayMeter meter) throws IOException {
		String row = Files.readAllLines(Path.of("..", "docs", "reference", "meters.md"))
			.stream()
			.filter((line) -> line.startsWith("| ") && line.contains("`" + meter.meterName() + "`"))
			.findFirst()
			.orElseThrow(() -> new AssertionError(meter.meterName() + " is missing in docs/reference/meters.md"));
		// Without the values of a tag, which stand in parentheses
		String tags = row.split("\\|")[2].replaceAll("\\([^)]*\\)", "");
		List<String> documented = Pattern.compile("`(\\w+)`")
			.matcher(tags)
			.results()
			.map((tag) -> tag.group(1))
			.toList();
		assertThat(documented).containsExactlyInAnyOrderElementsOf(meter.tagKeys());
	}

}
