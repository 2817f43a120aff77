package io.gatewaybench.metrics;

import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class CsvSettingsTests {

	@Test
	void anIntervalOfZeroIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new CsvSettings(Path.of("any"), Duration.ZERO))
			.withMessage("must be positive but was PT0S");
	}

	@Test
	void aNegativeIntervalIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new CsvSettings(Path.of("any"), Duration.ofSeconds(-2)))
			.withMessage("must be positive but was PT-2S");
	}

}
