package io.gatewaybench.benchmark.load;

import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

import com.sun.management.OperatingSystemMXBean;
import org.jspecify.annotations.Nullable;

/**
 * One stage from the opening of its connections to the end of its drain. Used by the
 * event loop only.
 */
final class StageRun {

	private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

	private static final String DRAINED = "still under way when the drain of the stage was over";

	private static final String CANCELLED = "still under way when the stage was cut short";

	private final LoadPlan plan;

	private final Stage stage;

	private final ConnectionPool pool;

	private final Timers timers;

	private final RequestMix mix;

	private final SplittableRandom random;

	private final long shortestSleepNanos;

	private final IntConsumer progress;

	private final Consumer<StageResult> done;

	private final List<Future<?>> scheduled = new ArrayList<>();

	private long openedBefore;

	private long reconnectsBefore;

	private @Nullable StageTraffic traffic;

	private @Nullable StageRecorder recorder;

	private Instant startTime = Instant.EPOCH;

	private long start;

	private long cpuAtStart;

	private int secondsTold;

	private boolean finished;

	StageRun(LoadPlan plan, Stage stage, ConnectionPool pool, Timers timers, RequestMix mix, SplittableRandom random,
			Transport transport, IntConsumer progress, Consumer<StageResult> done) {
		this.plan = plan;
		this.stage = stage;
		this.pool = pool;
		this.timers = timers;
		this.mix = mix;
		this.random = random;
		this.shortestSleepNanos = transport.shortestSleepNanos();
		this.progress = progress;
		this.done = done;
	}

	void start() {
		this.openedBefore = this.pool.opened();
		this.reconnectsBefore = this.pool.reconnects();
		this.pool.limit(this.plan.total(this.stage));
		OpeningTraffic opening = new OpeningTraffic(this.pool, () -> this.timers.soon(this::begin));
		this.pool.use(opening);
		opening.start();
	}

	private void begin() {
		if (this.finished || this.recorder != null) {
			return;
		}
		StageRecorder newRecorder = startClock();
		this.scheduled.add(this.timers.every(NANOS_PER_SECOND, this::tellSecond));
		this.scheduled.add(this.timers.after(this.stage.sending().toNanos(), this::endWindow));
		StageTraffic newTraffic = newTraffic(newRecorder);
		this.traffic = newTraffic;
		this.pool.use(newTraffic);
		newTraffic.start();
	}

	private StageRecorder startClock() {
		this.cpuAtStart = cpuNanos();
		this.startTime = Instant.now();
		this.start = System.nanoTime();
		StageRecorder newRecorder = new StageRecorder(this.plan, this.stage, this.start);
		this.recorder = newRecorder;
		return newRecorder;
	}

	private StageTraffic newTraffic(StageRecorder newRecorder) {
		return (this.stage.rate() > 0)
				? new OpenTraffic(this.plan, this.stage, this.pool, this.timers, newRecorder, this.mix, this.random,
						this.start, this.shortestSleepNanos)
				: new ClosedTraffic(this.plan, this.stage, this.pool, this.timers, newRecorder, this.mix, this.random,
						this.start, this::usersDone);
	}

	private void tellSecond() {
		int over = (int) (sinceLead() / NANOS_PER_SECOND);
		while (this.secondsTold < over) {
			this.progress.accept(this.secondsTold++);
		}
	}

	private void endWindow() {
		tellSecond();
		this.scheduled.add(this.timers.after(this.plan.timeouts().response().toNanos(), this::endDrain));
		if (this.traffic != null) {
			this.traffic.end(() -> this.timers.soon(this::finish));
		}
	}

	// The window ends with the last response, so that throughput is that of the requests
	private void usersDone() {
		long windowNanos = sinceLead();
		this.timers.soon(() -> finish(windowNanos, true));
	}

	private long sinceLead() {
		return System.nanoTime() - this.start - this.stage.lead().toNanos();
	}

	private void endDrain() {
		this.pool.expire();
		abandon(DRAINED);
		finish();
	}

	private void abandon(String reason) {
		this.pool.use(Traffic.NONE);
		if (this.traffic != null) {
			this.traffic.abandon(reason);
			this.pool.abortBusy(reason);
		}
	}

	private void finish() {
		finish(this.stage.duration().toNanos(), true);
	}

	/**
	 * Ends the stage now, with what was measured so far. That is nothing if its
	 * connections are still being opened.
	 */
	void cancel() {
		if (!this.finished) {
			StageRecorder known = this.recorder;
			if (known == null) {
				startClock();
			}
			long windowNanos = (known != null) ? Math.max(0, sinceLead()) : 0;
			abandon(CANCELLED);
			finish(Math.min(windowNanos, this.stage.duration().toNanos()), false);
		}
	}

	private void finish(long windowNanos, boolean complete) {
		StageRecorder known = this.recorder;
		if (this.finished || known == null) {
			return;
		}
		this.finished = true;
		this.pool.use(Traffic.NONE);
		this.scheduled.forEach((future) -> future.cancel(false));
		double seconds = seconds(windowNanos);
		GeneratorStats generator = new GeneratorStats(known.lag(), seconds(cpuNanos() - this.cpuAtStart),
				this.pool.opened() - this.openedBefore, this.pool.reconnects() - this.reconnectsBefore, known.queued(),
				known.longestQueue());
		this.done.accept(new StageResult(this.stage.name(), this.stage.kind(), this.startTime, seconds, complete,
				known.types(), known.series(seconds), generator));
	}

	private static double seconds(long nanos) {
		return nanos / (double) NANOS_PER_SECOND;
	}

	private static long cpuNanos() {
		return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
	}

}
