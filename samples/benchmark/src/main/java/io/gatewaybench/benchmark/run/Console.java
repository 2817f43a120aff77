package io.gatewaybench.benchmark.run;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import io.gatewaybench.benchmark.engine.Progress;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Tells the user how far the run is: a progress bar on a terminal, a line every ten
 * seconds elsewhere.
 */
public final class Console {

	private static final int PLAIN_INTERVAL_SECONDS = 10;

	private static final int WIDTH = 130;

	private static final Duration SECOND = Duration.ofSeconds(1);

	private final PrintStream out;

	private final boolean terminal;

	private final Pause pause;

	private volatile @Nullable Long end;

	/**
	 * A console.
	 * @param out where everything goes
	 * @param terminal whether that is a terminal, on which a line can be drawn again
	 */
	public Console(PrintStream out, boolean terminal) {
		this(out, terminal, Thread::sleep);
	}

	Console(PrintStream out, boolean terminal, Pause pause) {
		this.out = out;
		this.terminal = terminal;
		this.pause = pause;
	}

	/**
	 * Tells something.
	 * @param line one line
	 */
	public void say(String line) {
		this.out.println(line);
	}

	/**
	 * The run, or its last part, begins. From now on, everything that is told of its
	 * progress says how much time is left.
	 * @param length how long it takes at most
	 */
	public void begin(Duration length) {
		this.end = System.nanoTime() + length.toNanos();
	}

	private String left() {
		Long known = this.end;
		if (known == null) {
			return "";
		}
		long seconds = Math.max(0, TimeUnit.NANOSECONDS.toSeconds(known - System.nanoTime()));
		return String.format(Locale.ROOT, "; run: %d:%02d left at most", seconds / 60, seconds % 60);
	}

	/**
	 * Begins to tell how far something is.
	 * @param name what it is
	 * @param length how long it takes
	 * @return to be told every second, and closed at the end
	 */
	public Task task(String name, Duration length) {
		return new Task(name, length, true);
	}

	/**
	 * Something that happens at the same time as something else, whose progress would be
	 * drawn over the other's.
	 */
	Task silent() {
		return new Task("", Duration.ZERO, false);
	}

	/**
	 * Waits.
	 */
	@FunctionalInterface
	interface Pause {

		void last(Duration length) throws InterruptedException;

	}

	/**
	 * Something that takes a known time.
	 */
	public final class Task implements AutoCloseable {

		private final String name;

		private final boolean shown;

		private final long seconds;

		private final @Nullable ProgressBar bar;

		private volatile long elapsed;

		private Task(String name, Duration length, boolean shown) {
			this.name = name;
			this.shown = shown;
			this.seconds = length.toSeconds();
			this.bar = (shown && Console.this.terminal) ? bar(length) : null;
		}

		private ProgressBar bar(Duration length) {
			return new ProgressBarBuilder().setTaskName(this.name)
				.setInitialMax(length.toSeconds())
				.setStyle(ProgressBarStyle.ASCII)
				.setUpdateIntervalMillis(500)
				.setConsumer(new ConsoleProgressBarConsumer(Console.this.out, WIDTH))
				.setEtaFunction((state) -> Optional.of(Duration.ofSeconds(this.seconds - this.elapsed)))
				.build();
		}

		/**
		 * Another second of a load is over.
		 * @param progress what it brought
		 */
		public void on(Progress progress) {
			at(this.elapsed + 1, String.format(Locale.ROOT, "%s %.0f %%, %d req/s, %d errors", progress.stage(),
					progress.done() * 100, progress.ok(), progress.errors()));
		}

		/**
		 * Waits while nothing is sent.
		 * @param length how long
		 * @throws InterruptedException if the thread was interrupted
		 */
		public void rest(Duration length) throws InterruptedException {
			Duration left = length;
			while (left.compareTo(SECOND) >= 0) {
				Console.this.pause.last(SECOND);
				left = left.minus(SECOND);
				at(this.elapsed + 1, "rest");
			}
			Console.this.pause.last(left);
		}

		private void at(long second, String what) {
			this.elapsed = Math.min(second, this.seconds);
			if (this.bar != null) {
				this.bar.stepTo(this.elapsed);
				this.bar.setExtraMessage(" " + what + left());
			}
			else if (this.shown && second > 0 && second % PLAIN_INTERVAL_SECONDS == 0) {
				say(this.name + ": " + this.elapsed + " of " + this.seconds + " s, " + what + left());
			}
		}

		@Override
		public void close() {
			if (this.bar != null) {
				this.bar.close();
			}
		}

	}

}
