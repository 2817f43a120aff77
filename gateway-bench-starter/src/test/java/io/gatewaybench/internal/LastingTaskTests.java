package io.gatewaybench.internal;

import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class LastingTaskTests {

	private final AtomicInteger runs = new AtomicInteger();

	@Test
	void whatFailsIsToldOnceAndGoesOn(CapturedOutput output) {
		LastingTask task = new LastingTask("The task of the test", () -> {
			if (this.runs.incrementAndGet() < 3) {
				throw new OutOfMemoryError("By the test");
			}
		});
		task.run();
		task.run();
		task.run();
		assertThat(this.runs).hasValue(3);
		assertThat(output).containsOnlyOnce("ERROR")
			.containsOnlyOnce("The task of the test failed. It goes on.")
			.contains("OutOfMemoryError: By the test");
	}

	@Test
	void whatCannotBeToldIsToldTheNextTime(CapturedOutput output) {
		LastingTask task = new LastingTask("The task of the test", () -> {
			if (this.runs.getAndIncrement() == 0) {
				throw new Untellable();
			}
			throw new IllegalStateException("By the test");
		});
		task.run();
		assertThat(output).doesNotContain("The task of the test");
		task.run();
		assertThat(output).containsOnlyOnce("The task of the test failed").contains("By the test");
	}

	/**
	 * As if there were no memory to log it.
	 */
	private static final class Untellable extends Error {

		private static final long serialVersionUID = 1L;

		@Override
		public String getMessage() {
			throw new OutOfMemoryError("Again");
		}

		@Override
		public StackTraceElement[] getStackTrace() {
			throw new OutOfMemoryError("Again");
		}

	}

}
