package io.gatewaybench.benchmark.load;

import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import com.sun.management.OperatingSystemMXBean;

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

	private final Runnable everySecond;

	private final Consumer<StageResult> done;

	private final List<Future<?>> scheduled = new ArrayList<>();

	private Traffic traffic = Traffic.NONE;

	private Instant startTime = Instant.now();

	private long start = System.nanoTime();

	private long cpuAtStart = cpuNanos();

	private StageRecorder recorder;

	private boolean begun;

	private boolean finished;

	StageRun(LoadPlan plan, Stage stage, ConnectionPool pool, Timers timers, RequestMix mix, SplittableRandom random,
			Transport transport, Runnable everySecond, Consumer<StageResult> done) {
		this.plan = plan;
		this.stage = stage;
		this.pool = pool;
		this.timers = timers;
		this.mix = mix;
		this.random = random;
		this.shortestSleepNanos = transport.shortestSleepNanos();
		this.everySecond = everySecond;
		this.done = done;
		this.recorder = new StageRecorder(plan, stage, this.start);
	}

	void start() {
		this.pool.begin(this.plan.total(this.stage));
		use(new OpeningTraffic(this.pool, () -> this.timers.soon(this::begin)));
	}

	private void use(Traffic next) {
		this.traffic = next;
		this.pool.use(next);
		next.start();
	}

	private void begin() {
		if (this.finished || this.begun) {
			return;
		}
		this.begun = true;
		this.cpuAtStart = cpuNanos();
		this.startTime = Instant.now();
		this.start = System.nanoTime();
		this.recorder = new StageRecorder(this.plan, this.stage, this.start);
		this.scheduled.add(this.timers.every(NANOS_PER_SECOND, this.everySecond));
		this.scheduled.add(this.timers.after(this.stage.sending().toNanos(), this::endWindow));
		use((this.stage.rate() > 0)
				? new OpenTraffic(this.plan, this.stage, this.pool, this.timers, this.recorder, this.mix, this.random,
						this.start, this.shortestSleepNanos, this::over)
				: new ClosedTraffic(this.plan, this.stage, this.pool, this.timers, this.recorder, this.mix, this.random,
						this.start, this::over));
	}

	private void endWindow() {
		this.scheduled.add(this.timers.after(this.plan.timeouts().response().toNanos(), this::endDrain));
		this.traffic.end();
	}

	// Where users have sent all their requests before, the window ends with the last
	// response, so that throughput is that of the requests
	private void over() {
		long windowNanos = windowNanos();
		this.timers.soon(() -> finish(windowNanos, true));
	}

	private long windowNanos() {
		return this.begun ? Math.clamp(sinceLead(), 0, this.stage.duration().toNanos()) : 0;
	}

	private long sinceLead() {
		return System.nanoTime() - this.start - this.stage.lead().toNanos();
	}

	private void endDrain() {
		this.pool.expire();
		abandon(DRAINED);
		finish(windowNanos(), true);
	}

	private void abandon(String reason) {
		this.pool.use(Traffic.NONE);
		this.traffic.abandon(reason);
		this.pool.abortBusy(reason);
	}

	/**
	 * Ends the stage now, with what was measured so far. That is nothing if its
	 * connections are still being opened.
	 */
	void cancel() {
		if (!this.finished) {
			long windowNanos = windowNanos();
			abandon(CANCELLED);
			finish(windowNanos, false);
		}
	}

	private void finish(long windowNanos, boolean complete) {
		if (this.finished) {
			return;
		}
		this.finished = true;
		this.pool.use(Traffic.NONE);
		this.scheduled.forEach((future) -> future.cancel(false));
		double seconds = windowNanos / 1e9;
		GeneratorStats generator = this.recorder.generator((cpuNanos() - this.cpuAtStart) / 1e9,
				this.pool.reconnects());
		this.done.accept(new StageResult(this.stage.name(), this.stage.kind(), this.startTime, seconds, complete,
				this.recorder.types(), this.recorder.series(seconds), generator));
	}

	private static long cpuNanos() {
		return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
	}

}
