package io.gatewaybench.benchmark.load;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import io.gatewaybench.benchmark.failure.BenchFailure;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.HttpObject;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/**
 * One keep-alive connection, opened again as often as needed, with at most one request in
 * flight. Used by the event loop only. Sharable because it serves one channel after the
 * other; events of a channel it has given up are ignored.
 */
@Sharable
final class Connection extends ChannelInboundHandlerAdapter {

	// The epoll transport tells the system call and the number of the error
	private static final Pattern NATIVE_PREFIX = Pattern.compile("^\\w+\\(\\.\\.\\) failed with error\\(-?\\d+\\): ");

	// What the machine of the generator refuses is no failure of the target
	private static final Pattern OWN_FAILURE = Pattern
		.compile("(?i)too many open files|cannot assign requested address");

	private static final long SHORTEST_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private static final long LONGEST_RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final ConnectionPool pool;

	private final int index;

	private ResponseReader reader = new ResponseReader();

	private @Nullable Channel channel;

	private boolean open;

	private boolean openedBefore;

	private boolean answered;

	private int failuresInARow;

	private @Nullable PreparedRequest request;

	private @Nullable StageRecorder recorder;

	private long intended;

	private long sent;

	Connection(ConnectionPool pool, int index) {
		this.pool = pool;
		this.index = index;
	}

	int index() {
		return this.index;
	}

	boolean isOpen() {
		return this.open;
	}

	boolean isOpening() {
		return this.channel != null && !this.open;
	}

	boolean isBusy() {
		return this.request != null;
	}

	long sent() {
		return this.sent;
	}

	/**
	 * How long to wait before the connection is opened again, so that a target that is
	 * gone costs no CPU.
	 * @return nanoseconds: none after a connection that brought a response, otherwise 10
	 * ms doubling to 1 s
	 */
	long retryDelayNanos() {
		if (this.failuresInARow == 0) {
			return 0;
		}
		return Math.min(LONGEST_RETRY_NANOS, SHORTEST_RETRY_NANOS << Math.min(this.failuresInARow - 1, 10));
	}

	/**
	 * Starts to open the connection; the traffic is told how it ends, maybe before this
	 * returns.
	 */
	void open() {
		this.reader = new ResponseReader();
		ChannelFuture connecting = this.pool.connect(this.reader, this);
		this.channel = connecting.channel();
		// One that can't even be created would tell its listeners on another thread
		if (connecting.isDone()) {
			connected(connecting);
		}
		else {
			connecting.addListener((ChannelFuture done) -> this.pool.timers().now(() -> connected(done)));
		}
	}

	private void connected(ChannelFuture connecting) {
		if (connecting.isSuccess()) {
			boolean again = this.openedBefore;
			this.open = true;
			this.openedBefore = true;
			this.answered = false;
			this.pool.opened(this, again);
		}
		else {
			this.channel = null;
			this.failuresInARow++;
			String reason = message(connecting.cause());
			if (OWN_FAILURE.matcher(reason).find()) {
				throw new BenchFailure(
						"the load generator has no file or port left for a connection (%s); use fewer connections, or raise the limit with ulimit -n or sysctl net.ipv4.ip_local_port_range"
							.formatted(reason),
						connecting.cause());
			}
			this.pool.openFailed(this, "no connection: " + reason);
		}
	}

	/**
	 * Sends a request; the connection is open and free.
	 * @param newRequest what to send
	 * @param newRecorder where to record what becomes of it
	 * @param intendedStart when it was to start
	 * @param now the time
	 */
	void send(PreparedRequest newRequest, StageRecorder newRecorder, long intendedStart, long now) {
		Channel current = this.channel;
		if (current == null || this.request != null) {
			throw new IllegalStateException("connection %d is not free".formatted(this.index));
		}
		this.request = newRequest;
		this.recorder = newRecorder;
		this.intended = intendedStart;
		this.sent = now;
		this.reader.begin(newRequest.head());
		newRecorder.sent(now);
		this.pool.sent();
		current.writeAndFlush(newRequest.bytes().retainedDuplicate(), current.voidPromise());
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		try {
			if (context.channel() == this.channel && this.request != null && this.reader.take((HttpObject) message)) {
				complete();
			}
		}
		catch (DecoderException ex) {
			lost("the response is not HTTP/1.1: " + message(ex));
		}
		finally {
			ReferenceCountUtil.release(message);
		}
	}

	// What nobody asked for would be taken for the next response
	@Override
	public void channelReadComplete(ChannelHandlerContext context) {
		if (context.channel() == this.channel && this.request == null && this.reader.started()) {
			close();
			this.pool.closed(this, null);
		}
	}

	@Override
	public void channelInactive(ChannelHandlerContext context) {
		if (context.channel() != this.channel || !this.open) {
			return;
		}
		lost(this.reader.started()
				? "the connection was closed in the middle of the response, after %d bytes of its body"
					.formatted(this.reader.body().total())
				: "the connection was closed before the response");
	}

	@Override
	public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
		if (!(cause instanceof IOException)) {
			this.pool.timers().failed(cause);
		}
		else if (context.channel() == this.channel && this.open) {
			lost("the connection failed: " + message(cause));
		}
	}

	private void complete() {
		long now = System.nanoTime();
		this.answered = true;
		this.failuresInARow = 0;
		record(now);
		if (this.reader.isReusable()) {
			this.pool.free(this, now);
		}
		else {
			close();
			this.pool.closed(this, null);
		}
	}

	private void record(long now) {
		PreparedRequest done = this.request;
		StageRecorder to = this.recorder;
		if (done == null || to == null) {
			throw new IllegalStateException("connection %d has no request".formatted(this.index));
		}
		this.request = null;
		this.pool.over();
		int status = this.reader.status();
		to.status(done.type(), status);
		if (status != done.expect().status()) {
			to.failed(done, Outcome.HTTP_ERROR, this.intended, now,
					"expected status %d, got %d".formatted(done.expect().status(), status));
			return;
		}
		String problem = bodyProblem(done);
		if (problem != null) {
			to.failed(done, Outcome.WRONG_BODY, this.intended, now, problem);
		}
		else {
			to.ok(done.type(), this.intended, this.sent, now, this.reader.backendNanos());
		}
	}

	private @Nullable String bodyProblem(PreparedRequest done) {
		long total = this.reader.body().total();
		if (total < done.expect().minBytes()) {
			return "expected a body of %d bytes at least, got %d".formatted(done.expect().minBytes(), total);
		}
		String gatewayType = done.expect().gatewayType();
		return (gatewayType != null)
				? GatewayField.problem(this.reader.body().text(), gatewayType, System.currentTimeMillis()) : null;
	}

	void timeOut(long now) {
		fail(Outcome.TIMEOUT, now, this.reader.started()
				? "no complete response in time, only %d bytes of its body".formatted(this.reader.body().total())
				: "no response in time");
		this.pool.closed(this, null);
	}

	/**
	 * Closes the connection, which is free, or is being opened.
	 */
	void retire() {
		if (this.open) {
			close();
		}
		else if (this.channel != null) {
			this.channel.close();
		}
	}

	private void lost(String reason) {
		fail(Outcome.RESET, System.nanoTime(), reason);
		this.pool.closed(this, null);
	}

	/**
	 * Closes the connection, and tells nobody but the recorder.
	 */
	void fail(Outcome outcome, long now, String reason) {
		PreparedRequest failed = this.request;
		if (failed != null && this.recorder != null) {
			this.request = null;
			this.pool.over();
			this.recorder.failed(failed, outcome, this.intended, now, reason);
		}
		close();
	}

	private void close() {
		Channel given = this.channel;
		this.channel = null;
		this.open = false;
		this.pool.closing();
		if (!this.answered) {
			this.failuresInARow++;
		}
		if (given != null) {
			given.close();
		}
	}

	private static String message(Throwable failure) {
		// Netty wraps what the system says when it can't create a channel
		Throwable cause = failure;
		while (cause.getCause() != null) {
			cause = cause.getCause();
		}
		return (cause.getMessage() != null) ? NATIVE_PREFIX.matcher(cause.getMessage()).replaceFirst("")
				: cause.toString();
	}

}
