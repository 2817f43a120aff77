package io.gatewaybench.internal.netty;

import java.nio.channels.NotYetConnectedException;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import reactor.netty.http.client.HttpClient;

/**
 * Spares a connection that is not made yet the reads of a closed one. Netty's epoll
 * transport finds a connection by its file descriptor, which may have belonged to another
 * connection before. An event of the old one then makes Netty read from the new one,
 * which is an error. Reactor Netty fails the request, but still connects and sends it.
 * Nobody reads the response or closes the connection (Netty 4.2.15, Reactor Netty 1.3.6).
 */
@Sharable
final class StaleReadEvents extends ChannelInboundHandlerAdapter {

	private static final StaleReadEvents INSTANCE = new StaleReadEvents();

	private StaleReadEvents() {
	}

	static HttpClient of(HttpClient client) {
		return client.doOnChannelInit((observer, channel, address) -> channel.pipeline().addFirst(INSTANCE));
	}

	/**
	 * Whether the connection can be made tells the attempt itself.
	 */
	@Override
	public void exceptionCaught(ChannelHandlerContext context, Throwable error) {
		if (!(error instanceof NotYetConnectedException)) {
			context.fireExceptionCaught(error);
		}
	}

}
