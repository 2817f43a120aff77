package io.gatewaybench.webflux;

import java.nio.charset.StandardCharsets;

import io.gatewaybench.internal.rewrite.BodyRewriter;
import io.gatewaybench.internal.rewrite.HeldBody;
import io.gatewaybench.internal.rewrite.RewriteSettings;
import io.gatewaybench.rewrite.Engine;
import io.gatewaybench.rewrite.GatewayMetadata;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.junit.jupiter.api.Test;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.NettyDataBufferFactory;

import static org.assertj.core.api.Assertions.assertThat;

class DataBufferChunksTests {

	private static final int LENGTH = 200_000;

	private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(true);

	private final NettyDataBufferFactory factory = new NettyDataBufferFactory(this.memory);

	@Test
	void aBodyInManySmallPiecesNeedsLittleMoreThanItsLength() {
		String json = "{\"k\":\"" + "x".repeat(LENGTH) + "\"}";
		HeldBody<DataBuffer> body = BodyRewriter
			.of(new RewriteSettings("_gateway", Engine.SPLICE, 2 * LENGTH, GatewayMetadata.of("WebFlux", () -> 1)))
			.begin(new DataBufferChunks(this.factory), -1);
		for (byte single : json.getBytes(StandardCharsets.US_ASCII)) {
			body.add(this.factory.allocateBuffer(1).write(single));
		}
		assertThat(this.memory.metric().usedDirectMemory()).isLessThan(LENGTH * 3 / 2);
		body.end();
		StringBuilder text = new StringBuilder();
		int pieces = 0;
		for (DataBuffer piece = body.poll(); piece != null; piece = body.poll()) {
			text.append(piece.toString(StandardCharsets.US_ASCII));
			DataBufferUtils.release(piece);
			pieces++;
		}
		assertThat(text).startsWith(json.substring(0, json.length() - 1)).endsWith("}}");
		assertThat(pieces).isLessThan(LENGTH / 500);
		assertThat(this.memory.metric().usedDirectMemory()).isZero();
	}

	@Test
	void largePiecesAreNotCopied() {
		NettyDataBufferFactory pooled = new NettyDataBufferFactory(PooledByteBufAllocator.DEFAULT);
		DataBufferChunks chunks = new DataBufferChunks(pooled);
		DataBuffer small = pooled.allocateBuffer(100).write(new byte[100]);
		DataBuffer large = pooled.allocateBuffer(1000).write(new byte[1000]);
		assertThat(chunks.join(small, large)).isNull();
		assertThat(chunks.join(large, small)).isNull();
		DataBufferUtils.release(small);
		DataBufferUtils.release(large);
	}

}
