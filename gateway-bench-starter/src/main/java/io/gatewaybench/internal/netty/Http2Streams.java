package io.gatewaybench.internal.netty;

import io.gatewaybench.upstream.UpstreamException;
import io.gatewaybench.upstream.UpstreamFailure;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.HttpConversionUtil.ExtensionHeaderNames;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import reactor.netty.Connection;
import reactor.netty.NettyPipeline;
import reactor.netty.http.client.HttpClient;

/**
 * A stream of HTTP/2 to an upstream. Drops interim responses, as {@link StrictResponses}
 * does over HTTP/1.1, and the header that Netty adds to each response. Tells apart a
 * request that the upstream did nothing with (RFC 9113, section 8.7).
 */
final class Http2Streams extends ChannelDuplexHandler {

	private static final String NAME = "gateway-bench-http2-streams";

	private static final AttributeKey<Boolean> WIDENED = AttributeKey.valueOf(Http2Streams.class, "widened");

	private int interim;

	private boolean responded;

	Http2Streams() {
	}

	/**
	 * A request is the first that the client tells of a stream.
	 */
	static HttpClient of(HttpClient client) {
		return client.doOnRequest((request, connection) -> watch(connection));
	}

	private static void watch(Connection connection) {
		Channel stream = connection.channel();
		if (stream instanceof Http2StreamChannel) {
			widen(stream.parent());
			stream.pipeline().addBefore(NettyPipeline.ReactiveBridge, NAME, new Http2Streams());
		}
	}

	/**
	 * Each stream limits what it takes, and the connection does not. Otherwise one client
	 * that does not read its response would stop the responses of all others on the
	 * connection.
	 */
	private static void widen(Channel connection) {
		if (connection.attr(WIDENED).setIfAbsent(Boolean.TRUE) == null) {
			connection.write(new DefaultHttp2WindowUpdateFrame(
					Http2CodecUtil.MAX_INITIAL_WINDOW_SIZE - Http2CodecUtil.DEFAULT_WINDOW_SIZE));
		}
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		if (message instanceof HttpResponse response) {
			if (StrictResponses.isInterim(response.status())) {
				ReferenceCountUtil.release(message);
				drop(context);
				return;
			}
			this.responded = true;
			response.headers().remove(ExtensionHeaderNames.STREAM_ID.text());
		}
		context.fireChannelRead(message);
	}

	/**
	 * Where a stream reads already, Netty writes that its window is wider, and leaves it
	 * in the buffer (Netty 4.2.18). When the request has been sent, nothing else takes it
	 * along, and an upstream that waits for it would wait for ever.
	 */
	@Override
	public void read(ChannelHandlerContext context) {
		context.read();
		context.flush();
	}

	private void drop(ChannelHandlerContext context) {
		if (this.interim++ < StrictResponses.MAX_INTERIM) {
			context.read();
		}
		else {
			fail(context, UpstreamFailure.BROKEN);
		}
	}

	@Override
	public void userEventTriggered(ChannelHandlerContext context, Object event) {
		boolean refused = event instanceof Http2GoAwayFrame
				|| (event instanceof Http2ResetFrame reset && reset.errorCode() == Http2Error.REFUSED_STREAM.code());
		if (refused && !this.responded) {
			fail(context, UpstreamFailure.NOT_PROCESSED);
		}
		context.fireUserEventTriggered(event);
	}

	private static void fail(ChannelHandlerContext context, UpstreamFailure failure) {
		context.fireExceptionCaught(new UpstreamException(failure, null));
		context.close();
	}

}
