package io.gatewaybench.benchmark.load;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2Headers;
import org.jspecify.annotations.Nullable;

/**
 * A request of one type to one path, encoded once and sent many times.
 *
 * @param type the index of the type in the mix
 * @param label method and path, for messages
 * @param head whether the response has no body whatever its headers say
 * @param expect what makes the response right
 * @param headers the head where it is not one of the bytes, as in HTTP/2
 * @param bytes the whole request, all but the key of a WebSocket, or its body alone; need
 * not be released
 */
record PreparedRequest(int type, String label, boolean head, Expectation expect, @Nullable Http2Headers headers,
		ByteBuf bytes) {

	static PreparedRequest of(int index, RequestType type, String path, URI target) {
		byte[] body = (type.body() != null) ? type.body().getBytes(StandardCharsets.UTF_8) : new byte[0];
		boolean multiplexed = Protocol.of(target).multiplexed();
		return new PreparedRequest(index, type.method() + " " + path, type.method().equals("HEAD"), type.expect(),
				multiplexed ? headers(type, path, target, body.length) : null,
				multiplexed ? direct(new byte[0], body) : encode(type, path, target, body));
	}

	/**
	 * Sends it.
	 * @param channel a connection, or a stream of one
	 * @param socket the WebSocket that it opens, if it does
	 */
	void write(Channel channel, @Nullable WebSocketClient socket) {
		if (this.headers == null) {
			channel.write(this.bytes.retainedDuplicate(), channel.voidPromise());
			if (socket != null) {
				channel.write(socket.keyField(), channel.voidPromise());
			}
		}
		else {
			boolean whole = !this.bytes.isReadable();
			channel.write(new DefaultHttp2HeadersFrame(this.headers, whole));
			if (!whole) {
				channel.write(new DefaultHttp2DataFrame(this.bytes.retainedDuplicate(), true));
			}
		}
		channel.flush();
	}

	private static Http2Headers headers(RequestType type, String path, URI target, int length) {
		Http2Headers headers = new DefaultHttp2Headers().method(type.method())
			.scheme(Protocol.of(target).scheme())
			.authority(target.getRawAuthority())
			.path(path);
		type.headers().forEach((name, value) -> {
			String lower = name.toLowerCase(Locale.ROOT);
			headers.set(lower.equals("host") ? ":authority" : lower, value);
		});
		return (type.body() != null) ? headers.setInt("content-length", length) : headers;
	}

	private static ByteBuf encode(RequestType type, String path, URI target, byte[] body) {
		StringBuilder head = new StringBuilder();
		head.append(type.method()).append(' ').append(path).append(" HTTP/1.1\r\n");
		if (type.headers().keySet().stream().noneMatch((name) -> name.toLowerCase(Locale.ROOT).equals("host"))) {
			head.append("Host: ").append(target.getRawAuthority()).append("\r\n");
		}
		type.headers().forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
		if (type.body() != null) {
			head.append("Content-Length: ").append(body.length).append("\r\n");
		}
		head.append(type.expect().webSocket() ? WebSocketClient.HANDSHAKE : "\r\n");
		return direct(head.toString().getBytes(StandardCharsets.US_ASCII), body);
	}

	private static ByteBuf direct(byte[] head, byte[] body) {
		return Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(head.length + body.length).put(head).put(body).flip());
	}

}
