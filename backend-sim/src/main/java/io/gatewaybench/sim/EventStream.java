package io.gatewaybench.sim;

import java.util.concurrent.TimeUnit;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import org.jspecify.annotations.Nullable;

/**
 * The same event several times, each written on its own.
 */
final class EventStream {

	/** Instead of a time: the last event is written. */
	static final long OVER = -1;

	/** When to look again whether the client has read what was written. */
	private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	private final Endpoint endpoint;

	private final int size;

	private final long intervalNanos;

	private int left;

	private long due;

	private @Nullable ByteBuf event;

	/**
	 * A stream that has not begun.
	 * @param endpoint the endpoint, which decides what an event looks like
	 * @param target target of the request, in origin form or absolute form
	 * @throws IllegalArgumentException if its query asks for what is not possible, with a
	 * message for the client
	 */
	EventStream(Endpoint endpoint, String target) {
		this.endpoint = endpoint;
		this.left = RequestTarget.number(target, "count", 1, 1000, 20);
		this.size = RequestTarget.number(target, "size", 16, 65536, 200);
		this.intervalNanos = TimeUnit.MILLISECONDS.toNanos(RequestTarget.number(target, "interval", 0, 1000, 50));
	}

	/**
	 * Returns the time from the next event to the last one.
	 */
	long lengthNanos() {
		return (this.left - 1) * this.intervalNanos;
	}

	boolean hasBegun() {
		return this.event != null;
	}

	/**
	 * Writes the next event, unless the client has not read those before it, which must
	 * not fill the memory.
	 * @param context where to
	 * @return nanoseconds until there is more to do, or {@link #OVER}
	 */
	long writeNext(ChannelHandlerContext context) {
		if (this.event == null) {
			this.event = ByteBufUtil.writeAscii(context.alloc(), text());
			this.due = System.nanoTime();
		}
		if (!context.channel().isWritable()) {
			return AGAIN_NANOS;
		}
		ByteBuf next = this.event.retainedDuplicate();
		context.writeAndFlush((this.endpoint == Endpoint.SOCKET) ? new TextWebSocketFrame(next) : next,
				context.voidPromise());
		this.left--;
		this.due += this.intervalNanos;
		return (this.left == 0) ? OVER : Math.max(this.due - System.nanoTime(), 0);
	}

	private String text() {
		String text = switch (this.endpoint) {
			case EVENTS -> "data: " + "x".repeat(this.size - 8) + "\n\n";
			case LINES -> "{\"data\":\"" + "x".repeat(this.size - 12) + "\"}\n";
			default -> "x".repeat(this.size);
		};
		return (this.endpoint == Endpoint.SOCKET) ? text : Integer.toHexString(this.size) + "\r\n" + text + "\r\n";
	}

	void release() {
		if (this.event != null) {
			this.event.release();
		}
	}

}
