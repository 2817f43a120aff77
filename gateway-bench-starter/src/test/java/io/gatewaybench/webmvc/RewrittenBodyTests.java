package io.gatewaybench.webmvc;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.internal.exchange.GatewayExchange;
import io.gatewaybench.internal.metrics.GatewayObservations;
import io.gatewaybench.internal.rewrite.BodyRewriter;
import io.gatewaybench.internal.rewrite.HeldBody;
import io.gatewaybench.internal.rewrite.RewriteOutcome;
import io.gatewaybench.internal.rewrite.RewriteSettings;
import io.gatewaybench.internal.upstream.DeadlineTimer;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.rewrite.Engine;
import io.gatewaybench.rewrite.GatewayMetadata;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.client.MockClientHttpResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

class RewrittenBodyTests {

	private static final String FIELD = "\"_gateway\":{\"type\":\"WebMVC\",\"timestamp\":1,\"processed\":true}";

	private final List<RewriteOutcome> outcomes = new ArrayList<>();

	private final DeadlineTimer timer = new DeadlineTimer();

	@AfterEach
	void close() {
		this.timer.close();
	}

	@Test
	void everyWayOfReadingGivesTheSameBytes() throws IOException {
		String expected = "{\"a\":\"\u00fc\"," + FIELD + "}";
		String body = "{\"a\":\"\u00fc\"}";
		assertThat(text(stream(body, 1000).readAllBytes())).isEqualTo(expected);
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		assertThat(stream(body, 1000).transferTo(out)).isEqualTo(out.size());
		assertThat(text(out.toByteArray())).isEqualTo(expected);
		out.reset();
		InputStream single = stream(body, 1000);
		for (int value = single.read(); value >= 0; value = single.read()) {
			out.write(value);
		}
		assertThat(text(out.toByteArray())).isEqualTo(expected);
		assertThat(this.outcomes).containsExactly(RewriteOutcome.ADDED, RewriteOutcome.ADDED, RewriteOutcome.ADDED);
	}

	@Test
	void theLengthIsKnownBeforeTheFirstByteIsRead() throws IOException {
		ResponseBody stream = upstreamBody(new ByteArrayInputStream("{}".getBytes(StandardCharsets.UTF_8)));
		HeldBody<ByteBuffer> body = rewrite(stream, 2, 1000);
		assertThat(body.exactLength()).isEqualTo(("{" + FIELD + "}").length());
		assertThat(this.outcomes).isEmpty();
		assertThat(stream.readAllBytes()).hasSize((int) body.exactLength());
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, 0, 1, 16_384, 40_007, 40_008, 40_009, 65_535, 65_536, Integer.MAX_VALUE })
	void theBytesDoNotDependOnTheLengthThatIsTold(int told) throws IOException {
		String body = "{\"a\":\"" + "x".repeat(40_000) + "\"}";
		InputStream upstream = new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8));
		assertThat(text(stream(upstream, told, 50_000).readAllBytes())).isEqualTo(body.replace("}", "," + FIELD + "}"));
	}

	@Test
	void aBodyOfKnownLengthTakesOneReadAndAnotherOneForItsEnd() throws IOException {
		byte[] bytes = ("{\"a\":\"" + "x".repeat(60_000) + "\"}").getBytes(StandardCharsets.UTF_8);
		CountingStream upstream = new CountingStream(bytes);
		assertThat(rewrite(upstreamBody(upstream), bytes.length, 100_000).exactLength()).isGreaterThan(bytes.length);
		assertThat(upstream.reads).isEqualTo(2);
	}

	@Test
	void aBodyThatIsTooLargeIsReadAsItComes() throws IOException {
		String body = "{\"a\":\"" + "x".repeat(100_000) + "\"}";
		assertThat(text(stream(body, 50_000).readAllBytes())).isEqualTo(body);
		assertThat(this.outcomes).containsExactly(RewriteOutcome.TOO_LARGE);
	}

	@Test
	void anEmptyBodyStaysEmptyAndIsCountedOnce() throws IOException {
		InputStream stream = stream("", 1000);
		assertThat(stream.read()).isEqualTo(-1);
		assertThat(stream.read(new byte[1])).isEqualTo(-1);
		assertThat(stream.transferTo(new ByteArrayOutputStream())).isZero();
		assertThat(this.outcomes).containsExactly(RewriteOutcome.UNCHANGED);
	}

	@Test
	void readingNothingReadsNothing() throws IOException {
		InputStream stream = stream(new BrokenStream("["), 1000);
		assertThat(stream.read(new byte[0])).isZero();
		assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> stream.read(new byte[1], 0, 2));
		assertThat(stream.read()).isEqualTo('[');
	}

	@Test
	void anUpstreamThatBreaksOffIsReportedAndNotCounted() {
		assertThatIOException().isThrownBy(() -> stream(new BrokenStream("{\"a\":"), 1000)).withMessage("reset");
		assertThatIOException().isThrownBy(() -> stream(new BrokenStream("[1,"), 1000).readAllBytes())
			.withMessage("reset");
		assertThat(this.outcomes).isEmpty();
	}

	@Test
	void closingClosesTheUpstream() throws IOException {
		BrokenStream upstream = new BrokenStream("[");
		stream(upstream, 1000).close();
		assertThat(upstream.closed).isTrue();
	}

	private InputStream stream(String body, long maxBufferSize) throws IOException {
		byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
		return stream(new ByteArrayInputStream(bytes), bytes.length, maxBufferSize);
	}

	private InputStream stream(InputStream upstream, long maxBufferSize) throws IOException {
		return stream(upstream, -1, maxBufferSize);
	}

	private InputStream stream(InputStream upstream, long length, long maxBufferSize) throws IOException {
		ResponseBody body = upstreamBody(upstream);
		rewrite(body, length, maxBufferSize);
		return body;
	}

	private ResponseBody upstreamBody(InputStream upstream) {
		return new ResponseBody(upstream, new MockClientHttpResponse(new byte[0], HttpStatus.OK),
				new GatewayExchange(GatewayMetrics.disabled(), GatewayObservations.OFF, this.timer),
				new Attempt(HttpHeaders.EMPTY, Runnable::run, false), new PromptOutputs(this.timer, Runnable::run));
	}

	private HeldBody<ByteBuffer> rewrite(ResponseBody body, long length, long maxBufferSize) throws IOException {
		return body.rewrite(length, BodyRewriter
			.of(new RewriteSettings("_gateway", Engine.JACKSON3, maxBufferSize, GatewayMetadata.of("WebMVC", () -> 1))),
				this.outcomes::add);
	}

	private static String text(byte[] bytes) {
		return new String(bytes, StandardCharsets.UTF_8);
	}

	private static final class CountingStream extends ByteArrayInputStream {

		private int reads;

		CountingStream(byte[] bytes) {
			super(bytes);
		}

		@Override
		public int read(byte[] target, int offset, int length) {
			this.reads++;
			return super.read(target, offset, length);
		}

	}

	private static final class BrokenStream extends InputStream {

		private final InputStream start;

		private boolean closed;

		BrokenStream(String start) {
			this.start = new ByteArrayInputStream(start.getBytes(StandardCharsets.UTF_8));
		}

		@Override
		public int read() throws IOException {
			throw new UnsupportedOperationException("One by one is too slow");
		}

		@Override
		public int read(byte[] target, int offset, int length) throws IOException {
			int count = this.start.read(target, offset, length);
			if (count < 0) {
				throw new IOException("reset");
			}
			return count;
		}

		@Override
		public void close() {
			this.closed = true;
		}

	}

}
