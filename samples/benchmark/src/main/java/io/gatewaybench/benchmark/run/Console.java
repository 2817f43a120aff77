package io.gatewaybench.benchmark.run;

import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.gatewaybench.benchmark.engine.Progress;
import io.gatewaybench.benchmark.plan.Stage;
import org.jspecify.annotations.Nullable;

/**
 * Tells how far a run is. People see a view of a few lines on a terminal, which is drawn
 * again every second, and a line every ten seconds elsewhere. Programs get events.
 */
public final class Console implements AutoCloseable {

	private static final int LIVE_SECONDS = 1;

	private static final int PLAIN_SECONDS = 10;

	// One for each second
	private static final int RATES = 30;

	private final PrintStream out;

	private final @Nullable LiveView view;

	private final Consumer<RunEvent> events;

	private final LongSupplier nanoTime;

	private final Pause pause;

	private final List<Task> tasks = new ArrayList<>();

	private @Nullable ScheduledExecutorService ticker;

	private @Nullable Long end;

	/**
	 * A console without a thread of its own. It draws when it is told something, and in
	 * {@link #tick()}.
	 * @param out where everything for people goes
	 * @param view draws on it, {@code null} for lines
	 * @param events gets every event
	 * @param nanoTime what time it is
	 * @param pause waits
	 */
	Console(PrintStream out, @Nullable LiveView view, Consumer<RunEvent> events, LongSupplier nanoTime, Pause pause) {
		this.out = out;
		this.view = view;
		this.events = events;
		this.nanoTime = nanoTime;
		this.pause = pause;
	}

	/**
	 * A console on the standard error of {@code ./bench}, which tells in the system
	 * property {@code gateway-bench.terminal} whether that is a terminal, and in
	 * {@code gateway-bench.columns} how wide it is.
	 * @param events gets every event
	 * @return the console, to be closed when there is nothing more to tell
	 */
	public static Console open(Consumer<RunEvent> events) {
		boolean live = Boolean.getBoolean("gateway-bench.terminal") && canMoveTheCursor(System.getenv());
		int columns = Integer.getInteger("gateway-bench.columns", 0);
		Console console = new Console(System.err, live ? new LiveView(System.err, columns) : null, events,
				System::nanoTime, Thread::sleep);
		console.tickEvery(live ? LIVE_SECONDS : PLAIN_SECONDS);
		return console;
	}

	/**
	 * A console that prints nothing and passes no event on, so it costs nothing.
	 * @return the console
	 */
	public static Console quiet() {
		return new Console(new PrintStream(OutputStream.nullOutputStream()), null, (event) -> {
		}, System::nanoTime, Thread::sleep);
	}

	/**
	 * Whether the user's terminal is one on which lines can be drawn again.
	 * @param environment the environment variables
	 * @see <a href="https://no-color.org">NO_COLOR</a>
	 */
	static boolean canMoveTheCursor(Map<String, String> environment) {
		return !environment.getOrDefault("TERM", "dumb").equals("dumb")
				&& environment.getOrDefault("NO_COLOR", "").isEmpty();
	}

	private void tickEvery(int seconds) {
		this.ticker = Executors
			.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().name("console").factory());
		// Not at a fixed rate: after a pause of the process, it would make up for every
		// drawing that it missed
		this.ticker.scheduleWithFixedDelay(this::tick, seconds, seconds, TimeUnit.SECONDS);
	}

	/**
	 * Shows how far everything is.
	 */
	synchronized void tick() {
		if (this.view != null) {
			this.view.draw("", lines(this.view));
		}
		else {
			this.tasks.forEach((task) -> this.out.println(task.line() + ((this.end != null) ? "; " + left() : "")));
		}
	}

	/**
	 * Tells people something.
	 * @param line one line
	 */
	public synchronized void say(String line) {
		if (this.view != null) {
			this.view.draw(line + "\n", lines(this.view));
		}
		else {
			this.out.println(line);
		}
	}

	/**
	 * Tells programs something.
	 * @param event what happened
	 */
	public synchronized void tell(RunEvent event) {
		this.events.accept(event);
	}

	/**
	 * The run, or its last part, begins. From now on, everything that is told of its
	 * progress says how much time is left.
	 * @param length how long it takes at most
	 */
	public synchronized void begin(Duration length) {
		this.end = this.nanoTime.getAsLong() + length.toNanos();
	}

	private String left() {
		if (this.end == null) {
			return "";
		}
		long seconds = TimeUnit.NANOSECONDS.toSeconds(this.end - this.nanoTime.getAsLong());
		return (seconds < 0) ? "run: takes longer than planned"
				: String.format(Locale.ROOT, "run: %d:%02d left at most", seconds / 60, seconds % 60);
	}

	private List<String> lines(LiveView live) {
		List<String> lines = new ArrayList<>();
		this.tasks.forEach((task) -> task.addLines(lines, live));
		if (this.end != null) {
			lines.add(left());
		}
		return lines;
	}

	/**
	 * Begins to tell how far something is.
	 * @param name what it is
	 * @return the task, which has to be told what happens, and closed at the end
	 */
	public synchronized Task task(String name) {
		Task task = new Task(name);
		this.tasks.add(task);
		return task;
	}

	/**
	 * Removes the view. What is said afterwards is still told.
	 */
	@Override
	public synchronized void close() {
		if (this.ticker != null) {
			this.ticker.shutdownNow();
		}
		this.tasks.clear();
		this.end = null;
		if (this.view != null) {
			this.view.draw("", List.of());
		}
	}

	/**
	 * Waits.
	 */
	@FunctionalInterface
	interface Pause {

		void last(Duration length) throws InterruptedException;

	}

	/**
	 * Something that takes a while and has phases: the start of a gateway, the loads that
	 * are sent to it, and the rests between them.
	 */
	public final class Task implements AutoCloseable {

		private String name;

		private String phase = "start";

		private long begin = Console.this.nanoTime.getAsLong();

		private @Nullable Stage stage;

		private double done;

		private long errors;

		private @Nullable Progress last;

		private Supplier<@Nullable Double> cores = () -> null;

		private final Deque<Long> rates = new ArrayDeque<>();

		private Task(String name) {
			this.name = name;
		}

		/**
		 * The next part of it begins.
		 * @param part what it is
		 */
		void part(String part) {
			synchronized (Console.this) {
				this.name = part;
			}
		}

		/**
		 * Tells programs something.
		 * @param event what happened
		 */
		void tell(RunEvent event) {
			Console.this.tell(event);
		}

		/**
		 * From now on the CPU time of what is measured is shown.
		 * @param used seconds of CPU time per second, {@code null} while not known
		 */
		void cores(Supplier<@Nullable Double> used) {
			synchronized (Console.this) {
				this.cores = used;
			}
		}

		/**
		 * A load begins.
		 * @param what what it is for
		 * @param load the load
		 * @return gets the progress of every second, if the engine tells it
		 */
		public Consumer<Progress> begin(String what, Stage load) {
			synchronized (Console.this) {
				this.phase = what;
				this.begin = Console.this.nanoTime.getAsLong();
				this.stage = load;
				this.done = 0;
				this.errors = 0;
			}
			return this::on;
		}

		private void on(Progress second) {
			synchronized (Console.this) {
				this.last = second;
				this.done = second.done();
				this.errors += second.errors();
				if (this.rates.size() == RATES) {
					this.rates.removeFirst();
				}
				this.rates.addLast(second.ok());
			}
		}

		/**
		 * Waits while nothing is sent.
		 * @param length how long
		 * @throws InterruptedException if the thread was interrupted
		 */
		public void rest(Duration length) throws InterruptedException {
			synchronized (Console.this) {
				this.phase = "rest";
				this.begin = Console.this.nanoTime.getAsLong();
				this.stage = null;
			}
			Console.this.pause.last(length);
		}

		private String line() {
			Progress known = this.last;
			return this.name + ": " + phase() + ((this.stage != null && known != null) ? ", " + figures(known) : "");
		}

		private void addLines(List<String> lines, LiveView live) {
			lines.add(this.name);
			lines.add(phase());
			Progress known = this.last;
			if (known != null) {
				lines.add(figures(known));
				lines.add(live.sparkline(this.rates));
			}
		}

		private String phase() {
			long seconds = TimeUnit.NANOSECONDS.toSeconds(Console.this.nanoTime.getAsLong() - this.begin);
			if (this.stage == null) {
				return this.phase + ", " + seconds + " s";
			}
			if (this.stage.iterations() > 0) {
				return String.format(Locale.ROOT, "%s, %.0f %%", this.phase, this.done * 100);
			}
			long length = this.stage.duration().toSeconds();
			return this.phase + ", " + Math.min(seconds, length) + " of " + length + " s";
		}

		private String figures(Progress second) {
			Double known = this.cores.get();
			return String.format(Locale.ROOT, "%,d req/s, %,d errors", second.ok(), this.errors)
					+ ((second.p99Ms() != null) ? String.format(Locale.ROOT, ", P99 %.1f ms", second.p99Ms()) : "")
					+ ((known != null) ? String.format(Locale.ROOT, ", %.2f cores", known) : "");
		}

		@Override
		public void close() {
			synchronized (Console.this) {
				Console.this.tasks.remove(this);
			}
		}

	}

}
