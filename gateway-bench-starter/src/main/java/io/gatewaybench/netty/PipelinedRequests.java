package io.gatewaybench.netty;

import java.util.ArrayDeque;
import java.util.Queue;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import reactor.netty.NettyPipeline;
import reactor.netty.http.server.HttpServer;

/**
 * Passes on the requests of a connection one by one, each when the response to the one
 * before is complete. Reactor Netty looks ahead: a request that says it is the last one
 * makes it close the connection after the response to the first one (1.3.6). While a
 * request waits, nothing more is read.
 */
final class PipelinedRequests extends ChannelDuplexHandler {

	private static final String NAME = "gateway-bench-pipelined-requests";

	private final Queue<Object> waiting = new ArrayDeque<>(0);

	private boolean answering;

	private boolean readAgain;

	private PipelinedRequests() {
	}

	static HttpServer of(HttpServer server) {
		return server.doOnChannelInit((observer, channel, address) -> {
			ChannelPipeline pipeline = channel.pipeline();
			if (pipeline.get(NettyPipeline.HttpTrafficHandler) != null) {
				pipeline.addBefore(NettyPipeline.HttpTrafficHandler, NAME, new PipelinedRequests());
			}
		});
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		if (!this.waiting.isEmpty() || (this.answering && message instanceof HttpRequest)) {
			this.waiting.add(message);
		}
		else {
			pass(context, message);
		}
	}

	private void pass(ChannelHandlerContext context, Object message) {
		if (message instanceof HttpRequest request) {
			this.answering = true;
			BareBodies.addFor(request, context.pipeline());
		}
		context.fireChannelRead(message);
	}

	@Override
	public void read(ChannelHandlerContext context) {
		if (this.waiting.isEmpty()) {
			context.read();
		}
		else {
			this.readAgain = true;
		}
	}

	@Override
	public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
		boolean last = message instanceof LastHttpContent && !LingeringClose.isInterim(message);
		context.write(message, promise);
		if (last) {
			this.answering = false;
			if (!this.waiting.isEmpty()) {
				// Whoever writes has not finished with this response yet
				context.executor().execute(() -> next(context));
			}
		}
	}

	private void next(ChannelHandlerContext context) {
		while (!this.waiting.isEmpty() && !(this.answering && this.waiting.peek() instanceof HttpRequest)) {
			pass(context, this.waiting.remove());
		}
		context.fireChannelReadComplete();
		if (this.waiting.isEmpty() && this.readAgain) {
			this.readAgain = false;
			context.read();
		}
	}

	@Override
	public void channelInactive(ChannelHandlerContext context) {
		release();
		context.fireChannelInactive();
	}

	@Override
	public void handlerRemoved(ChannelHandlerContext context) {
		release();
	}

	private void release() {
		for (Object message = this.waiting.poll(); message != null; message = this.waiting.poll()) {
			ReferenceCountUtil.release(message);
		}
	}

}
