package io.gatewaybench.internal.netty;

import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.jspecify.annotations.Nullable;

/**
 * Limits the time of a head. The time ends with the connection.
 */
abstract class HeadTimer extends ChannelInboundHandlerAdapter {

	private final long millis;

	private @Nullable Future<?> end;

	/**
	 * Create the timer.
	 * @param millis time from the first byte of a head to its last one
	 */
	HeadTimer(long millis) {
		this.millis = millis;
	}

	/**
	 * The head takes too long.
	 */
	abstract void late(ChannelHandlerContext context);

	/**
	 * Begin, unless it has begun.
	 */
	final void begin(ChannelHandlerContext context) {
		if (this.end == null) {
			this.end = context.executor().schedule(() -> {
				this.end = null;
				late(context);
			}, this.millis, TimeUnit.MILLISECONDS);
		}
	}

	final void stop() {
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
