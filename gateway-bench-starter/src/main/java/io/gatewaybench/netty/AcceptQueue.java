package io.gatewaybench.netty;

import io.netty.channel.ChannelOption;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import reactor.netty.http.server.HttpServer;

/**
 * Accepts all connections that wait. The thread that accepts also serves requests, and
 * Netty's epoll accepts one connection between two rounds of them: it compares the number
 * of the socket with the count of connections to tell whether more wait. Under overload a
 * round takes long, and new clients give up before their turn comes.
 */
final class AcceptQueue {

	/**
	 * Limits how long requests wait for connections. Accepting one takes some 20
	 * microseconds.
	 */
	static final int LARGEST_ROUND = 256;

	private AcceptQueue() {
	}

	static HttpServer of(HttpServer server) {
		return server.option(ChannelOption.RECVBUF_ALLOCATOR,
				new ServerChannelRecvByteBufAllocator().respectMaybeMoreData(false).maxMessagesPerRead(LARGEST_ROUND));
	}

}
