package io.gatewaybench.internal.netty;

import java.time.Duration;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import org.jspecify.annotations.Nullable;
import reactor.netty.NettyPipeline;
import reactor.netty.http.server.HttpServer;

/**
 * Answers 408 to a client that takes too long for the head of a request (RFC 9110,
 * section 15.5.9). Reactor Netty has limits for the body only, so a client that sends
 * byte by byte keeps its connection for ever. A head that comes in one piece starts no
 * timer.
 */
final class HeadTimeout extends HeadTimer {

	private static final String NAME = "gateway-bench-head-timeout";

	private static final String HEADS = "gateway-bench-heads";

	private final long millis;

	private final Heads heads = new Heads();

	private @Nullable Http2Frames frames = new Http2Frames();

	private HeadTimeout(long millis) {
		super(millis);
		this.millis = millis;
	}

	static HttpServer of(HttpServer server, Duration timeout) {
		return timeout.isZero() ? server
				: Connections.of(server, (pipeline) -> new HeadTimeout(timeout.toMillis()).addTo(pipeline),
						(pipeline) -> pipeline.addBefore(NettyPipeline.HttpCodec, null,
								new Http2HeadTimeout(timeout.toMillis(), new Http2Frames())));
	}

	private void addTo(ChannelPipeline pipeline) {
		String codec = (pipeline.get(NettyPipeline.H2CUpgradeHandler) != null) ? NettyPipeline.H2CUpgradeHandler
				: NettyPipeline.HttpCodec;
		pipeline.addBefore(codec, NAME, this);
		pipeline.addBefore(NettyPipeline.HttpTrafficHandler, HEADS, this.heads);
	}

	/**
	 * The decoder passes on all that is complete before it returns.
	 */
	@Override
	public void channelRead(ChannelHandlerContext context, Object bytes) {
		this.heads.decoded = false;
		if (this.frames != null && bytes instanceof ByteBuf read) {
			this.frames.follow(read);
			this.frames = this.frames.areFrames() ? this.frames : null;
		}
		context.fireChannelRead(bytes);
		if (!this.heads.decoded && this.heads.requested && !context.isRemoved()) {
			if (context.pipeline().get(HttpServerCodec.class) != null) {
				begin(context);
			}
			else {
				changeToHttp2(context.pipeline());
			}
		}
	}

	/**
	 * A client that has upgraded begins HTTP/2 with its next byte, others with their
	 * first one.
	 */
	private void changeToHttp2(ChannelPipeline pipeline) {
		Http2Frames known = (this.frames != null) ? this.frames : new Http2Frames();
		pipeline.remove(this.heads);
		pipeline.replace(this, null, new Http2HeadTimeout(this.millis, known));
	}

	/**
	 * As long as a response to a request before is on its way, nothing can follow it.
	 */
	@Override
	void late(ChannelHandlerContext context) {
		if (this.heads.unanswered == 0) {
			this.heads.answerLate();
		}
		else {
			begin(context);
		}
	}

	/**
	 * Sees what the decoder has made of the bytes.
	 */
	private final class Heads extends ChannelDuplexHandler {

		private @Nullable ChannelHandlerContext context;

		private boolean decoded;

		private boolean requested = true;

		/** Clients may send the next request before the response to the last one. */
		private int unanswered;

		@Override
		public void handlerAdded(ChannelHandlerContext context) {
			this.context = context;
		}

		@Override
		public void channelRead(ChannelHandlerContext context, Object message) {
			// Frames of HTTP/2 pass, too, as soon as the connection has changed to it
			this.decoded = message instanceof HttpObject;
			if (message instanceof HttpRequest) {
				this.requested = false;
				this.unanswered++;
				stop();
			}
			if (message instanceof LastHttpContent) {
				this.requested = true;
			}
			context.fireChannelRead(message);
		}

		@Override
		public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
			if (message instanceof LastHttpContent && !LingeringClose.isInterim(message) && this.unanswered > 0) {
				this.unanswered--;
			}
			context.write(message, promise);
		}

		void answerLate() {
			if (this.context != null) {
				FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1,
						HttpResponseStatus.REQUEST_TIMEOUT);
				response.headers()
					.set(HttpHeaderNames.CONTENT_LENGTH, HttpHeaderValues.ZERO)
					.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
				this.context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
			}
		}

	}

}
