package io.gatewaybench.benchmark.load;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * A request of one type to one path, encoded once and sent many times.
 *
 * @param type the index of the type in the mix
 * @param label method and path, for messages
 * @param head whether the response has no body whatever its headers say
 * @param expect what makes the response right
 * @param bytes the whole request, which need not be released
 */
record PreparedRequest(int type, String label, boolean head, Expectation expect, ByteBuf bytes) {

	static PreparedRequest of(int index, RequestType type, String path, URI target) {
		return new PreparedRequest(index, type.method() + " " + path, type.method().equals("HEAD"), type.expect(),
				encode(type, path, target));
	}

	private static ByteBuf encode(RequestType type, String path, URI target) {
		byte[] body = (type.body() != null) ? type.body().getBytes(StandardCharsets.UTF_8) : new byte[0];
		StringBuilder head = new StringBuilder();
		head.append(type.method()).append(' ').append(path).append(" HTTP/1.1\r\n");
		if (type.headers().keySet().stream().noneMatch((name) -> name.toLowerCase(Locale.ROOT).equals("host"))) {
			head.append("Host: ").append(target.getRawAuthority()).append("\r\n");
		}
		type.headers().forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
		if (type.body() != null) {
			head.append("Content-Length: ").append(body.length).append("\r\n");
		}
		head.append("\r\n");
		byte[] headBytes = head.toString().getBytes(StandardCharsets.US_ASCII);
		return Unpooled
			.wrappedBuffer(ByteBuffer.allocateDirect(headBytes.length + body.length).put(headBytes).put(body).flip());
	}

}
