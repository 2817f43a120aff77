package io.gatewaybench.webmvc;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import io.gatewaybench.internal.upstream.DeadlineTimer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.http.HttpHeaders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * A machine may have no thread left.
 */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PromptOutputTests {

	private static final Executor NO_THREAD = (task) -> {
		throw new RejectedExecutionException("No thread is left");
	};

	@AutoClose
	private final DeadlineTimer timer = new DeadlineTimer();

	@Test
	void aBodyGoesOnWhenNothingCanFlushIt() throws IOException {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		try (PromptOutput output = new PromptOutput(out, 4, this.timer, NO_THREAD)) {
			output.write(new byte[] { 1, 2 });
			output.await();
			// Unless the timer was first
			catchThrowable(output::abort);
			output.arrived();
			output.write(new byte[] { 3, 4 });
		}
		assertThat(out.toByteArray()).containsExactly(1, 2, 3, 4);
	}

	@Test
	void nobodyWaitsForABodyThatNothingCanSend() {
		Attempt attempt = new Attempt(new HttpHeaders(), NO_THREAD, false);
		assertThatExceptionOfType(RejectedExecutionException.class)
			.isThrownBy(() -> attempt.send(new CompletableFuture<>(), () -> {
			}));
		assertThat(attempt.isSending()).isFalse();
		attempt.awaitSent();
	}

}
