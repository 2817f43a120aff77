package io.gatewaybench.benchmark.load;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.HttpObject;
import io.netty.util.ReferenceCountUtil;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ResponseReaderFuzzTests {

	private static final int RESPONSES = 5_000;

	private static final int[] STATUSES = { 200, 201, 204, 206, 301, 304, 400, 404, 500, 503 };

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	void aResponseHasTheStatusTheBodyAndTheEndThatWereSent(long seed) {
		Random random = new Random(seed);
		for (int number = 0; number < RESPONSES; number++) {
			Sent sent = response(random);
			byte[] bytes = sent.bytes();
			int cut = (random.nextInt(4) == 0) ? random.nextInt(bytes.length) : bytes.length;
			try (Receiver receiver = new Receiver(false)) {
				for (int from = 0; from < cut;) {
					int to = Math.min(from + 1 + random.nextInt(64), cut);
					receiver.receive(bytes, from, to);
					from = to;
				}
				receiver.end();
				String message = "seed %d, response %d, %d bytes of %s".formatted(seed, number, cut,
						new String(bytes, StandardCharsets.ISO_8859_1));
				assertThat(receiver.complete).as(message).isEqualTo(cut == bytes.length);
				if (receiver.complete) {
					assertThat(receiver.reader.status()).as(message).isEqualTo(sent.status());
					assertThat(receiver.reader.body().total()).as(message).isEqualTo(sent.length());
				}
			}
		}
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	void aSpoiltResponseIsMalformedOrHasAnEnd(long seed) {
		Random random = new Random(seed);
		for (int number = 0; number < RESPONSES; number++) {
			byte[] bytes = response(random).bytes();
			for (int spoilt = 1 + random.nextInt(3); spoilt > 0; spoilt--) {
				bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
			}
			try (Receiver receiver = new Receiver(random.nextBoolean())) {
				receiver.receive(bytes, 0, bytes.length);
				receiver.end();
				assertThat(receiver.malformed || receiver.complete || receiver.reader.started()).isTrue();
			}
		}
	}

	/**
	 * Takes what a reader decodes, until its response is complete.
	 */
	private static final class Receiver extends ChannelInboundHandlerAdapter implements AutoCloseable {

		private final ResponseReader reader = new ResponseReader();

		private final EmbeddedChannel channel = new EmbeddedChannel(this.reader, this);

		private boolean complete;

		private boolean malformed;

		Receiver(boolean head) {
			this.reader.begin(head, false);
		}

		void receive(byte[] bytes, int from, int to) {
			this.channel.writeInbound(Unpooled.copiedBuffer(bytes, from, to - from));
		}

		void end() {
			this.channel.finish();
		}

		@Override
		public void channelRead(ChannelHandlerContext context, Object message) {
			try {
				this.complete = this.complete || this.reader.take((HttpObject) message);
			}
			catch (DecoderException ex) {
				this.malformed = true;
			}
			finally {
				ReferenceCountUtil.release(message);
			}
		}

		@Override
		public void close() {
			this.channel.releaseInbound();
		}

	}

	private static Sent response(Random random) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		for (int interim = random.nextInt(10) - 8; interim > 0; interim--) {
			write(out, "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n");
		}
		int status = STATUSES[random.nextInt(STATUSES.length)];
		write(out, "HTTP/1.1 " + status + (random.nextBoolean() ? " Reason" : " ") + "\r\n");
		int length = random.nextInt(300);
		boolean empty = status == 204 || status == 304;
		boolean chunked = !empty && random.nextBoolean();
		for (int header = random.nextInt(4); header > 0; header--) {
			write(out, "X-" + header + ":" + " ".repeat(random.nextInt(3)) + "v".repeat(random.nextInt(200)) + "\r\n");
		}
		write(out, chunked ? cased("Transfer-Encoding: chunked", random) : cased("Content-Length: ", random) + length);
		write(out, "\r\n\r\n");
		if (chunked) {
			chunks(out, length, random);
		}
		else if (!empty) {
			body(out, length, random);
		}
		return new Sent(out.toByteArray(), status, empty ? 0 : length);
	}

	private static void chunks(ByteArrayOutputStream out, int length, Random random) {
		int left = length;
		while (left > 0) {
			int size = 1 + random.nextInt(left);
			write(out, (random.nextBoolean() ? "0" : "") + Integer.toHexString(size)
					+ ((random.nextInt(4) == 0) ? ";name=value" : "") + "\r\n");
			body(out, size, random);
			write(out, "\r\n");
			left -= size;
		}
		write(out, "0\r\n" + (random.nextBoolean() ? "Digest: x\r\n" : "") + "\r\n");
	}

	private static void body(ByteArrayOutputStream out, int length, Random random) {
		byte[] bytes = new byte[length];
		random.nextBytes(bytes);
		out.writeBytes(bytes);
	}

	private static String cased(String text, Random random) {
		return random.nextBoolean() ? text : text.toLowerCase(Locale.ROOT);
	}

	private static void write(ByteArrayOutputStream out, String text) {
		out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
	}

	/**
	 * A response.
	 */
	private record Sent(byte[] bytes, int status, int length) {
	}

}
