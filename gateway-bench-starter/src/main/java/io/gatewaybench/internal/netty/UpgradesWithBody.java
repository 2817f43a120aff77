package io.gatewaybench.internal.netty;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpServerUpgradeHandler;
import io.netty.handler.codec.http.HttpUtil;
import reactor.netty.http.server.HttpServer;

/**
 * Answers a request with a body over HTTP/1.1 although its client offers HTTP/2. A server
 * need not accept (RFC 9110, section 7.8). Netty would collect the body first, and refuse
 * one that is too long for it, that is any.
 */
@Sharable
final class UpgradesWithBody extends ChannelInboundHandlerAdapter {

	private static final UpgradesWithBody INSTANCE = new UpgradesWithBody();

	private static final String SETTINGS = "HTTP2-Settings";

	private UpgradesWithBody() {
	}

	static HttpServer of(HttpServer server) {
		return server.doOnChannelInit((observer, channel, address) -> {
			ChannelPipeline pipeline = channel.pipeline();
			ChannelHandlerContext upgrade = pipeline.context(HttpServerUpgradeHandler.class);
			if (upgrade != null) {
				pipeline.addBefore(upgrade.name(), null, INSTANCE);
			}
		});
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		if (message instanceof HttpRequest request && request.headers().contains(HttpHeaderNames.UPGRADE)
				&& hasBody(request)) {
			HttpHeaders headers = request.headers();
			headers.remove(HttpHeaderNames.UPGRADE);
			headers.remove(SETTINGS);
		}
		context.fireChannelRead(message);
	}

	private static boolean hasBody(HttpRequest request) {
		String length = request.headers().get(HttpHeaderNames.CONTENT_LENGTH);
		return HttpUtil.isTransferEncodingChunked(request) || (length != null && !length.equals("0"));
	}

}
