package io.gatewaybench.internal.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;

/**
 * Closes a connection of HTTP/2 whose client takes too long for the head of a request.
 * Nothing else can come on it meanwhile. It gets no answer, as there is no request yet,
 * but responses that are on their way go on.
 */
final class Http2HeadTimeout extends HeadTimer {

	private final Http2Frames frames;

	/**
	 * Create the limit.
	 * @param millis time from the first byte of a head to its last one
	 * @param frames what the client has sent before
	 */
	Http2HeadTimeout(long millis, Http2Frames frames) {
		super(millis);
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
		if (ended || !inHead) {
			stop();
		}
		if (inHead) {
			begin(context);
		}
	}

	/**
	 * All handlers take part, so that the client is told that nothing more is read.
	 */
	@Override
	void late(ChannelHandlerContext context) {
		context.pipeline().close();
	}

}
