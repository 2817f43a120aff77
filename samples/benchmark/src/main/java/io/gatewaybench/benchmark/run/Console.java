package io.gatewaybench.benchmark.run;

import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.gatewaybench.benchmark.result.Comparison;
import io.gatewaybench.benchmark.result.RunResults;

/**
 * Tells how far a run is. People see one line on a terminal, which is written again and
 * again, and a line every minute elsewhere.
 */
public final class Console implements AutoCloseable {

	private static final int USUAL_COLUMNS = 100;

	private static final double PLAIN_SECONDS = 60;

	// See https://invisible-island.net/xterm/ctlseqs/ctlseqs.html
	private static final String CLEAR_LINE = "\r\033[K";

	private final PrintStream out;

	private final boolean live;

	private final int columns;

	private final LongSupplier nanoTime;

	private @Nullable Long end;

	private long lastPlain;

	private String place = "";

	private String answer = "";

	/**
	 * A console.
	 * @param out where everything for people goes
	 * @param live whether that is a terminal
	 * @param columns how wide it is, 0 if that is not known
	 * @param nanoTime what time it is
	 */
	Console(PrintStream out, boolean live, int columns, LongSupplier nanoTime) {
		this.out = out;
		this.live = live;
		// Some terminals do not know, and say 0. In the last column some break the line
		this.columns = Math.min((columns > 0) ? columns - 1 : USUAL_COLUMNS, USUAL_COLUMNS);
		this.nanoTime = nanoTime;
		this.lastPlain = nanoTime.getAsLong();
	}

	/**
	 * A console on the standard error of {@code ./bench}, which tells in the system
	 * property {@code gateway-bench.terminal} whether that is a terminal, and in
	 * {@code gateway-bench.columns} how wide it is.
	 * @return the console, to be closed when there is nothing more to tell
	 */
	public static Console open() {
		boolean live = Boolean.getBoolean("gateway-bench.terminal") && canMoveTheCursor(System.getenv());
		return new Console(System.err, live, Integer.getInteger("gateway-bench.columns", 0), System::nanoTime);
	}

	/**
	 * A console that prints nothing.
	 * @return the console
	 */
	public static Console quiet() {
		return new Console(new PrintStream(OutputStream.nullOutputStream()), false, 0, System::nanoTime);
	}

	/**
	 * Whether the user's terminal is one on which a line can be written again.
	 * @param environment the environment variables
	 * @see <a href="https://no-color.org">NO_COLOR</a>
	 */
	static boolean canMoveTheCursor(Map<String, String> environment) {
		return !environment.getOrDefault("TERM", "dumb").equals("dumb")
				&& environment.getOrDefault("NO_COLOR", "").isEmpty();
	}

	/**
	 * Tells people something that stays.
	 * @param line one line
	 */
	public synchronized void say(String line) {
		this.out.println((this.live ? CLEAR_LINE : "") + line);
		this.out.flush();
	}

	/**
	 * The run begins. From now on, its progress says how much time is left.
	 * @param length how long it takes at most
	 */
	public synchronized void begin(Duration length) {
		this.end = this.nanoTime.getAsLong() + length.toNanos();
	}

	/**
	 * The next part of the run begins.
	 * @param where which one, such as {@code start 1 of 3}
	 */
	public synchronized void place(String where) {
		this.place = where;
	}

	/**
	 * Tells what goes on.
	 * @param what a few words
	 */
	public synchronized void progress(String what) {
		String line = left() + (this.place.isEmpty() ? "" : this.place + ": ") + what
				+ (this.answer.isEmpty() ? "" : " | " + this.answer);
		if (this.live) {
			this.out.print(CLEAR_LINE + line.substring(0, Math.min(line.length(), this.columns)));
			this.out.flush();
		}
		else if ((this.nanoTime.getAsLong() - this.lastPlain) / 1e9 >= PLAIN_SECONDS) {
			this.lastPlain = this.nanoTime.getAsLong();
			this.out.println(line.substring(0, Math.min(line.length(), this.columns)));
		}
	}

	private String left() {
		if (this.end == null) {
			return "";
		}
		long seconds = (this.end - this.nanoTime.getAsLong()) / 1_000_000_000;
		return (seconds < 0) ? "" : String.format(Locale.ROOT, "%d:%02d left, ", seconds / 60, seconds % 60);
	}

	/**
	 * Tells the answer as it is known until now.
	 * @param soFar the results until now
	 */
	synchronized void answer(RunResults soFar) {
		this.answer = soFar.answers()
			.stream()
			.map((each) -> each.variant() + " " + interval(each))
			.collect(Collectors.joining(", "));
	}

	private static String interval(Comparison each) {
		return String.format(Locale.ROOT, "%.2f (%.2f-%.2f)", each.ratio().estimate(), each.ratio().low(),
				each.ratio().high());
	}

	/**
	 * Removes the line. What is said afterwards is still told.
	 */
	@Override
	public synchronized void close() {
		if (this.live) {
			this.out.print(CLEAR_LINE);
			this.out.flush();
		}
	}

}
