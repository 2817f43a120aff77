package io.gatewaybench.internal.netty;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.util.internal.PlatformDependent;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;

/**
 * Memory for what the connections carry. Netty's own choice, the adaptive allocator,
 * gives much of it back all the time. Java 24 and newer grants Netty neither {@code
 * Unsafe} nor native access by default. The JVM then closes a shared arena each time,
 * which stops all threads. There the pooled allocator, which was Netty's choice before
 * 4.2, serves better, because it keeps the memory.
 *
 * @see <a href="https://github.com/netty/netty/pull/15366">Netty 15366</a>
 */
final class PooledMemory {

	/**
	 * The property by which Netty's users choose an allocator themselves.
	 */
	private static final String CHOICE = "io.netty.allocator.type";

	private static final boolean FREEING_IS_CHEAP = PlatformDependent.hasUnsafe()
			|| hasNativeAccess(PlatformDependent.class.getModule());

	private PooledMemory() {
	}

	static HttpClient of(HttpClient client) {
		return isBetter(FREEING_IS_CHEAP) ? pooled(client) : client;
	}

	static HttpServer of(HttpServer server) {
		return isBetter(FREEING_IS_CHEAP) ? pooled(server) : server;
	}

	static boolean isBetter(boolean freeingIsCheap) {
		return !freeingIsCheap && System.getProperty(CHOICE) == null;
	}

	static HttpClient pooled(HttpClient client) {
		return client.option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT);
	}

	static HttpServer pooled(HttpServer server) {
		return server.childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT);
	}

	/**
	 * Older versions of Java than 22 cannot be asked, and always grant {@code Unsafe}.
	 */
	private static boolean hasNativeAccess(Module module) {
		try {
			return (boolean) Module.class.getMethod("isNativeAccessEnabled").invoke(module);
		}
		catch (ReflectiveOperationException ex) {
			return false;
		}
	}

}
