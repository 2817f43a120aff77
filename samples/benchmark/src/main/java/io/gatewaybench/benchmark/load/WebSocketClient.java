package io.gatewaybench.benchmark.load;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.concurrent.ThreadLocalRandom;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshaker13;
import org.jspecify.annotations.Nullable;

/**
 * The client's side of one WebSocket (RFC 6455). The bytes of its frames are counted, and
 * it ends right if the target closes it with 1000.
 */
final class WebSocketClient {

	/**
	 * What every handshake has, except its key.
	 */
	static final String HANDSHAKE = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";

	private static final int KEY_BYTES = 16;

	private static final WebSocketDecoderConfig FRAMES = WebSocketDecoderConfig.newBuilder()
		.expectMaskedFrames(false)
		.maxFramePayloadLength(1024 * 1024)
		.closeOnProtocolViolation(false)
		.build();

	private final String key;

	private boolean open;

	private boolean over;

	private @Nullable String problem;

	WebSocketClient() {
		byte[] random = new byte[KEY_BYTES];
		ThreadLocalRandom.current().nextBytes(random);
		this.key = Base64.getEncoder().encodeToString(random);
	}

	/**
	 * The last field of the handshake, and the end of its head.
	 */
	ByteBuf keyField() {
		return Unpooled.copiedBuffer("Sec-WebSocket-Key: " + this.key + "\r\n\r\n", StandardCharsets.US_ASCII);
	}

	/**
	 * Takes a response that switches protocols. Frames come next.
	 * @param context whose pipeline is to decode them
	 * @param response the response
	 */
	void open(ChannelHandlerContext context, HttpResponse response) {
		String accept = response.headers().get(HttpHeaderNames.SEC_WEBSOCKET_ACCEPT);
		String expected = accept();
		if (!expected.equals(accept)) {
			this.problem = "expected Sec-WebSocket-Accept %s, got %s".formatted(expected, accept);
			return;
		}
		this.open = true;
		context.pipeline()
			.addBefore(context.name(), null, new WebSocket13FrameDecoder(FRAMES))
			.addBefore(context.name(), null, new WebSocket13FrameEncoder(true));
	}

	private String accept() {
		try {
			byte[] answered = (this.key + WebSocketServerHandshaker13.WEBSOCKET_13_ACCEPT_GUID)
				.getBytes(StandardCharsets.US_ASCII);
			return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-1").digest(answered));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("every JDK has SHA-1", ex);
		}
	}

	/**
	 * Takes a frame.
	 * @param context where answers to it are written
	 * @param frame the frame
	 * @param reader counts its bytes
	 */
	void take(ChannelHandlerContext context, WebSocketFrame frame, ResponseReader reader) {
		switch (frame) {
			case CloseWebSocketFrame close -> {
				this.over = true;
				reader.timing(close.reasonText());
				if (close.statusCode() != WebSocketCloseStatus.NORMAL_CLOSURE.code()) {
					this.problem = "the WebSocket was closed with %d %s".formatted(close.statusCode(),
							close.reasonText());
				}
				context.writeAndFlush(close.retain());
			}
			case PingWebSocketFrame ping -> context.writeAndFlush(new PongWebSocketFrame(ping.content().retain()));
			case PongWebSocketFrame pong -> {
			}
			default -> reader.body().append(frame.content());
		}
	}

	boolean isOpen() {
		return this.open;
	}

	/**
	 * Whether the target has closed it.
	 * @return whether it has, right or wrong
	 */
	boolean isOver() {
		return this.over;
	}

	/**
	 * What the target did wrong.
	 * @return {@code null} if nothing so far
	 */
	@Nullable String problem() {
		return this.problem;
	}

}
