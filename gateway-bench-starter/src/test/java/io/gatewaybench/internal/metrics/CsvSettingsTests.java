package io.gatewaybench.internal.metrics;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.gatewaybench.metrics.CsvColumn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class CsvSettingsTests {

	@Test
	void anIntervalOfZeroIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new CsvSettings(Path.of("any"), Duration.ZERO, List.of()))
			.withMessage("must be positive but was PT0S");
	}

	@Test
	void aNegativeIntervalIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new CsvSettings(Path.of("any"), Duration.ofSeconds(-2), List.of()))
			.withMessage("must be positive but was PT-2S");
	}

	@ParameterizedTest
	@ValueSource(strings = { "TotalRequests", "totalrequests", "Mine" })
	void aTitleThatIsThereAlreadyIsRefused(String title) {
		List<CsvColumn> columns = List.of(new CsvColumn("Mine", () -> 1), new CsvColumn(title, () -> 2));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new CsvSettings(Path.of("any"), Duration.ofSeconds(1), columns))
			.withMessageContaining("a column '" + title + "' already");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "=1+1", "a,b", "a\nb", "1a", "a\"b", "Größe",
			"a234567890123456789012345678901234567890123456789012345678901234x" })
	void aTitleThatWouldNeedQuotesOrIsAFormulaIsRefused(String title) {
		assertThatIllegalArgumentException().isThrownBy(() -> new CsvColumn(title, () -> 1))
			.withMessageStartingWith("the title of a column");
	}

}
