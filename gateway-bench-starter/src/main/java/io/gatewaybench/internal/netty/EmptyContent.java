package io.gatewaybench.internal.netty;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.FullHttpRequest;
import reactor.netty.Connection;
import reactor.netty.ConnectionObserver.State;
import reactor.netty.NettyPipeline;
import reactor.netty.http.server.HttpServer;

/**
 * Gives a request of HTTP/2 without a body a content that has no memory. Reactor Netty
 * (1.3.7) asks for the content again when it compresses the response. It has released it
 * by then, and another thread may use that buffer. The response is lost if that thread
 * releases the buffer in that moment.
 */
@Sharable
final class EmptyContent extends ChannelInboundHandlerAdapter {

	private static final String NAME = "gateway-bench-empty-content";

	private static final EmptyContent INSTANCE = new EmptyContent();

	private EmptyContent() {
	}

	static HttpServer of(HttpServer server) {
		return server.childObserve((connection, state) -> {
			if (state == State.CONNECTED) {
				add(connection);
			}
		});
	}

	private static void add(Connection stream) {
		if (stream.channel().pipeline().get(NettyPipeline.H2ToHttp11Codec) != null) {
			stream.channel().pipeline().addAfter(NettyPipeline.H2ToHttp11Codec, NAME, INSTANCE);
		}
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		if (message instanceof FullHttpRequest request && !request.content().isReadable()) {
			FullHttpRequest empty = request.replace(Unpooled.EMPTY_BUFFER);
			request.release();
			context.fireChannelRead(empty);
		}
		else {
			context.fireChannelRead(message);
		}
	}

}
