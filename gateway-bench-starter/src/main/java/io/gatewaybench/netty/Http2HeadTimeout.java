package io.gatewaybench.netty;

import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection of HTTP/2 whose client takes too long for the head of a request.
 * Nothing else can come on it meanwhile. It gets no answer, as there is no request yet,
 * but responses that are on their way go on.
 */
final class Http2HeadTimeout extends ChannelInboundHandlerAdapter {

	private final long millis;

	private final Http2Frames frames;

	private @Nullable Future<?> end;

	/**
	 * Create the limit.
	 * @param millis time from the first byte of a head to its last one
	 * @param frames what the client has sent before
	 */
	Http2HeadTimeout(long millis, Http2Frames frames) {
		this.millis = millis;
		this.frames = frames;
	}

	@Override
	public void handlerAdded(ChannelHandlerContext context) {
		look(context, false);
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		boolean ended = message instanceof ByteBuf bytes && this.frames.follow(bytes);
		context.fireChannelRead(message);
		look(context, ended);
	}

	private void look(ChannelHandlerContext context, boolean ended) {
		boolean inHead = this.frames.isInHead();
		if (this.end != null && (ended || !inHead)) {
			stop();
		}
		if (this.end == null && inHead) {
			this.end = context.executor()
				.schedule(() -> context.pipeline().close(), this.millis, TimeUnit.MILLISECONDS);
		}
	}

	private void stop() {
		if (this.end != null) {
			this.end.cancel(false);
			this.end = null;
		}
	}

	@Override
	public void channelInactive(ChannelHandlerContext context) {
		stop();
		context.fireChannelInactive();
	}

	@Override
	public void handlerRemoved(ChannelHandlerContext context) {
		stop();
	}

}
