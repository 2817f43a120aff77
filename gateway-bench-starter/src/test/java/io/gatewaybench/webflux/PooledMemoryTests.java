package io.gatewaybench.webflux;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;

import static org.assertj.core.api.Assertions.assertThat;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
class PooledMemoryTests {

	@Test
	void bothSidesOfTheGatewayKeepTheirMemory() {
		assertThat(client()).isSameAs(PooledByteBufAllocator.DEFAULT);
		assertThat(server()).isSameAs(PooledByteBufAllocator.DEFAULT);
	}

	@Test
	void anAllocatorThatTheUserChoseIsUsed() {
		System.setProperty("io.netty.allocator.type", "adaptive");
		try {
			assertThat(client()).isNull();
			assertThat(server()).isNull();
		}
		finally {
			System.clearProperty("io.netty.allocator.type");
		}
	}

	private static Object client() {
		return PooledMemory.of(HttpClient.create()).configuration().options().get(ChannelOption.ALLOCATOR);
	}

	private static Object server() {
		return PooledMemory.of(HttpServer.create()).configuration().childOptions().get(ChannelOption.ALLOCATOR);
	}

}
