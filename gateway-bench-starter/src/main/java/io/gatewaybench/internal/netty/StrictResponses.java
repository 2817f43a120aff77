package io.gatewaybench.internal.netty;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.Iterator;

import io.gatewaybench.upstream.UpstreamException;
import io.gatewaybench.upstream.UpstreamFailure;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;
import reactor.netty.NettyPipeline;
import reactor.netty.channel.ChannelOperations;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.websocket.WebsocketInbound;

/**
 * Drops the interim responses of an upstream (RFC 9110, section 15.2). Reactor Netty
 * would take any of them but 100 for the final one. A response that breaks the protocol
 * is a failure of the upstream. Its connection is closed, because the beginning of the
 * next response is unknown. A response that lasts until the connection ends is a failure
 * when the connection ends because the request can't be written.
 */
final class StrictResponses extends ChannelDuplexHandler {

	/**
	 * An upstream that sends more of them sends them without end.
	 */
	static final int MAX_INTERIM = 100;

	private static final String NAME = "gateway-bench-strict-responses";

	private static final int LOWEST_STATUS = 100;

	private static final int HIGHEST_STATUS = 999;

	private final ChannelFutureListener writing = this::written;

	private int interim;

	private @Nullable HttpResponse current;

	private @Nullable Throwable writeError;

	private boolean dropping;

	private boolean failed;

	private StrictResponses() {
	}

	/**
	 * Only for connections of HTTP/1.1 alone, because their codec is there from the
	 * beginning.
	 */
	static HttpClient of(HttpClient client) {
		return client.doOnChannelInit((observer, channel, address) -> {
			ChannelPipeline pipeline = channel.pipeline();
			if (pipeline.get(NettyPipeline.HttpCodec) instanceof HttpClientCodec) {
				pipeline.addAfter(NettyPipeline.HttpCodec, NAME, new StrictResponses());
			}
		});
	}

	/**
	 * A request without a body is written before its response begins.
	 */
	@Override
	public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
		boolean empty = message instanceof FullHttpRequest request && !request.content().isReadable();
		context.write(message, empty ? promise : promise.unvoid().addListener(this.writing));
	}

	/**
	 * Netty closes a connection that it cannot write to, and does not read what is left
	 * there. What is still to be written when the upstream ends the connection fails as
	 * well, but with an error of its own.
	 */
	private void written(ChannelFuture write) {
		if (write.cause() instanceof IOException error && !(error instanceof ClosedChannelException)) {
			this.writeError = error;
		}
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		if (this.failed) {
			ReferenceCountUtil.release(message);
		}
		else if (message instanceof HttpResponse response) {
			begin(context, response);
		}
		else if (message instanceof LastHttpContent end) {
			end(context, end);
		}
		else {
			context.fireChannelRead(message);
		}
	}

	private void begin(ChannelHandlerContext context, HttpResponse response) {
		String problem = response.decoderResult().isFailure() ? null : problem(context, response);
		if (response.decoderResult().isFailure() || problem != null) {
			fail(context, response, (problem != null) ? new IllegalArgumentException("The upstream sent " + problem)
					: malformed(response));
		}
		else if (isInterim(response.status())) {
			ReferenceCountUtil.release(response);
			this.dropping = true;
			this.interim++;
		}
		else {
			this.interim = 0;
			this.current = response;
			context.fireChannelRead(response);
		}
	}

	private void end(ChannelHandlerContext context, LastHttpContent end) {
		if (end.decoderResult().isFailure()) {
			fail(context, end, malformed(end));
		}
		else if (this.dropping) {
			this.dropping = false;
			end.release();
			context.read();
		}
		else if (isCutOff()) {
			end.release();
			// The one of the decoder can't be changed
			fail(context, new DefaultLastHttpContent(), this.writeError);
		}
		else {
			this.current = null;
			context.fireChannelRead(end);
		}
	}

	/**
	 * Netty puts into its own exceptions what the upstream has sent, and they are logged.
	 */
	private static Throwable malformed(HttpObject message) {
		return new IllegalArgumentException("The upstream sent what is not HTTP/1.1 (%s)"
			.formatted(message.decoderResult().cause().getClass().getSimpleName()));
	}

	/**
	 * The end of the connection would pass for the end of the body.
	 */
	private boolean isCutOff() {
		return this.writeError != null && this.current != null && !HttpUtil.isContentLengthSet(this.current)
				&& !HttpUtil.isTransferEncodingChunked(this.current);
	}

	private @Nullable String problem(ChannelHandlerContext context, HttpResponse response) {
		HttpResponseStatus status = response.status();
		if (status.code() < LOWEST_STATUS || status.code() > HIGHEST_STATUS) {
			return "a status that is none";
		}
		if (response.protocolVersion().majorVersion() != 1) {
			return "a response of " + response.protocolVersion();
		}
		if (isInterim(status)) {
			return (this.interim >= MAX_INTERIM) ? "too many interim responses" : null;
		}
		if (status.code() == HttpResponseStatus.SWITCHING_PROTOCOLS.code()
				&& !(ChannelOperations.get(context.channel()) instanceof WebsocketInbound)
				&& context.channel().attr(TunedNetty.WEB_SOCKET).get() == null) {
			return "another protocol that it was not asked for";
		}
		return hasOtherCoding(response) ? "a transfer coding that it was not asked for" : null;
	}

	static boolean isInterim(HttpResponseStatus status) {
		return status.codeClass() == HttpStatusClass.INFORMATIONAL
				&& status.code() != HttpResponseStatus.SWITCHING_PROTOCOLS.code();
	}

	/**
	 * The gateway takes the chunked coding off, and would pass on what is in another one
	 * without telling which (RFC 9112, sections 6.1 and 7.4).
	 */
	private static boolean hasOtherCoding(HttpResponse response) {
		Iterator<? extends CharSequence> codings = response.headers()
			.valueCharSequenceIterator(HttpHeaderNames.TRANSFER_ENCODING);
		boolean other = codings.hasNext() && !HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(codings.next());
		return other || codings.hasNext();
	}

	/**
	 * The connection is closed before its request learns about the failure and gives it
	 * back to the pool.
	 */
	private void fail(ChannelHandlerContext context, HttpObject message, @Nullable Throwable cause) {
		this.failed = true;
		message.setDecoderResult(DecoderResult.failure(new UpstreamException(UpstreamFailure.BROKEN, cause)));
		context.close();
		context.fireChannelRead(message);
	}

}
