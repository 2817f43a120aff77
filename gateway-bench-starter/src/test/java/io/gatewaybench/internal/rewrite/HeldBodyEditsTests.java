package io.gatewaybench.internal.rewrite;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Any edits over any chunks give what the same edits give over one array.
 */
class HeldBodyEditsTests {

	@ParameterizedTest
	@MethodSource("seeds")
	void editsOverChunksEqualEditsOverAnArray(long seed) {
		Random random = new Random(seed);
		List<Integer> chunkLengths = chunkLengths(random);
		List<Edit> edits = edits(random);
		int lag = random.nextInt(41);
		boolean settles = random.nextBoolean();
		boolean drainsEarly = random.nextBoolean();
		byte[] input = input(chunkLengths);
		CountingChunks chunks = new CountingChunks();
		HeldBody<ByteBuffer> body = new HeldBody<>(new EditSession(edits, lag, settles), chunks,
				HeldMemory.of(Long.MAX_VALUE), 0);
		List<byte[]> output = new ArrayList<>();
		int start = 0;
		for (int length : chunkLengths) {
			body.add(chunks.chunk(Arrays.copyOfRange(input, start, start + length)));
			start += length;
			if (drainsEarly) {
				output.add(chunks.drain(body));
			}
		}
		boolean left = output.stream().anyMatch((bytes) -> bytes.length > 0);
		body.end();
		output.add(chunks.drain(body));
		byte[] expected = expected(input, edits);
		assertThat(Bytes.join(output)).isEqualTo(expected);
		assertThat(body.exactLength()).isEqualTo(left ? -1 : expected.length);
		assertThat(chunks.live()).isZero();
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void aBodyReleasedAtAnyMomentLeavesNothingBehind(long seed) {
		Random random = new Random(seed);
		List<Integer> chunkLengths = chunkLengths(random);
		List<Edit> edits = edits(random);
		int lag = random.nextInt(41);
		int moment = random.nextInt(14);
		CountingChunks chunks = new CountingChunks();
		HeldBody<ByteBuffer> body = new HeldBody<>(new EditSession(edits, lag, true), chunks,
				HeldMemory.of(Long.MAX_VALUE), 0);
		for (int i = 0; i < chunkLengths.size(); i++) {
			if (i == moment) {
				body.release();
			}
			body.add(chunks.chunk(new byte[chunkLengths.get(i)]));
			if (i % 3 == 0) {
				chunks.drain(body);
			}
		}
		if (moment == 13) {
			body.end();
		}
		body.release();
		assertThat(chunks.live()).isZero();
	}

	static LongStream seeds() {
		return LongStream.range(0, 500);
	}

	private static List<Integer> chunkLengths(Random random) {
		return random.ints(random.nextInt(13), 0, 10).boxed().toList();
	}

	private static List<Edit> edits(Random random) {
		Kind[] kinds = Kind.values();
		return Stream.generate(() -> new Edit(kinds[random.nextInt(kinds.length)], random.nextInt(21)))
			.limit(random.nextInt(11))
			.toList();
	}

	private static byte[] input(List<Integer> chunkLengths) {
		byte[] input = new byte[chunkLengths.stream().mapToInt(Integer::intValue).sum()];
		for (int i = 0; i < input.length; i++) {
			input[i] = (byte) i;
		}
		return input;
	}

	private static byte[] expected(byte[] input, List<Edit> edits) {
		ByteArrayOutputStream output = new ByteArrayOutputStream();
		int position = 0;
		for (Edit edit : edits) {
			int length = Math.min(edit.length(), input.length - position);
			switch (edit.kind()) {
				case INSERT -> output.writeBytes(edit.inserted());
				case KEEP -> {
					output.write(input, position, length);
					position += length;
				}
				case DROP -> position += length;
			}
		}
		output.write(input, position, input.length - position);
		return output.toByteArray();
	}

	private enum Kind {

		KEEP, DROP, INSERT

	}

	private record Edit(Kind kind, int length) {

		byte[] inserted() {
			byte[] bytes = new byte[this.length];
			Arrays.fill(bytes, (byte) 'i');
			return bytes;
		}

	}

	/**
	 * Makes its edits as soon as enough bytes are there, some of them later by a lag, and
	 * keeps the rest.
	 */
	private static final class EditSession implements RewriteSession {

		private final Deque<Edit> edits;

		private final int lag;

		private final boolean settles;

		private long undecided;

		private @Nullable RewriteOutcome outcome;

		EditSession(List<Edit> edits, int lag, boolean settles) {
			this.edits = new ArrayDeque<>(edits);
			this.lag = lag;
			this.settles = settles;
		}

		@Override
		public void feed(ByteBuffer chunk, Edits target) {
			this.undecided += chunk.remaining();
			while (!this.edits.isEmpty() && this.edits.peek().length() + this.lag <= this.undecided) {
				apply(this.edits.remove(), target);
			}
			if (this.settles && this.edits.isEmpty()) {
				keepRest(target);
			}
		}

		@Override
		public void stream(Edits target) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void finish(Edits target) {
			this.edits.forEach((edit) -> apply(edit, target));
			keepRest(target);
		}

		@Override
		public @Nullable RewriteOutcome outcome() {
			return this.outcome;
		}

		private void apply(Edit edit, Edits target) {
			if (edit.kind() == Kind.INSERT) {
				target.insert(edit.inserted());
				return;
			}
			long length = Math.min(edit.length(), this.undecided);
			if (edit.kind() == Kind.KEEP) {
				target.keep(length);
			}
			else {
				target.drop(length);
			}
			this.undecided -= length;
		}

		private void keepRest(Edits target) {
			target.keep(this.undecided);
			this.outcome = RewriteOutcome.ADDED;
		}

	}

}
