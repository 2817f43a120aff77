package io.gatewaybench.benchmark.load;

import java.nio.charset.StandardCharsets;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.HttpObject;
import io.netty.util.ReferenceCountUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ResponseReaderTests {

	private final ResponseReader reader = new ResponseReader();

	private final EmbeddedChannel channel = new EmbeddedChannel(this.reader, new ChannelInboundHandlerAdapter() {

		@Override
		public void channelRead(ChannelHandlerContext context, Object message) {
			try {
				if (!ResponseReaderTests.this.complete && ResponseReaderTests.this.reader.take((HttpObject) message)) {
					ResponseReaderTests.this.complete = true;
					ResponseReaderTests.this.reusable = ResponseReaderTests.this.reader.isReusable();
				}
			}
			finally {
				ReferenceCountUtil.release(message);
			}
		}

	});

	private boolean complete;

	private boolean reusable;

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = {
			// response | status | body bytes | keep-alive
			"HTTP/1.1 200 OK~Content-Length: 5~~hello | 200 | 5 | true",
			"HTTP/1.1 200~content-length:5~~hello | 200 | 5 | true",
			"HTTP/1.1 200 OK~CONTENT-LENGTH:   5  ~~hello | 200 | 5 | true",
			"HTTP/1.1 200 OK~Content-Length: 5~Content-Length: 5~~hello | 200 | 5 | true",
			"HTTP/1.1 503 Service Unavailable~Content-Length: 0~~ | 503 | 0 | true",
			"HTTP/1.1 204 No Content~~ | 204 | 0 | true",
			"HTTP/1.1 304 Not Modified~Content-Length: 5~~ | 304 | 0 | true",
			"HTTP/1.1 200 OK~Content-Length: 5~Connection: close~~hello | 200 | 5 | false",
			"HTTP/1.1 200 OK~Content-Length: 5~Connection: Upgrade, Close~~hello | 200 | 5 | false",
			"HTTP/1.0 200 OK~Content-Length: 5~~hello | 200 | 5 | false",
			"HTTP/1.0 200 OK~Content-Length: 5~Connection: keep-alive~~hello | 200 | 5 | true",
			"HTTP/1.1 200 OK~Transfer-Encoding: chunked~~5~hello~0~~ | 200 | 5 | true",
			"HTTP/1.1 200 OK~transfer-encoding: gzip, Chunked~~5~hello~0~~ | 200 | 5 | true",
			"HTTP/1.1 200 OK~Transfer-Encoding: chunked~~5;a=b~hello~A~0123456789~000~~ | 200 | 15 | true",
			"HTTP/1.1 200 OK~Transfer-Encoding: chunked~~5~hello~0~Digest: x~Y: z~~ | 200 | 5 | true",
			"HTTP/1.1 200 OK~Transfer-Encoding: chunked~Content-Length: 99~~5~hello~0~~ | 200 | 5 | true",
			"HTTP/1.1 103 Early Hints~Link: x~~HTTP/1.1 200 OK~Content-Length: 5~~hello | 200 | 5 | true",
			"HTTP/1.1 200 OK~X-Content-Length: 7~Content-Length-X: 8~Content-Length: 5~~hello | 200 | 5 | true" })
	void theEndIsFoundInOnePieceAndByteByByte(String text, int status, int bodyBytes, boolean keepAlive) {
		begin(false);
		assertThat(read(bytes(text))).isTrue();
		assertResult(status, bodyBytes, keepAlive);
		begin(false);
		ByteBuf again = bytes(text);
		while (again.readableBytes() > 1) {
			assertThat(read(again.readRetainedSlice(1))).isFalse();
			assertThat(this.reader.started()).isTrue();
		}
		assertThat(read(again)).isTrue();
		assertResult(status, bodyBytes, keepAlive);
	}

	private void begin(boolean head) {
		this.complete = false;
		this.reader.begin(head, false);
	}

	private boolean read(ByteBuf bytes) {
		this.channel.writeInbound(bytes);
		return this.complete;
	}

	private void assertResult(int status, int bodyBytes, boolean keepAlive) {
		assertThat(this.reader.started()).isFalse();
		assertThat(this.reader.status()).isEqualTo(status);
		assertThat(this.reader.body().total()).isEqualTo(bodyBytes);
		assertThat(this.reusable).isEqualTo(keepAlive);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = {
			// Server-Timing | nanoseconds
			"Server-Timing: backend;dur=21.348 | 21348000", "server-timing:backend;dur=0.001 | 1000",
			"Server-Timing: cache;desc=x, backend;dur=7 | 7000000",
			"Server-Timing: backend;dur=1.5, db;dur=2 | 1500000", "Server-Timing: backend;dur=60000.000 | 60000000000",
			"Server-Timing: backend;dur=1.2345678901 | 1234567", "Server-Timing: db;dur=53 | -1",
			"Server-Timing: backend | -1", "Server-Timing: backend;dur= | -1", "Server-Timing: backend;dur=x | -1",
			"Server-Timing: backend;dur=9999999999 | -1", "X-Other: y | -1" })
	void theTimeOfTheBackendIsRead(String field, long nanos) {
		begin(false);
		assertThat(read(bytes("HTTP/1.1 200 OK~" + field + "~Content-Length: 0~~"))).isTrue();
		assertThat(this.reader.backendNanos()).isEqualTo(nanos);
		begin(false);
		assertThat(read(bytes("HTTP/1.1 200 OK~Content-Length: 0~~"))).isTrue();
		assertThat(this.reader.backendNanos()).isNegative();
	}

	@Test
	void theAnswerToHeadHasNoBodyWhateverItsLength() {
		begin(true);
		assertThat(read(bytes("HTTP/1.1 200 OK~Content-Length: 5~~"))).isTrue();
		assertThat(this.reader.body().total()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "x", "HTTP/1.1 200 OK~Content-Length: 0~~" })
	void aChannelWithBytesBehindTheResponseIsNotUsedAgain(String more) {
		begin(false);
		assertThat(read(bytes("HTTP/1.1 200 OK~Content-Length: 5~~hello" + more))).isTrue();
		assertThat(this.reader.body().total()).isEqualTo(5);
		assertThat(this.reusable).isFalse();
	}

	@Test
	void bytesThatNobodyAskedForAreTold() {
		begin(false);
		assertThat(read(bytes("HTTP/1.1 200 OK~Content-Length: 0~~"))).isTrue();
		read(bytes("x"));
		assertThat(this.reader.started()).isTrue();
	}

	@Test
	void aBodyWithoutLengthEndsWithTheConnection() {
		begin(false);
		assertThat(read(bytes("HTTP/1.1 200 OK~~he"))).isFalse();
		assertThat(read(bytes("llo"))).isFalse();
		this.channel.finish();
		assertThat(this.complete).isTrue();
		assertResult(200, 5, false);
	}

	@ParameterizedTest
	@ValueSource(strings = { "SSH-2.0-OpenSSH_9.2~", "HTTP/2 200 OK~", "HTTP/2.0 200 OK~~", "RTSP/1.0 200 OK~~",
			"HTTP/1.1 20 OK~~", "HTTP/1.1 2000 OK~~", "HTTP/1.1 099 OK~~", "HTTP/1.1 200 OK~Content-Length: -5~~",
			"HTTP/1.1 200 OK~Content-Length: ~~", "HTTP/1.1 200 OK~Content-Length: 5~Content-Length: 6~~",
			"HTTP/1.1 200 OK~Content-Length: 99999999999999999999~~",
			"HTTP/1.1 200 OK~Transfer-Encoding: chunked~~xyz~", "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~~",
			"HTTP/1.1 200 OK~Transfer-Encoding: chunked~~-5~", "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~A ~",
			"HTTP/1.1 200 OK~Transfer-Encoding: chunked~~5~hello world~", "HTTP/1.1 101 Switching Protocols~~" })
	void whatIsNotAResponseIsRefused(String text) {
		begin(false);
		assertThatExceptionOfType(DecoderException.class).isThrownBy(() -> read(bytes(text)));
	}

	@Test
	void aLineWithoutEndIsRefused() {
		begin(false);
		assertThatExceptionOfType(DecoderException.class)
			.isThrownBy(() -> read(bytes("HTTP/1.1 200 OK~X: " + "x".repeat(70_000))))
			.withMessageContaining("65536");
	}

	@Test
	void theLastBytesOfABodyAreKeptHoweverTheyCome() {
		String text = "0123456789".repeat(100);
		for (int portion : new int[] { 1, 7, 255, 256, 257, 1_000 }) {
			BodyTail tail = new BodyTail();
			ByteBuf in = Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
			for (int index = 0; index < text.length(); index += portion) {
				tail.append(in.slice(index, Math.min(portion, text.length() - index)));
			}
			assertThat(tail.total()).isEqualTo(1_000);
			assertThat(tail.text()).isEqualTo(text.substring(1_000 - BodyTail.CAPACITY));
		}
	}

	// A tilde is the end of a line
	private static ByteBuf bytes(String text) {
		return Unpooled.copiedBuffer(text.replace("~", "\r\n"), StandardCharsets.US_ASCII);
	}

}
