package io.gatewaybench.internal.netty;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;
import reactor.netty.NettyPipeline;
import reactor.netty.http.server.HttpServer;

/**
 * Lets a client get its response to the end although the server does not want the rest of
 * its request. The system resets a connection that is closed with bytes still to be read,
 * and a client that is reset loses what it has not received yet. So the server ends its
 * own side only, and drops what comes until the client has ended the other one (RFC 9112,
 * section 9.6).
 */
final class LingeringClose extends ChannelDuplexHandler {

	/**
	 * For a client that neither ends its request nor closes the connection.
	 */
	static final Duration LONGEST = Duration.ofSeconds(5);

	private static final String NAME = "gateway-bench-lingering-close";

	private boolean requested = true;

	private boolean answered;

	private @Nullable Future<?> end;

	private LingeringClose() {
	}

	/**
	 * Only for connections without TLS, because TLS has a closing message of its own.
	 */
	static HttpServer of(HttpServer server) {
		return server.doOnChannelInit((observer, channel, address) -> {
			ChannelPipeline pipeline = channel.pipeline();
			if (pipeline.get(NettyPipeline.HttpTrafficHandler) != null
					&& pipeline.get(NettyPipeline.SslHandler) == null) {
				pipeline.addBefore(NettyPipeline.HttpTrafficHandler, NAME, new LingeringClose());
			}
		});
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		if (message instanceof HttpRequest) {
			this.requested = false;
			this.answered = false;
		}
		if (message instanceof LastHttpContent) {
			this.requested = true;
		}
		if (this.end == null) {
			context.fireChannelRead(message);
		}
		else {
			ReferenceCountUtil.release(message);
		}
	}

	@Override
	public void channelReadComplete(ChannelHandlerContext context) {
		if (this.end == null) {
			context.fireChannelReadComplete();
		}
		else if (this.requested) {
			context.close();
		}
		else {
			context.read();
		}
	}

	@Override
	public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
		if (message instanceof LastHttpContent && !isInterim(message)) {
			this.answered = true;
		}
		context.write(message, promise);
	}

	static boolean isInterim(Object message) {
		return message instanceof HttpResponse response
				&& response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
	}

	@Override
	public void close(ChannelHandlerContext context, ChannelPromise promise) {
		if (this.end == null && isTooEarly() && context.channel() instanceof DuplexChannel channel
				&& channel.isActive()) {
			this.end = context.executor().schedule(() -> context.close(), LONGEST.toMillis(), TimeUnit.MILLISECONDS);
			channel.shutdownOutput();
			context.read();
		}
		if (this.end == null) {
			context.close(promise);
		}
		else {
			// Reactor Netty closes a connection more than once
			context.channel().closeFuture().addListener((closed) -> promise.trySuccess());
		}
	}

	private boolean isTooEarly() {
		return this.answered && !this.requested;
	}

	@Override
	public void channelInactive(ChannelHandlerContext context) {
		if (this.end != null) {
			this.end.cancel(false);
		}
		context.fireChannelInactive();
	}

}
