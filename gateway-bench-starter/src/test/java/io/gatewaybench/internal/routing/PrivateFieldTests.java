package io.gatewaybench.internal.routing;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Fields of another library, which may change with every release of it.
 */
@ExtendWith(OutputCaptureExtension.class)
class PrivateFieldTests {

	@Test
	void aFieldIsRead(CapturedOutput output) {
		PrivateField field = new PrivateField(Host.class.getName(), "secret");
		assertThat(field.isIn(new Host())).isTrue();
		assertThat(field.of(new Host())).isEqualTo("known");
		assertThat(output).doesNotContain("indexed");
	}

	@Test
	void aFieldThatTheHostHasRenamedHasNoValueAndIsToldOf(CapturedOutput output) {
		PrivateField field = new PrivateField(Host.class.getName(), "renamed");
		assertThat(field.isIn(new Host())).isTrue();
		assertThat(field.of(new Host())).isNull();
		assertThat(output).containsOnlyOnce("WARN").contains(Host.class.getName(), "'renamed'");
	}

	@Test
	void aClassThatTheHostHasRemovedIsToldOf(CapturedOutput output) {
		PrivateField field = new PrivateField(Host.class.getName() + "Removed", "secret");
		assertThat(field.isIn(new Host())).isFalse();
		assertThat(output).containsOnlyOnce("WARN").contains("HostRemoved");
	}

	private static final class Host {

		@SuppressWarnings("unused")
		private final String secret = "known";

	}

}
