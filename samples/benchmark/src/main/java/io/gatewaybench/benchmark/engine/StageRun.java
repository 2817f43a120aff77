package io.gatewaybench.benchmark.engine;

import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import com.sun.management.OperatingSystemMXBean;
import io.gatewaybench.benchmark.plan.LoadPlan;
import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.Stage;
import org.jspecify.annotations.Nullable;

/**
 * One stage from the opening of its connections to the end of its drain. Used by the
 * event loop only.
 */
final class StageRun {

	private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

	private static final String DRAINED = "still under way when the drain of the stage was over";

	private static final String CANCELLED = "still under way when the run was cancelled";

	private final LoadPlan plan;

	private final Stage stage;

	private final ConnectionPool pool;

	private final Timers timers;

	private final RequestMix mix;

	private final SplittableRandom random;

	private final long shortestSleepNanos;

	private final Consumer<ProgressEvent> events;

	private final Consumer<StageResult> done;

	private final List<Future<?>> scheduled = new ArrayList<>();

	private final long openedBefore;

	private final long reconnectsBefore;

	private @Nullable StageTraffic traffic;

	private @Nullable StageRecorder recorder;

	private Instant startTime = Instant.EPOCH;

	private long start;

	private long cpuAtStart;

	private int secondsTold;

	private boolean finished;

	StageRun(LoadPlan plan, Stage stage, ConnectionPool pool, Timers timers, RequestMix mix, SplittableRandom random,
			Transport transport, Consumer<ProgressEvent> events, Consumer<StageResult> done) {
		this.plan = plan;
		this.stage = stage;
		this.pool = pool;
		this.timers = timers;
		this.mix = mix;
		this.random = random;
		this.shortestSleepNanos = transport.shortestSleepNanos();
		this.events = events;
		this.done = done;
		this.openedBefore = pool.opened();
		this.reconnectsBefore = pool.reconnects();
	}

	void start() {
		if (this.stage.kind() == Stage.Kind.IDLE) {
			begin();
			return;
		}
		this.pool.limit(this.stage.connections());
		OpeningTraffic opening = new OpeningTraffic(this.pool, () -> this.timers.soon(this::begin));
		this.pool.use(opening);
		opening.start();
	}

	private void begin() {
		if (this.finished || this.recorder != null) {
			return;
		}
		this.events.accept(new ProgressEvent.StageStart(this.stage.name(), this.stage.kind(),
				seconds(this.stage.duration().toNanos()), ProcessHandle.current().pid()));
		this.cpuAtStart = cpuNanos();
		this.startTime = Instant.now();
		this.start = System.nanoTime();
		StageRecorder newRecorder = new StageRecorder(this.plan, this.stage, this.start);
		this.recorder = newRecorder;
		this.scheduled.add(this.timers.every(NANOS_PER_SECOND, this::tellSecond));
		this.scheduled.add(this.timers.after(this.stage.duration().toNanos(), this::endWindow));
		if (this.stage.kind() == Stage.Kind.IDLE) {
			this.pool.use(Traffic.NONE);
			return;
		}
		StageTraffic newTraffic = newTraffic(newRecorder);
		this.traffic = newTraffic;
		this.pool.use(newTraffic);
		newTraffic.start();
	}

	private StageTraffic newTraffic(StageRecorder newRecorder) {
		return (this.plan.workload().model() == Model.OPEN)
				? new OpenTraffic(this.plan, this.stage, this.pool, this.timers, newRecorder, this.mix, this.random,
						this.start, this.shortestSleepNanos)
				: new ClosedTraffic(this.plan, this.stage, this.pool, this.timers, newRecorder, this.mix, this.random,
						this.start);
	}

	private void tellSecond() {
		long now = System.nanoTime();
		int over = (int) ((now - this.start) / NANOS_PER_SECOND);
		while (this.recorder != null && this.secondsTold < over) {
			SecondSample sample = this.recorder.second(this.secondsTold++, now);
			this.events.accept(new ProgressEvent.Progress(this.stage.name(), sample.second(), sample.ok(),
					sample.errors(), sample.p99Ms()));
		}
	}

	private void endWindow() {
		tellSecond();
		if (this.traffic == null) {
			finish();
			return;
		}
		this.scheduled.add(this.timers.after(this.plan.timeouts().response().toNanos(), this::endDrain));
		this.traffic.end(() -> this.timers.soon(this::finish));
	}

	private void endDrain() {
		this.pool.expire();
		abandon(DRAINED);
		finish();
	}

	private void abandon(String reason) {
		if (this.traffic != null) {
			this.pool.use(Traffic.NONE);
			this.traffic.abandon(reason);
			this.pool.abortBusy(reason);
		}
	}

	private void finish() {
		if (!this.finished) {
			this.done.accept(result(this.stage.duration().toNanos()));
		}
	}

	/**
	 * Ends the stage now, without telling that it is done.
	 * @return what was measured so far, {@code null} if the stage has not begun or is
	 * over
	 */
	@Nullable StageResult cancel() {
		if (this.finished || this.recorder == null) {
			this.finished = true;
			return null;
		}
		long windowNanos = Math.min(System.nanoTime() - this.start, this.stage.duration().toNanos());
		abandon(CANCELLED);
		return result(windowNanos);
	}

	private StageResult result(long windowNanos) {
		this.finished = true;
		this.pool.use(Traffic.NONE);
		this.scheduled.forEach((future) -> future.cancel(false));
		StageRecorder done = this.recorder;
		if (done == null) {
			throw new IllegalStateException("stage '%s' has not begun".formatted(this.stage.name()));
		}
		boolean idle = this.stage.kind() == Stage.Kind.IDLE;
		double seconds = seconds(windowNanos);
		GeneratorStats generator = new GeneratorStats(done.lag(), seconds(cpuNanos() - this.cpuAtStart),
				this.pool.opened() - this.openedBefore, this.pool.reconnects() - this.reconnectsBefore, done.queued(),
				done.longestQueue());
		this.events.accept(new ProgressEvent.StageEnd(this.stage.name(), done.ok(), done.failed()));
		return new StageResult(this.stage.name(), this.stage.kind(), this.startTime, seconds,
				idle ? List.of() : done.types(), done.series(seconds), generator);
	}

	private static double seconds(long nanos) {
		return nanos / (double) NANOS_PER_SECOND;
	}

	private static long cpuNanos() {
		return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
	}

}
