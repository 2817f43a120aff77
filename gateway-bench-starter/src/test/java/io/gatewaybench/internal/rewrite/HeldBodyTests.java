package io.gatewaybench.internal.rewrite;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class HeldBodyTests {

	private static final Consumer<Edits> NOTHING = (edits) -> {
	};

	private final CountingChunks chunks = new CountingChunks();

	@AfterEach
	void nothingIsLeaked() {
		assertThat(this.chunks.live()).isZero();
	}

	@Test
	void whatIsUndecidedStaysUntilTheEnd() {
		HeldBody<ByteBuffer> body = body(NOTHING, (edits) -> edits.keep(6));
		add(body, "abc", "def");
		assertThat(body.poll()).isNull();
		assertThat(body.isEnded()).isFalse();
		body.end();
		assertThat(body.isEnded()).isTrue();
		assertThat(body.exactLength()).isEqualTo(6);
		assertThat(drain(body)).isEqualTo("abcdef");
		assertThat(body.exactLength()).isEqualTo(6);
	}

	@Test
	void editsMayCrossChunks() {
		HeldBody<ByteBuffer> body = body(NOTHING, (edits) -> {
			edits.keep(1);
			edits.insert(Bytes.of("<"));
			edits.drop(4);
			edits.insert(Bytes.of(">"));
			edits.keep(4);
		});
		add(body, "abc", "def", "ghi");
		body.end();
		assertThat(body.exactLength()).isEqualTo(7);
		assertThat(drain(body)).isEqualTo("a<>fghi");
	}

	@Test
	void chunksThatAreKeptWholeAreHandedOutAsTheyAre() {
		HeldBody<ByteBuffer> body = body(NOTHING, (edits) -> {
			edits.keep(6);
			edits.insert(Bytes.of("!"));
		});
		ByteBuffer first = this.chunks.chunk("abc");
		ByteBuffer second = this.chunks.chunk("def");
		body.add(first);
		body.add(second);
		body.end();
		assertThat(body.poll()).isSameAs(first);
		assertThat(body.poll()).isSameAs(second);
		assertThat(drain(body)).isEqualTo("!");
		this.chunks.release(first);
		this.chunks.release(second);
	}

	@Test
	void whatIsDecidedMayLeaveBeforeTheEnd() {
		HeldBody<ByteBuffer> body = body((edits) -> edits.keep(2), (edits) -> edits.keep(2));
		add(body, "abc");
		assertThat(drain(body)).isEqualTo("ab");
		add(body, "def");
		assertThat(drain(body)).isEqualTo("cd");
		body.end();
		assertThat(body.exactLength()).isEqualTo(-1);
		assertThat(drain(body)).isEqualTo("ef");
	}

	@Test
	void theExactLengthIsUnknownBeforeTheEnd() {
		HeldBody<ByteBuffer> body = body((edits) -> edits.keep(3), NOTHING);
		add(body, "abc");
		assertThat(body.exactLength()).isEqualTo(-1);
		body.end();
		assertThat(body.exactLength()).isEqualTo(3);
		body.release();
	}

	@Test
	void whatIsDroppedIsReleasedAtOnce() {
		HeldBody<ByteBuffer> body = body((edits) -> edits.drop(3), (edits) -> edits.insert(Bytes.of("x")));
		add(body, "abc", "def");
		assertThat(this.chunks.live()).isZero();
		body.end();
		assertThat(drain(body)).isEqualTo("x");
	}

	@Test
	void onceTheOutcomeIsKnownTheSessionIsNotAskedAnyMore() {
		ScriptedSession session = new ScriptedSession((edits) -> {
			throw new AssertionError("fed");
		}, (edits) -> {
			throw new AssertionError("finished");
		}).outcome(RewriteOutcome.UNCHANGED);
		HeldBody<ByteBuffer> body = new HeldBody<>(session, this.chunks, HeldMemory.of(Long.MAX_VALUE), 0);
		add(body, "abc");
		assertThat(drain(body)).isEqualTo("abc");
		body.end();
		assertThat(body.outcome()).isEqualTo(RewriteOutcome.UNCHANGED);
	}

	@Test
	void emptyChunksAndEmptyInsertsDontLeave() {
		HeldBody<ByteBuffer> body = body((edits) -> {
			throw new AssertionError("fed with nothing");
		}, (edits) -> edits.insert(new byte[0]));
		add(body, "", "");
		body.end();
		assertThat(body.exactLength()).isZero();
		assertThat(body.poll()).isNull();
	}

	@Test
	void releaseReleasesWhatIsReadyAndWhatIsUndecidedOnce() {
		HeldBody<ByteBuffer> body = body((edits) -> edits.keep(2), NOTHING);
		add(body, "abc", "def");
		body.release();
		assertThat(this.chunks.live()).isZero();
		body.release();
	}

	@Test
	void afterReleaseNothingComesOutAndNothingStays() {
		HeldBody<ByteBuffer> body = body((edits) -> edits.keep(3), (edits) -> {
			throw new AssertionError("finished");
		});
		add(body, "abc");
		body.release();
		assertThat(body.poll()).isNull();
		add(body, "def");
		body.end();
		assertThat(body.isEnded()).isTrue();
		assertThat(body.poll()).isNull();
		assertThat(body.exactLength()).isEqualTo(-1);
	}

	@Test
	void releaseAfterTheEndReleasesWhatHasNotLeft() {
		HeldBody<ByteBuffer> body = body(NOTHING, (edits) -> edits.keep(6));
		add(body, "abc", "def");
		body.end();
		ByteBuffer first = body.poll();
		assertThat(first).isNotNull();
		body.release();
		assertThat(this.chunks.live()).isEqualTo(1);
		this.chunks.release(first);
		add(body, "too late");
	}

	@Test
	void aSecondEndIsIgnored() {
		HeldBody<ByteBuffer> body = body(NOTHING, (edits) -> edits.insert(Bytes.of("x")));
		body.end();
		body.end();
		assertThat(drain(body)).isEqualTo("x");
	}

	@Test
	void aChunkAfterTheEndIsRefusedAndReleased() {
		HeldBody<ByteBuffer> body = body(NOTHING, NOTHING);
		body.end();
		assertThatIllegalStateException().isThrownBy(() -> add(body, "abc"))
			.withMessage("A chunk follows the end of the body");
	}

	@Test
	void aSessionThatFailsLeavesNothingBehind() {
		RuntimeException failure = new RuntimeException("broken");
		HeldBody<ByteBuffer> fed = body((edits) -> {
			edits.keep(1);
			throw failure;
		}, NOTHING);
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> add(fed, "abc")).isSameAs(failure);
		assertThat(this.chunks.live()).isZero();
		HeldBody<ByteBuffer> finished = body(NOTHING, (edits) -> {
			edits.keep(1);
			throw failure;
		});
		add(finished, "abc");
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(finished::end).isSameAs(failure);
	}

	@Test
	void aSessionThatDecidesTooMuchIsStopped() {
		HeldBody<ByteBuffer> body = body((edits) -> edits.keep(4), NOTHING);
		assertThatIllegalStateException().isThrownBy(() -> add(body, "abc"))
			.withMessageEndingWith("decided more bytes than it was fed");
	}

	@Test
	void aSessionThatDecidesTooLittleIsStopped() {
		HeldBody<ByteBuffer> body = body(NOTHING, (edits) -> edits.keep(2));
		add(body, "abc");
		assertThatIllegalStateException().isThrownBy(body::end)
			.withMessageEndingWith("undecided at the end of the body");
	}

	private HeldBody<ByteBuffer> body(Consumer<Edits> onFeed, Consumer<Edits> onFinish) {
		return new HeldBody<>(new ScriptedSession(onFeed, onFinish), this.chunks, HeldMemory.of(Long.MAX_VALUE), 0);
	}

	private void add(HeldBody<ByteBuffer> body, String... parts) {
		for (String part : parts) {
			body.add(this.chunks.chunk(part));
		}
	}

	private String drain(HeldBody<ByteBuffer> body) {
		return new String(this.chunks.drain(body), StandardCharsets.UTF_8);
	}

}
