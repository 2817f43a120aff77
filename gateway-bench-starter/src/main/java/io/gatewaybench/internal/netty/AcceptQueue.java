package io.gatewaybench.internal.netty;

import io.netty.channel.ChannelOption;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import reactor.netty.http.server.HttpServer;

/**
 * Accepts all connections that wait. The thread that accepts also serves requests. By
 * default, Netty's epoll accepts one connection and then serves requests again: to tell
 * whether more wait, it compares the descriptor of the socket with the count of
 * connections. Under overload the requests of a round take long, and new clients give up
 * before they are accepted.
 */
final class AcceptQueue {

	/**
	 * Requests wait while connections are accepted. Netty's own limit is 16.
	 */
	static final int LARGEST_ROUND = 256;

	private AcceptQueue() {
	}

	static HttpServer of(HttpServer server) {
		return server.option(ChannelOption.RECVBUF_ALLOCATOR,
				new ServerChannelRecvByteBufAllocator().respectMaybeMoreData(false).maxMessagesPerRead(LARGEST_ROUND));
	}

}
