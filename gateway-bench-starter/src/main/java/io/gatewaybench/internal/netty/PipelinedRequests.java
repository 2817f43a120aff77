package io.gatewaybench.internal.netty;

import java.util.ArrayDeque;
import java.util.Queue;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.ReferenceCountUtil;
import reactor.netty.NettyPipeline;
import reactor.netty.channel.ChannelOperations;
import reactor.netty.http.server.HttpServer;

/**
 * Passes on the requests of a connection one by one, each when Reactor Netty is done with
 * the one before, which may be a moment after the client has its response. Reactor Netty
 * looks ahead: a request that says it is the last one makes it close the connection after
 * the response to the first one, or never answer the last one (1.3.7). While a request
 * waits, nothing more is read.
 */
final class PipelinedRequests extends ChannelDuplexHandler {

	private static final String NAME = "gateway-bench-pipelined-requests";

	private final Queue<Object> waiting = new ArrayDeque<>(0);

	private boolean readAgain;

	private PipelinedRequests() {
	}

	static HttpServer of(HttpServer server) {
		return Connections.of(server,
				(pipeline) -> pipeline.addBefore(NettyPipeline.HttpTrafficHandler, NAME, new PipelinedRequests()),
				(pipeline) -> {
				});
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		if (!this.waiting.isEmpty() || (message instanceof HttpRequest && isAnswering(context))) {
			this.waiting.add(message);
		}
		else {
			pass(context, message);
		}
	}

	private static boolean isAnswering(ChannelHandlerContext context) {
		return ChannelOperations.get(context.channel()) != null;
	}

	private static void pass(ChannelHandlerContext context, Object message) {
		if (message instanceof HttpRequest request) {
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

	/**
	 * One of the events tells that a request is done with.
	 */
	@Override
	public void userEventTriggered(ChannelHandlerContext context, Object event) {
		if (!this.waiting.isEmpty() && !isAnswering(context)) {
			// Reactor Netty is about to do more for the request before
			context.executor().execute(() -> next(context));
		}
		context.fireUserEventTriggered(event);
	}

	private void next(ChannelHandlerContext context) {
		while (!this.waiting.isEmpty() && !(this.waiting.peek() instanceof HttpRequest && isAnswering(context))) {
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
