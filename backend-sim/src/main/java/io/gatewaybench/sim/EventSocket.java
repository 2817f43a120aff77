package io.gatewaybench.sim;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshaker13;

/**
 * The WebSocket that a connection becomes (RFC 6455). What its client tells is thrown
 * away.
 */
final class EventSocket extends SimpleChannelInboundHandler<WebSocketFrame> {

	private static final int MAX_FRAME = 64 * 1024;

	private final String key;

	private String timing = "";

	private boolean closing;

	private EventSocket(String key) {
		this.key = key;
	}

	/**
	 * A WebSocket that is not open.
	 * @param headers the fields of the request
	 * @throws IllegalArgumentException if they are no handshake, with a message for the
	 * client
	 */
	static EventSocket of(HttpHeaders headers) {
		String key = headers.get(HttpHeaderNames.SEC_WEBSOCKET_KEY);
		if (key == null || !headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true)
				|| !headers.contains(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true)
				|| !headers.contains(HttpHeaderNames.SEC_WEBSOCKET_VERSION, "13", false)) {
			throw new IllegalArgumentException("This path takes only the handshake of a WebSocket of version 13");
		}
		return new EventSocket(key);
	}

	/**
	 * Answers a handshake. The next bytes are frames.
	 * @param connection the connection, whose handler gets no frames
	 * @param instance name of the instance
	 * @param takesNanos how long the backend takes
	 */
	void open(ChannelHandlerContext connection, String instance, long takesNanos) {
		this.timing = "backend;dur=" + Math.round(takesNanos / 1e3) / 1e3;
		String head = """
				HTTP/1.1 101 Switching Protocols\r
				Connection: Upgrade\r
				Upgrade: websocket\r
				Sec-WebSocket-Accept: %s\r
				X-Backend-Instance: %s\r
				Server-Timing: %s\r
				\r
				""".formatted(accept(), instance, this.timing);
		connection.writeAndFlush(Unpooled.copiedBuffer(head, StandardCharsets.US_ASCII), connection.voidPromise());
		connection.pipeline()
			.addFirst(new WebSocket13FrameEncoder(false))
			.addBefore(connection.name(), null, this)
			.replace(HttpRequestDecoder.class, null, new WebSocket13FrameDecoder(true, false, MAX_FRAME));
	}

	private String accept() {
		try {
			byte[] seed = (this.key + WebSocketServerHandshaker13.WEBSOCKET_13_ACCEPT_GUID)
				.getBytes(StandardCharsets.US_ASCII);
			return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-1").digest(seed));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("every JDK has SHA-1", ex);
		}
	}

	/**
	 * Begins to close the WebSocket. The connection is closed when the client agrees. A
	 * gateway that answers handshakes itself passes the reason and none of our fields.
	 */
	void close(ChannelHandlerContext connection) {
		this.closing = true;
		connection.writeAndFlush(new CloseWebSocketFrame(1000, this.timing), connection.voidPromise());
	}

	@Override
	protected void channelRead0(ChannelHandlerContext context, WebSocketFrame frame) {
		if (frame instanceof CloseWebSocketFrame) {
			context.writeAndFlush(this.closing ? Unpooled.EMPTY_BUFFER : frame.retain())
				.addListener(ChannelFutureListener.CLOSE);
			this.closing = true;
		}
		else if (frame instanceof PingWebSocketFrame && !this.closing) {
			context.writeAndFlush(new PongWebSocketFrame(frame.content().retain()));
		}
	}

}
