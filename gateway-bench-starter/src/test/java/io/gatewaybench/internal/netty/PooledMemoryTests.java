package io.gatewaybench.internal.netty;

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
	void whereFreeingIsDearMemoryIsPooled() {
		assertThat(PooledMemory.isBetter(false)).isTrue();
		assertThat(PooledMemory.isBetter(true)).isFalse();
	}

	@Test
	void anAllocatorThatTheUserChoseIsUsed() {
		System.setProperty("io.netty.allocator.type", "adaptive");
		try {
			assertThat(PooledMemory.isBetter(false)).isFalse();
		}
		finally {
			System.clearProperty("io.netty.allocator.type");
		}
	}

	@Test
	void bothSidesOfTheGatewayCanHaveIt() {
		assertThat((Object) PooledMemory.pooled(HttpClient.create())
			.configuration()
			.options()
			.get(ChannelOption.ALLOCATOR)).isSameAs(PooledByteBufAllocator.DEFAULT);
		assertThat((Object) PooledMemory.pooled(HttpServer.create())
			.configuration()
			.childOptions()
			.get(ChannelOption.ALLOCATOR)).isSameAs(PooledByteBufAllocator.DEFAULT);
	}

}
