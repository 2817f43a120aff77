package io.gatewaybench.benchmark.load;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
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
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameStreamException;
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

	private int openedWithoutResponse;

	private @Nullable InFlight inFlight;

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
		return this.inFlight != null;
	}

	/**
	 * How long to wait before the connection is opened again, so that a target that is
	 * gone costs no CPU.
	 * @return nanoseconds: none after a connection that brought a response, otherwise 10
	 * ms doubling to 1 s
	 */
	long retryDelayNanos() {
		if (this.openedWithoutResponse == 0) {
			return 0;
		}
		return Math.min(LONGEST_RETRY_NANOS, SHORTEST_RETRY_NANOS << Math.min(this.openedWithoutResponse - 1, 10));
	}

	/**
	 * Starts to open the connection; the traffic is told how it ends, maybe before this
	 * returns.
	 */
	void open() {
		this.openedWithoutResponse++;
		this.reader = new ResponseReader();
		this.pool.opening();
		ChannelFuture connecting = this.pool.connector().connect(this.index, this.reader, this);
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
		Channel ready = connecting.isSuccess() ? this.pool.connector().next(connecting.channel(), this) : null;
		if (ready != null) {
			boolean again = this.openedBefore;
			this.channel = ready;
			this.open = true;
			this.openedBefore = true;
			this.pool.opened(this, again);
		}
		else {
			this.channel = null;
			Throwable cause = (connecting.cause() != null) ? connecting.cause() : new ClosedChannelException();
			String reason = message(cause);
			if (OWN_FAILURE.matcher(reason).find()) {
				throw new BenchFailure(
						"the load generator has no file or port left for a connection (%s); use fewer connections, or raise the limit with ulimit -n or sysctl net.ipv4.ip_local_port_range"
							.formatted(reason),
						cause);
			}
			this.pool.openFailed(this, "no connection: " + reason);
		}
	}

	/**
	 * Sends a request; the connection is open and free.
	 * @param request what to send
	 * @param recorder where to record what becomes of it
	 * @param intended when it was to start
	 * @param now the time
	 */
	void send(PreparedRequest request, StageRecorder recorder, long intended, long now) {
		Channel current = this.channel;
		if (current == null || this.inFlight != null) {
			throw new IllegalStateException("connection %d is not free".formatted(this.index));
		}
		WebSocketClient socket = request.expect().webSocket() ? new WebSocketClient() : null;
		this.inFlight = new InFlight(request, socket, recorder, intended, now);
		this.reader.begin(request.head(), socket != null);
		recorder.sent(now);
		this.pool.sent();
		request.write(current, socket);
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		try {
			InFlight request = this.inFlight;
			if (context.channel() != this.channel || request == null) {
				return;
			}
			boolean complete = message instanceof HttpObject part && this.reader.take(part);
			if (complete || (request.socket != null && take(request.socket, context, message))) {
				complete(request);
			}
		}
		catch (DecoderException ex) {
			lost("the response is not HTTP/1.1: " + message(ex));
		}
		finally {
			ReferenceCountUtil.release(message);
		}
	}

	private boolean take(WebSocketClient socket, ChannelHandlerContext context, Object message) {
		if (message instanceof HttpResponse response && this.reader.status() == Expectation.WEB_SOCKET) {
			socket.open(context, response);
		}
		else if (message instanceof WebSocketFrame frame) {
			socket.take(context, frame, this.reader);
		}
		if (socket.problem() != null) {
			lost(socket.problem());
			return false;
		}
		return socket.isOver();
	}

	// What nobody asked for would be taken for the next response
	@Override
	public void channelReadComplete(ChannelHandlerContext context) {
		if (context.channel() == this.channel && this.inFlight == null && this.reader.started()) {
			close();
			this.pool.closed(this, null);
		}
	}

	@Override
	public void channelInactive(ChannelHandlerContext context) {
		if (context.channel() != this.channel || !this.open) {
			return;
		}
		boolean frames = this.inFlight != null && this.inFlight.socket != null && this.inFlight.socket.isOpen();
		String cut = frames ? "the connection was closed without a Close frame, after %d bytes of data"
				: "the connection was closed in the middle of the response, after %d bytes of its body";
		lost(this.reader.started() ? cut.formatted(this.reader.body().total())
				: "the connection was closed before the response");
	}

	@Override
	public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
		// TLS and HTTP/2 tell what the target did in exceptions of their own
		if (!(cause instanceof IOException || cause instanceof DecoderException || cause instanceof Http2Exception
				|| cause instanceof Http2FrameStreamException)) {
			this.pool.timers().failed(cause);
		}
		else if (context.channel() == this.channel && this.open) {
			lost("the connection failed: " + message(cause));
		}
	}

	private void complete(InFlight request) {
		long now = System.nanoTime();
		this.openedWithoutResponse = 0;
		this.inFlight = null;
		this.pool.over();
		record(request, now);
		Channel current = Objects.requireNonNull(this.channel);
		Channel next = this.reader.isReusable() ? this.pool.connector().next(current, this) : null;
		if (next != null) {
			this.channel = next;
			if (next != current) {
				// An upload that was answered early still goes on
				current.close();
			}
			this.pool.free(this, now);
		}
		else {
			close();
			this.pool.closed(this, null);
		}
	}

	private void record(InFlight done, long now) {
		int type = done.request.type();
		Expectation expect = done.request.expect();
		int status = this.reader.status();
		done.recorder.status(type, status);
		String problem = bodyProblem(expect);
		if (status != expect.status()) {
			done.failed(Outcome.HTTP_ERROR, now, "expected status %d, got %d".formatted(expect.status(), status));
		}
		else if (problem != null) {
			done.failed(Outcome.WRONG_BODY, now, problem);
		}
		else {
			done.recorder.ok(type, done.intended, done.sent, now, this.reader.backendNanos());
		}
	}

	private @Nullable String bodyProblem(Expectation expect) {
		long total = this.reader.body().total();
		if (total < expect.minBytes()) {
			return "expected a body of %d bytes at least, got %d".formatted(expect.minBytes(), total);
		}
		String gatewayType = expect.gatewayType();
		return (gatewayType != null)
				? GatewayField.problem(this.reader.body().text(), gatewayType, System.currentTimeMillis()) : null;
	}

	/**
	 * Ends a request that has been waiting for its response for too long.
	 */
	void expire(long now, long timeoutNanos) {
		if (this.inFlight != null && now - this.inFlight.sent >= timeoutNanos) {
			fail(Outcome.TIMEOUT, now, this.reader.started()
					? "no complete response in time, only %d bytes of its body".formatted(this.reader.body().total())
					: "no response in time");
			this.pool.closed(this, null);
		}
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
		InFlight failed = this.inFlight;
		if (failed != null) {
			this.inFlight = null;
			this.pool.over();
			failed.failed(outcome, now, reason);
		}
		close();
	}

	private void close() {
		Channel given = this.channel;
		this.channel = null;
		this.open = false;
		this.pool.closing();
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

	/**
	 * A request that was sent.
	 */
	private record InFlight(PreparedRequest request, @Nullable WebSocketClient socket, StageRecorder recorder,
			long intended, long sent) {

		void failed(Outcome outcome, long now, String reason) {
			this.recorder.failed(this.request, outcome, this.intended, now, reason);
		}

	}

}
