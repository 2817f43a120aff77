package io.gatewaybench.netty;

import java.nio.channels.NotYetConnectedException;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import reactor.netty.http.client.HttpClient;

/**
 * Lets a connection to an upstream that is still being made survive the bytes of another
 * one. Netty's epoll transport finds a connection by its file descriptor, which one that
 * is closed leaves to the next. What was still to be read from the old one is then looked
 * for on the new one, and is said to be an error. Reactor Netty fails the request because
 * of it, but goes on to connect and sends the request nevertheless, and nobody reads the
 * response or closes the connection (Netty 4.2.15, Reactor Netty 1.3.6).
 */
@Sharable
final class ForeignReads extends ChannelInboundHandlerAdapter {

	private static final ForeignReads INSTANCE = new ForeignReads();

	private ForeignReads() {
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
