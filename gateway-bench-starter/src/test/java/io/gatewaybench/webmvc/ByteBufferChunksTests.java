package io.gatewaybench.webmvc;

import java.nio.ByteBuffer;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ByteBufferChunksTests {

	private final ByteBuffer memory = ByteBuffer.allocate(8);

	@Test
	void whatWasReadPieceByPieceIsOneBuffer() {
		ByteBuffer first = this.memory.duplicate().position(1).limit(3);
		ByteBuffer second = this.memory.duplicate().position(3).limit(4);
		assertThat(ByteBufferChunks.INSTANCE.join(first, second)).isSameAs(first);
		assertThat(first).isEqualTo(this.memory.duplicate().position(1).limit(4));
	}

	@Test
	void whatIsElsewhereStaysElsewhere() {
		ByteBuffer first = this.memory.duplicate().limit(3);
		assertThat(ByteBufferChunks.INSTANCE.join(first, this.memory.duplicate().position(4))).isNull();
		assertThat(ByteBufferChunks.INSTANCE.join(first, ByteBuffer.allocate(8).position(3))).isNull();
		assertThat(first.remaining()).isEqualTo(3);
	}

}
