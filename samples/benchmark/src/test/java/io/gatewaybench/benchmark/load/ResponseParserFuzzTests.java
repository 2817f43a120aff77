package io.gatewaybench.benchmark.load;

import java.net.ProtocolException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Netty's decoder is the judge of random responses.
 */
class ResponseParserFuzzTests {

	private static final int RESPONSES = 5_000;

	private static final int[] STATUSES = { 200, 201, 204, 206, 301, 304, 400, 404, 500, 503 };

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	void aResponseHasTheStatusTheBodyAndTheEndThatNettyFinds(long seed) throws ProtocolException {
		Random random = new Random(seed);
		for (int response = 0; response < RESPONSES; response++) {
			byte[] bytes = response(random);
			int cut = (random.nextInt(4) == 0) ? random.nextInt(bytes.length) : bytes.length;
			assertThat(parsed(bytes, cut, random))
				.as("seed %d, response %d, %d bytes of %s", seed, response, cut,
						new String(bytes, StandardCharsets.ISO_8859_1))
				.isEqualTo(decoded(bytes, cut));
		}
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	void aSpoiltResponseIsMalformedOrHasAnEnd(long seed) {
		Random random = new Random(seed);
		ResponseParser parser = new ResponseParser();
		for (int response = 0; response < RESPONSES; response++) {
			byte[] bytes = response(random);
			for (int spoilt = 1 + random.nextInt(3); spoilt > 0; spoilt--) {
				bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
			}
			parser.reset(random.nextBoolean());
			ByteBuf in = Unpooled.wrappedBuffer(bytes);
			try {
				boolean complete = parser.parse(in);
				assertThat(complete || !in.isReadable()).isTrue();
			}
			catch (ProtocolException ex) {
				assertThat(ex).hasMessageNotContaining("null");
			}
		}
	}

	private static Seen parsed(byte[] bytes, int length, Random random) throws ProtocolException {
		ResponseParser parser = new ResponseParser();
		parser.reset(false);
		boolean complete = false;
		int from = 0;
		while (from < length && !complete) {
			int to = from + 1 + random.nextInt(Math.min(64, length - from));
			complete = parser.parse(Unpooled.wrappedBuffer(bytes, from, Math.min(to, length) - from));
			from = to;
		}
		complete |= parser.completeAtClose();
		return complete ? new Seen(parser.status(), parser.body().total()) : Seen.INCOMPLETE;
	}

	private static Seen decoded(byte[] bytes, int length) {
		EmbeddedChannel channel = new EmbeddedChannel(new HttpResponseDecoder());
		channel.writeInbound(Unpooled.copiedBuffer(bytes, 0, length));
		// An end without which a length or a chunk is missing is told as a failure
		channel.finish();
		int status = 0;
		long body = 0;
		boolean complete = false;
		for (Object message = channel.readInbound(); message != null; message = channel.readInbound()) {
			if (message instanceof HttpResponse response && status < 200) {
				status = response.status().code();
			}
			if (message instanceof HttpContent content) {
				body += content.content().readableBytes();
				complete |= status >= 200 && message instanceof LastHttpContent && content.decoderResult().isSuccess();
			}
			ReferenceCountUtil.release(message);
		}
		return complete ? new Seen(status, body) : Seen.INCOMPLETE;
	}

	private static byte[] response(Random random) {
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
		return out.toByteArray();
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
	 * What was found.
	 */
	private record Seen(int status, long bodyBytes) {

		private static final Seen INCOMPLETE = new Seen(0, 0);

	}

}
