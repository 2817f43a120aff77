package io.gatewaybench.netty;

import java.util.function.Consumer;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import reactor.netty.NettyPipeline;
import reactor.netty.http.server.HttpServer;

/**
 * Sets up connections of clients that begin with HTTP/1.1. Where a client chooses between
 * it and HTTP/2, as over TLS, that is known after the handshake only.
 */
final class Http1Connections extends ChannelInboundHandlerAdapter {

	private final Consumer<ChannelPipeline> setup;

	private Http1Connections(Consumer<ChannelPipeline> setup) {
		this.setup = setup;
	}

	static HttpServer of(HttpServer server, Consumer<ChannelPipeline> setup) {
		return server.doOnChannelInit((observer, channel, address) -> {
			ChannelPipeline pipeline = channel.pipeline();
			if (pipeline.get(NettyPipeline.H2OrHttp11Codec) != null) {
				pipeline.addAfter(NettyPipeline.H2OrHttp11Codec, null, new Http1Connections(setup));
			}
			else if (pipeline.get(NettyPipeline.HttpTrafficHandler) != null) {
				setup.accept(pipeline);
			}
		});
	}

	@Override
	public void userEventTriggered(ChannelHandlerContext context, Object event) {
		if (event instanceof SslHandshakeCompletionEvent) {
			ChannelPipeline pipeline = context.pipeline();
			if (pipeline.get(NettyPipeline.HttpTrafficHandler) != null) {
				this.setup.accept(pipeline);
			}
			pipeline.remove(this);
		}
		context.fireUserEventTriggered(event);
	}

}
