package io.gatewaybench.internal.rewrite;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import io.gatewaybench.rewrite.Engine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class HeldMemoryTests {

	private final CountingChunks chunks = new CountingChunks();

	private final HeldMemory memory = HeldMemory.of(20_000);

	@AfterEach
	void everythingIsGivenBack() {
		assertThat(this.memory.taken()).isZero();
		assertThat(this.chunks.live()).isZero();
	}

	@Test
	void aBodyOfKnownLengthTakesAllOfItAtOnce() {
		HeldBody<ByteBuffer> body = begin(Engine.SPLICE, 12_000);
		assertThat(body.isWhole()).isTrue();
		assertThat(this.memory.taken()).isEqualTo(12_000);
		body.release();
	}

	@Test
	void aBodyThatFindsNoRoomIsStreamed() {
		HeldBody<ByteBuffer> first = begin(Engine.SPLICE, 12_000);
		HeldBody<ByteBuffer> second = begin(Engine.SPLICE, 12_000);
		assertThat(second.isWhole()).isFalse();
		second.add(this.chunks.chunk("{\"a\":1,\"_gateway\":2,"));
		assertThat(text(second)).isEqualTo("{\"a\":1,\"_gateway\":" + Rewritten.VALUE + ",");
		second.add(this.chunks.chunk("\"b\":3}"));
		second.end();
		assertThat(text(second)).isEqualTo("\"b\":3}");
		assertThat(second.outcome()).isEqualTo(RewriteOutcome.REPLACED);
		assertThat(this.memory.taken()).isEqualTo(12_000);
		first.end();
	}

	@Test
	void aBodyOfUnknownLengthIsStreamedFromWhereItFindsNoRoom() {
		HeldBody<ByteBuffer> body = begin(Engine.SPLICE, -1);
		body.add(this.chunks.chunk("{\"a\":"));
		assertThat(text(body)).isEmpty();
		String value = "\"" + "x".repeat(17_000) + "\"";
		body.add(this.chunks.chunk(value));
		assertThat(text(body)).isEqualTo("{\"a\":" + value);
		body.add(this.chunks.chunk("}"));
		body.end();
		assertThat(text(body)).isEqualTo("," + Rewritten.FIELD + "}");
	}

	@ParameterizedTest
	@EnumSource(names = { "JACKSON2", "JACKSON3" })
	void aTreeIsNotBuiltWithoutRoom(Engine engine) {
		HeldBody<ByteBuffer> body = begin(engine, 20_001);
		body.add(this.chunks.chunk("{}"));
		assertThat(text(body)).isEqualTo("{}");
		assertThat(body.outcome()).isEqualTo(RewriteOutcome.TOO_LARGE);
		body.end();
	}

	@Test
	void thereIsNoLessThanNothing() {
		assertThatIllegalArgumentException().isThrownBy(() -> HeldMemory.of(-1)).withMessageContaining("-1");
	}

	private HeldBody<ByteBuffer> begin(Engine engine, long length) {
		return Rewritten.rewriter(engine, 100_000).within(this.memory).begin(this.chunks, length);
	}

	private String text(HeldBody<ByteBuffer> body) {
		return new String(this.chunks.drain(body), StandardCharsets.UTF_8);
	}

}
