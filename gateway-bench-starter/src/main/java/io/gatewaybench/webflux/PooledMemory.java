package io.gatewaybench.webflux;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;

/**
 * Memory for what the connections carry. Netty's own choice, the adaptive allocator,
 * gives much of it back all the time, and on Java 24 and newer each time closes a shared
 * arena, which stops all threads, unless the JVM grants native access. The pooled
 * allocator, which was Netty's choice before 4.2, keeps it.
 *
 * @see <a href="https://github.com/netty/netty/pull/15366">Netty 15366</a>
 */
final class PooledMemory {

	/**
	 * The property by which Netty's users choose an allocator themselves.
	 */
	private static final String CHOICE = "io.netty.allocator.type";

	private PooledMemory() {
	}

	static HttpClient of(HttpClient client) {
		return isChosen() ? client : client.option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT);
	}

	static HttpServer of(HttpServer server) {
		return isChosen() ? server : server.childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT);
	}

	private static boolean isChosen() {
		return System.getProperty(CHOICE) != null;
	}

}
