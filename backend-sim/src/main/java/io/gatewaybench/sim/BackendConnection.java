package io.gatewaybench.sim;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

import io.gatewaybench.sim.Answer.Failure;
import io.gatewaybench.sim.Answer.Refusal;
import io.gatewaybench.sim.Answer.Report;
import io.gatewaybench.sim.Answer.Reset;
import io.gatewaybench.sim.Answer.Service;
import io.gatewaybench.sim.Content.BadRequestException;
import io.gatewaybench.sim.Fault.Breach;
import io.gatewaybench.sim.Fault.Effect;
import io.gatewaybench.sim.ResponseHead.Persistence;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Serves one connection, one request after the other. Confined to the connection's event
 * loop, so its fields hold the state of the current request and a request allocates next
 * to nothing.
 * <p>
 * Responses are written as bytes: the pipeline has a decoder and no encoder.
 * <p>
 * The delay runs on the event loop's own scheduler. With epoll the loop sleeps until the
 * exact nanosecond of the next deadline; it needs no tick, no second thread and no
 * rounding. A timer wheel with ticks of 1 ms would wake up 1,000 times per second and
 * answer up to a tick late; its advantage, timers in constant time, counts only with far
 * more pending timers than a few thousand connections have.
 */
final class BackendConnection extends ChannelInboundHandlerAdapter implements Runnable {

	/** Longest request body in bytes. */
	static final int MAX_BODY = 1024 * 1024;

	private static final System.Logger LOGGER = System.getLogger(BackendConnection.class.getName());

	private static final ByteBuf CONTINUE = Unpooled.unreleasableBuffer(
			Unpooled.wrappedBuffer("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII)).asReadOnly());

	private static final ByteBuf INTERIM = Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer("""
			HTTP/1.1 100 Continue\r
			\r
			HTTP/1.1 102 Processing\r
			\r
			HTTP/1.1 103 Early Hints\r
			Link: </style.css>; rel=preload\r
			\r
			""".getBytes(StandardCharsets.US_ASCII)).asReadOnly());

	/** The backend's time of a response that is none of an endpoint. */
	private static final long UNTIMED = -1;

	private static final int FIRST_BODY_CAPACITY = 1024;

	/** Bodies up to here are copied behind the head, so that one buffer is written. */
	private static final int MAX_COPIED = 1024;

	/** How long a client may take to notice that the connection is over. */
	private static final long LINGER_MILLIS = 2000;

	/** A reset that comes with the bytes before it could hide them from the client. */
	private static final long BEFORE_RESET_MILLIS = 5;

	private static final Answer NONE = new Report();

	private static final ByteBuf LAST_CHUNK = Unpooled
		.unreleasableBuffer(Unpooled.wrappedBuffer("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII)).asReadOnly());

	private final Queue<Object> waiting = new ArrayDeque<>(0);

	private final Backend backend;

	@SuppressWarnings("NullAway.Init")
	private ChannelHandlerContext context;

	private State state = State.IDLE;

	private Answer answer = NONE;

	private Persistence persistence = Persistence.DEFAULT;

	private boolean headOnly;

	private long requestedDelay;

	private int received;

	private @Nullable ByteBuf requestBody;

	private @Nullable ByteBuf responseBody;

	private long started;

	private long intended;

	private @Nullable Breach breach;

	private @Nullable EventStream stream;

	private @Nullable EventSocket socket;

	private @Nullable Future<?> timer;

	BackendConnection(Backend backend) {
		this.backend = backend;
	}

	@Override
	public void handlerAdded(ChannelHandlerContext context) {
		this.context = context;
	}

	@Override
	public void channelActive(ChannelHandlerContext context) {
		this.backend.connected(context.channel());
	}

	@Override
	public void channelInactive(ChannelHandlerContext context) {
		this.backend.disconnected(context.channel());
		if (this.state == State.DELAYED && this.answer instanceof Service service) {
			this.backend.aborted(service.endpoint());
		}
		this.state = State.CLOSING;
		if (this.timer != null) {
			this.timer.cancel(false);
		}
		releaseBodies();
		this.waiting.forEach(ReferenceCountUtil::release);
		this.waiting.clear();
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		boolean busy = this.state == State.DELAYED || !this.waiting.isEmpty() || !context.channel().isWritable();
		if (busy && this.state != State.CLOSING) {
			// A pipelined request has its turn after the response before it has left;
			// until
			// then nothing more is read, so a client can't make this queue grow
			this.waiting.add(message);
			context.channel().config().setAutoRead(false);
		}
		else {
			handle(message);
		}
	}

	@Override
	public void channelReadComplete(ChannelHandlerContext context) {
		context.flush();
	}

	@Override
	public void channelWritabilityChanged(ChannelHandlerContext context) {
		if (!this.waiting.isEmpty()) {
			context.executor().execute(this::drain);
		}
	}

	@Override
	public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
		// A client that resets its connection or sends broken frames is nobody's error
		if (!(cause instanceof IOException || cause instanceof CorruptedFrameException)) {
			LOGGER.log(System.Logger.Level.ERROR, "Closing a connection after an unexpected error", cause);
		}
		context.close();
	}

	/**
	 * Answers the current request, because its delay is over.
	 */
	@Override
	public void run() {
		try {
			if (this.state == State.DELAYED && this.answer instanceof Service service) {
				serve(service);
				drain();
			}
		}
		catch (Throwable ex) {
			// The scheduler would keep it to itself
			exceptionCaught(this.context, ex);
		}
	}

	private void drain() {
		while (!this.waiting.isEmpty() && this.state != State.DELAYED
				&& (this.state == State.CLOSING || this.context.channel().isWritable())) {
			handle(this.waiting.remove());
		}
		this.context.flush();
		if (this.waiting.isEmpty() && !this.context.channel().config().isAutoRead()) {
			this.context.channel().config().setAutoRead(true);
		}
	}

	private void handle(Object message) {
		try {
			if (this.state == State.IDLE && message instanceof HttpRequest request) {
				begin(request);
			}
			if (this.state == State.RECEIVING && message instanceof HttpContent content) {
				receive(content);
			}
		}
		finally {
			ReferenceCountUtil.release(message);
		}
	}

	private void begin(HttpRequest request) {
		this.persistence = persistence(request);
		this.headOnly = HttpMethod.HEAD.equals(request.method());
		this.received = 0;
		if (request.decoderResult().isFailure()) {
			refuseEarly(malformed(request.decoderResult().cause()));
			return;
		}
		this.answer = answer(request);
		String length = request.headers().get(HttpHeaderNames.CONTENT_LENGTH);
		if (length != null && Long.parseLong(length) > MAX_BODY) {
			refuseEarly(tooLarge());
			return;
		}
		if (this.answer instanceof Service service && service.isEarly()) {
			refuseEarly(new Refusal(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
					"This request is refused on purpose before its body has come"));
			return;
		}
		String expect = request.headers().get(HttpHeaderNames.EXPECT);
		if (expect != null && !request.protocolVersion().equals(HttpVersion.HTTP_1_0)) {
			if (!HttpHeaderValues.CONTINUE.contentEqualsIgnoreCase(expect)) {
				refuseEarly(new Refusal(HttpResponseStatus.EXPECTATION_FAILED, "Expect takes only 100-continue"));
				return;
			}
			if (this.answer instanceof Refusal refusal) {
				refuseEarly(refusal);
				return;
			}
			this.context.writeAndFlush(CONTINUE.duplicate(), this.context.voidPromise());
		}
		this.state = State.RECEIVING;
	}

	private static Persistence persistence(HttpRequest request) {
		if (!HttpUtil.isKeepAlive(request)) {
			return Persistence.CLOSE;
		}
		return request.protocolVersion().isKeepAliveDefault() ? Persistence.DEFAULT : Persistence.KEEP_ALIVE;
	}

	private Answer answer(HttpRequest request) {
		String target = request.uri();
		this.stream = null;
		this.requestedDelay = RequestTarget.delayNanos(target);
		if (this.requestedDelay == RequestTarget.ILLEGAL_DELAY) {
			return new Refusal(HttpResponseStatus.BAD_REQUEST,
					"delay takes a whole number of milliseconds from 0 to " + Profile.MAX_MILLIS);
		}
		Answer found = this.backend.answer(request.method(), target);
		return (found instanceof Service service && service.endpoint().isStream()) ? stream(service, request) : found;
	}

	private Answer stream(Service service, HttpRequest request) {
		if (request.protocolVersion().equals(HttpVersion.HTTP_1_0)) {
			return new Refusal(HttpResponseStatus.HTTP_VERSION_NOT_SUPPORTED, "A stream takes HTTP/1.1");
		}
		try {
			this.stream = new EventStream(service.endpoint(), request.uri());
			this.socket = (service.endpoint() == Endpoint.SOCKET) ? EventSocket.of(request.headers()) : null;
			return service;
		}
		catch (IllegalArgumentException ex) {
			return new Refusal(HttpResponseStatus.BAD_REQUEST, String.valueOf(ex.getMessage()));
		}
	}

	private static Refusal malformed(Throwable cause) {
		if (cause instanceof TooLongHttpLineException) {
			return new Refusal(HttpResponseStatus.REQUEST_URI_TOO_LONG,
					"The request line is longer than " + SimServer.MAX_REQUEST_LINE + " bytes");
		}
		if (cause instanceof TooLongHttpHeaderException) {
			return new Refusal(HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
					"The header is longer than " + SimServer.MAX_HEADER + " bytes");
		}
		return new Refusal(HttpResponseStatus.BAD_REQUEST, "This is no HTTP request: " + cause.getMessage());
	}

	private static Refusal tooLarge() {
		return new Refusal(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
				"The body is longer than " + MAX_BODY + " bytes");
	}

	private void receive(HttpContent content) {
		if (content.decoderResult().isFailure()) {
			refuseEarly(malformed(content.decoderResult().cause()));
			return;
		}
		this.received += content.content().readableBytes();
		if (this.received > MAX_BODY) {
			refuseEarly(tooLarge());
			return;
		}
		if (this.answer instanceof Service service && service.endpoint().keepsBody()) {
			if (this.requestBody == null) {
				// On the heap, where the JSON parser reads it in place
				this.requestBody = this.context.alloc().heapBuffer(FIRST_BODY_CAPACITY, MAX_BODY);
			}
			this.requestBody.writeBytes(content.content());
		}
		if (content instanceof LastHttpContent) {
			this.state = State.IDLE;
			complete();
		}
	}

	private void complete() {
		switch (this.answer) {
			case Service service -> serveOrFail(service);
			case Refusal refusal -> refuse(refusal);
			case Report report -> report(this.backend.report());
			case Reset reset -> report(this.backend.reset(reset.seed()));
			case Failure failure -> {
				byte[] begun = this.backend.fail(failure.outage(), this.context.channel());
				// Nothing is served on a connection that a port was shut for all others
				this.persistence = Persistence.CLOSE;
				report(begun);
			}
		}
	}

	private void report(byte[] json) {
		respond(this.backend.reportHead(), Unpooled.wrappedBuffer(json), UNTIMED);
	}

	private void serveOrFail(Service service) {
		Effect effect = service.faults().next();
		this.breach = (effect instanceof Breach found) ? found : null;
		if (effect instanceof Fault.Error error) {
			refuse(new Refusal(error.status(), "This request fails on purpose"));
		}
		else if (effect == Breach.SILENCE) {
			// Like a delay without end, which the client ends by closing the connection
			releaseRequestBody();
			this.backend.started();
			this.state = State.DELAYED;
		}
		else {
			if (this.breach == Breach.INTERIM) {
				this.context.writeAndFlush(INTERIM.duplicate(), this.context.voidPromise());
			}
			delay(service);
		}
	}

	private void delay(Service service) {
		this.started = System.nanoTime();
		this.intended = (this.requestedDelay >= 0) ? this.requestedDelay : service.delays().next();
		try {
			// Made before the delay: the work is part of the latency and doesn't add to
			// it
			this.responseBody = service.content()
				.body((this.requestBody != null) ? this.requestBody : Unpooled.EMPTY_BUFFER, this.context.alloc());
		}
		catch (BadRequestException ex) {
			refuse(new Refusal(HttpResponseStatus.BAD_REQUEST, ex.detail()));
			return;
		}
		releaseRequestBody();
		this.backend.started();
		this.state = State.DELAYED;
		long remaining = this.intended - (System.nanoTime() - this.started);
		if (remaining > 0) {
			this.timer = this.context.executor().schedule(this, remaining, TimeUnit.NANOSECONDS);
		}
		else {
			serve(service);
		}
	}

	private void serve(Service service) {
		if (this.stream != null) {
			serve(service, this.stream);
			return;
		}
		this.state = State.IDLE;
		long took = System.nanoTime() - this.started;
		this.backend.answered(service.endpoint(), this.intended, took);
		ByteBuf body = (this.responseBody != null) ? this.responseBody : Unpooled.EMPTY_BUFFER;
		this.responseBody = null;
		if (this.breach == Breach.RESET) {
			respondByHalf(service.head(), body, took);
			return;
		}
		respond(service.head(), body, took);
		closeIfToldTo();
	}

	private void closeIfToldTo() {
		if (this.breach == Breach.CLOSE) {
			this.state = State.CLOSING;
			this.context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
		}
	}

	/**
	 * Serves the next event of a stream. The head tells how long all of it takes, as
	 * nobody reads trailers.
	 */
	private void serve(Service service, EventStream events) {
		if (!events.hasBegun()) {
			this.intended += events.lengthNanos();
			begin(service, System.nanoTime() - this.started + events.lengthNanos());
		}
		long wait = events.writeNext(this.context);
		if (wait != EventStream.OVER && this.breach != Breach.RESET) {
			this.timer = this.context.executor().schedule(this, wait, TimeUnit.NANOSECONDS);
			return;
		}
		events.release();
		this.stream = null;
		this.state = State.IDLE;
		this.backend.answered(service.endpoint(), this.intended, System.nanoTime() - this.started);
		if (this.breach == Breach.RESET) {
			resetSoon();
		}
		else if (this.socket != null) {
			this.state = State.CLOSING;
			this.socket.close(this.context);
			closeLater();
		}
		else {
			write(LAST_CHUNK.duplicate());
			closeIfToldTo();
		}
	}

	private void begin(Service service, long takes) {
		if (this.socket != null) {
			this.socket.open(this.context, this.backend.name(), takes);
			return;
		}
		ByteBuf head = this.context.alloc().directBuffer(service.head().maxLength());
		service.head().writeTo(head, ResponseHead.CHUNKED, this.persistence, takes);
		this.context.write(head, this.context.voidPromise());
	}

	private void respondByHalf(ResponseHead head, ByteBuf body, long took) {
		ByteBuf first = this.context.alloc().directBuffer(head.maxLength());
		head.writeTo(first, body.readableBytes(), this.persistence, took);
		this.context.write(first, this.context.voidPromise());
		int written = this.headOnly ? 0 : body.readableBytes() / 2;
		this.context.writeAndFlush(body.writerIndex(body.readerIndex() + written), this.context.voidPromise());
		resetSoon();
	}

	private void resetSoon() {
		this.state = State.CLOSING;
		this.timer = this.context.executor()
			.schedule(() -> InstancePort.reset(this.context.channel()), BEFORE_RESET_MILLIS, TimeUnit.MILLISECONDS);
	}

	/**
	 * Refuses a request before it is complete, after which the rest of the input means
	 * nothing.
	 */
	private void refuseEarly(Refusal refusal) {
		this.persistence = Persistence.CLOSE;
		refuse(refusal);
	}

	private void refuse(Refusal refusal) {
		releaseRequestBody();
		this.backend.refused();
		respond(this.backend.problemHead(refusal), Unpooled.wrappedBuffer(this.backend.problem(refusal)), UNTIMED);
	}

	private void respond(ResponseHead head, ByteBuf body, long took) {
		int length = body.readableBytes();
		boolean separate = !this.headOnly && length > MAX_COPIED;
		ByteBuf first = this.context.alloc().directBuffer(head.maxLength() + (separate ? 0 : length));
		head.writeTo(first, length, this.persistence, took);
		if (separate) {
			this.context.write(first, this.context.voidPromise());
			write(body);
			return;
		}
		if (!this.headOnly) {
			first.writeBytes(body, body.readerIndex(), length);
		}
		body.release();
		write(first);
	}

	private void write(ByteBuf last) {
		if (this.persistence != Persistence.CLOSE) {
			this.context.write(last, this.context.voidPromise());
			return;
		}
		this.state = State.CLOSING;
		this.context.writeAndFlush(last).addListener((ChannelFuture future) -> linger(future));
	}

	/**
	 * Closes in two steps: closing at once while the client still sends would reset the
	 * connection, and the client might lose the response (RFC 9112, section 9.6).
	 */
	private void linger(ChannelFuture written) {
		if (!written.isSuccess()) {
			this.context.close();
			return;
		}
		((DuplexChannel) this.context.channel()).shutdownOutput();
		closeLater();
	}

	private void closeLater() {
		this.timer = this.context.executor().schedule(() -> this.context.close(), LINGER_MILLIS, TimeUnit.MILLISECONDS);
	}

	private void releaseBodies() {
		releaseRequestBody();
		if (this.stream != null) {
			this.stream.release();
			this.stream = null;
		}
		if (this.responseBody != null) {
			this.responseBody.release();
			this.responseBody = null;
		}
	}

	private void releaseRequestBody() {
		if (this.requestBody != null) {
			this.requestBody.release();
			this.requestBody = null;
		}
	}

	private enum State {

		/** No request, or between two. */
		IDLE,

		/** The head of a request is there, its body isn't complete. */
		RECEIVING,

		/**
		 * The request is complete and its response waits for the end of the delay, or is
		 * a stream that has not ended.
		 */
		DELAYED,

		/** The last response is written; input is thrown away. */
		CLOSING

	}

}
