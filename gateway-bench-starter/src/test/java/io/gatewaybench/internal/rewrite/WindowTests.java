package io.gatewaybench.internal.rewrite;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WindowTests {

	/** One for all, so that what is left of longer bytes follows the shorter ones. */
	private final Window window = new Window();

	@Test
	void plainTextEndsWhereItEndsByteByByte() {
		assertEnds(this.window::textEnd, 'a', (b) -> b >= ' ' && b < 0x80 && b != '"' && b != '\\');
	}

	@Test
	void digitsEndWhereTheyEndByteByByte() {
		assertEnds(this.window::digitsEnd, '5', (b) -> b >= '0' && b <= '9');
	}

	@Test
	void spacesEndWhereTheyEndByteByByte() {
		assertEnds(this.window::spacesEnd, ' ', (b) -> b == ' ');
	}

	@Test
	void nobodyGetsAWindowThatIsInUse() {
		Window first = Window.take();
		Window second = Window.take();
		assertThat(second).isNotSameAs(first);
		first.giveBack();
		assertThat(Window.take()).isNotSameAs(Window.take());
	}

	/**
	 * Every byte at every place of a run, then random neighbours, which might borrow.
	 */
	private void assertEnds(IntUnaryOperator run, char inside, IntPredicate continues) {
		byte[] bytes = new byte[45];
		for (int value = 0; value < 256; value++) {
			for (int place = 0; place < bytes.length; place++) {
				Arrays.fill(bytes, (byte) inside);
				bytes[place] = (byte) value;
				assertEnd(run, bytes, 0, bytes.length, continues);
			}
		}
		long seed = System.nanoTime();
		SplittableRandom random = new SplittableRandom(seed);
		for (int i = 0; i < 100_000; i++) {
			for (int j = 0; j < bytes.length; j++) {
				bytes[j] = (byte) ((random.nextInt(12) == 0) ? random.nextInt(256) : inside + random.nextInt(3) - 1);
			}
			int from = random.nextInt(bytes.length + 1);
			assertEnd(run, bytes, from, from + random.nextInt(bytes.length - from + 1), continues);
		}
	}

	private void assertEnd(IntUnaryOperator run, byte[] bytes, int from, int to, IntPredicate continues) {
		int expected = from;
		while (expected < to && continues.test(bytes[expected] & 0xff)) {
			expected++;
		}
		this.window.load(ByteBuffer.wrap(bytes), 0, to);
		if (run.applyAsInt(from) != expected) {
			assertThat(run.applyAsInt(from)).as("%s from %s to %s", bytes, from, to).isEqualTo(expected);
		}
	}

	@Test
	void aWindowIsAFullOneAtMost() {
		byte[] bytes = Bytes.of("a".repeat(3 * Window.SIZE));
		bytes[Window.SIZE] = '"';
		this.window.load(ByteBuffer.wrap(bytes), 1, Window.SIZE);
		assertThat(this.window.bytes).startsWith('a').contains(0, Window.SIZE);
		assertThat(this.window.textEnd(0)).isEqualTo(Window.SIZE - 1);
		assertThat(this.window.textEnd(Window.SIZE)).isEqualTo(Window.SIZE);
		this.window.load(ByteBuffer.wrap(bytes).asReadOnlyBuffer(), 7, 3);
		assertThat(this.window.bytes).startsWith('a', 'a', 'a', 0);
	}

}
