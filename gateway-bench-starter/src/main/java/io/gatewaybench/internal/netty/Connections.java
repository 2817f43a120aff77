package io.gatewaybench.internal.netty;

import java.util.function.Consumer;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import reactor.netty.NettyPipeline;
import reactor.netty.http.server.HttpServer;

/**
 * Sets up the connections of clients. Where a client chooses between HTTP/1.1 and HTTP/2,
 * as over TLS, its choice is known after the handshake only.
 */
final class Connections extends ChannelInboundHandlerAdapter {

	private final Consumer<ChannelPipeline> http1;

	private final Consumer<ChannelPipeline> http2;

	private Connections(Consumer<ChannelPipeline> http1, Consumer<ChannelPipeline> http2) {
		this.http1 = http1;
		this.http2 = http2;
	}

	/**
	 * Set up connections.
	 * @param http1 sets up those that begin with HTTP/1.1, or may do so
	 * @param http2 sets up those whose clients have chosen HTTP/2
	 */
	static HttpServer of(HttpServer server, Consumer<ChannelPipeline> http1, Consumer<ChannelPipeline> http2) {
		return server.doOnChannelInit((observer, channel, address) -> {
			ChannelPipeline pipeline = channel.pipeline();
			if (pipeline.get(NettyPipeline.H2OrHttp11Codec) != null) {
				pipeline.addAfter(NettyPipeline.H2OrHttp11Codec, null, new Connections(http1, http2));
			}
			else if (pipeline.get(NettyPipeline.HttpTrafficHandler) != null) {
				http1.accept(pipeline);
			}
		});
	}

	@Override
	public void userEventTriggered(ChannelHandlerContext context, Object event) {
		if (event instanceof SslHandshakeCompletionEvent) {
			ChannelPipeline pipeline = context.pipeline();
			if (pipeline.get(NettyPipeline.HttpTrafficHandler) != null) {
				this.http1.accept(pipeline);
			}
			else if (pipeline.get(NettyPipeline.HttpCodec) != null) {
				this.http2.accept(pipeline);
			}
			pipeline.remove(this);
		}
		context.fireUserEventTriggered(event);
	}

}
