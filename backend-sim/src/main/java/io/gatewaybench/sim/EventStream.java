package io.gatewaybench.sim;

import java.util.concurrent.TimeUnit;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Writes the same event several times, each on its own as soon as its time has come.
 * Confined to the connection's event loop.
 */
final class EventStream implements Runnable {

	/** When to look again whether the client has read what was written. */
	private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	private final ChannelHandlerContext context;

	private final ByteBuf event;

	private final int count;

	private final long intervalNanos;

	private final Runnable end;

	private final long start = System.nanoTime();

	private int written;

	private @Nullable Future<?> timer;

	/**
	 * A stream that has not begun.
	 * @param context where to write
	 * @param endpoint the endpoint, which decides what an event looks like
	 * @param plan size and distance of the events
	 * @param count number of events
	 * @param end what to do after the last one
	 */
	EventStream(ChannelHandlerContext context, Endpoint endpoint, Plan plan, int count, Runnable end) {
		this.context = context;
		String chunk = Integer.toHexString(plan.size()) + "\r\n" + event(endpoint, plan.size()) + "\r\n";
		this.event = context.alloc().directBuffer(chunk.length());
		ByteBufUtil.writeAscii(this.event, chunk);
		this.count = count;
		this.intervalNanos = plan.intervalNanos();
		this.end = end;
	}

	private static String event(Endpoint endpoint, int size) {
		return (endpoint == Endpoint.EVENTS) ? "data: " + "x".repeat(size - 8) + "\n\n"
				: "{\"data\":\"" + "x".repeat(size - 12) + "\"}\n";
	}

	/**
	 * Writes the next event.
	 */
	@Override
	public void run() {
		try {
			// A client that reads nothing must not fill the memory
			boolean writable = this.context.channel().isWritable();
			if (writable && this.written < this.count) {
				this.context.writeAndFlush(this.event.retainedDuplicate(), this.context.voidPromise());
				this.written++;
			}
			if (this.written < this.count) {
				long next = this.start + this.written * this.intervalNanos - System.nanoTime();
				this.timer = this.context.executor()
					.schedule(this, writable ? Math.max(next, 0) : AGAIN_NANOS, TimeUnit.NANOSECONDS);
			}
			else {
				this.event.release();
				this.end.run();
			}
		}
		catch (Throwable ex) {
			// The scheduler would keep it to itself
			this.context.pipeline().fireExceptionCaught(ex);
		}
	}

	/**
	 * Gives up the rest, if it has not ended.
	 */
	void stop() {
		if (this.timer != null) {
			this.timer.cancel(false);
		}
		this.event.release();
	}

	/**
	 * What a request for a stream asks for.
	 *
	 * @param count number of events
	 * @param size bytes of an event
	 * @param intervalNanos from one event to the next one
	 */
	record Plan(int count, int size, long intervalNanos) {

		private static final int MAX_COUNT = 1000;

		/** Of an event that has room for what is around its data. */
		private static final int MIN_SIZE = 16;

		private static final int MAX_SIZE = 64 * 1024;

		private static final int MAX_INTERVAL_MILLIS = 1000;

		/**
		 * Reads the query of a request.
		 * @param target origin form or absolute form
		 * @throws IllegalArgumentException if the query asks for what is not possible,
		 * with a message for the client
		 */
		static Plan of(String target) {
			return new Plan(RequestTarget.number(target, "count", 1, MAX_COUNT, 20),
					RequestTarget.number(target, "size", MIN_SIZE, MAX_SIZE, 200), TimeUnit.MILLISECONDS
						.toNanos(RequestTarget.number(target, "interval", 0, MAX_INTERVAL_MILLIS, 50)));
		}

		/**
		 * Returns the time from the first event to the last one.
		 */
		long lengthNanos() {
			return (this.count - 1) * this.intervalNanos;
		}

	}

}
