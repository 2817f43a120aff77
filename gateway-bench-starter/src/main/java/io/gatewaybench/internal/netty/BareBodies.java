package io.gatewaybench.internal.netty;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import reactor.netty.NettyPipeline;

/**
 * Sends a client of HTTP/1.0 a body of unknown length without chunks, which it does not
 * know. The end of the connection is the end of the body then (RFC 9112, section 6.3), so
 * a connection on which a body was cut off is reset.
 */
final class BareBodies extends ChannelDuplexHandler {

	private static final String NAME = "gateway-bench-bare-bodies";

	private boolean begun;

	private BareBodies() {
	}

	/**
	 * Be there for a request of HTTP/1.0, which most connections never have.
	 * @param request the request that has come
	 * @param pipeline handlers of its connection
	 */
	static void addFor(HttpRequest request, ChannelPipeline pipeline) {
		if (request.protocolVersion().equals(HttpVersion.HTTP_1_0) && pipeline.get(NAME) == null) {
			pipeline.addBefore(NettyPipeline.HttpTrafficHandler, NAME, new BareBodies());
		}
	}

	@Override
	public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
		if (message instanceof HttpResponse response && !HttpUtil.isContentLengthSet(response)) {
			response.headers()
				.remove(HttpHeaderNames.TRANSFER_ENCODING)
				.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
			this.begun = true;
		}
		if (this.begun && message instanceof LastHttpContent) {
			this.begun = false;
			context.write(message, promise.unvoid()).addListener(ChannelFutureListener.CLOSE);
			return;
		}
		context.write(message, promise);
	}

	@Override
	public void close(ChannelHandlerContext context, ChannelPromise promise) {
		if (this.begun) {
			context.channel().config().setOption(ChannelOption.SO_LINGER, 0);
		}
		context.close(promise);
	}

}
