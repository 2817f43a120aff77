package io.gatewaybench.benchmark.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.gatewaybench.benchmark.engine.LoadSession;
import io.gatewaybench.benchmark.engine.StageResult;
import io.gatewaybench.benchmark.observe.ProcessSnapshot;
import io.gatewaybench.benchmark.observe.ProcessUse;
import io.gatewaybench.benchmark.observe.ThreadGroup;
import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.WarmupCurve.Cycle;
import io.gatewaybench.benchmark.result.WarmupCurve;
import io.gatewaybench.benchmark.suite.Load;

/**
 * Sends cycles of load and rest to a gateway until it is steady.
 */
public final class WarmUp {

	// More users without a pause teach the compiler nothing new. Of 10,000, some wait
	// longer than a cycle
	private static final int MOST_USERS = 1000;

	// Each cycle has two bursts. With one, the first measurement had several times the
	// overhead of the third
	private static final Duration STEP = Duration.ofSeconds(1);

	private final Supplier<@Nullable ProcessSnapshot> subject;

	private final Steadiness steadiness;

	private final List<Cycle> cycles = new ArrayList<>();

	private @Nullable ProcessSnapshot end;

	/**
	 * A warm-up that has not begun.
	 * @param subject looks at what has to be warm
	 * @param steadiness what is steady enough
	 */
	public WarmUp(Supplier<@Nullable ProcessSnapshot> subject, Steadiness steadiness) {
		this.subject = subject;
		this.steadiness = steadiness;
	}

	/**
	 * How long it takes at most.
	 * @param warmup how long load and rest of a cycle are
	 * @param cycles how many there are at most
	 * @return all of them together
	 */
	public static Duration length(RunResults.Warmup warmup, int cycles) {
		return warmup.load().plus(warmup.rest()).multipliedBy(cycles);
	}

	/**
	 * Sends cycles until the gateway is steady.
	 * @param session what sends
	 * @param load what is sent
	 * @param warmup how long load and rest of a cycle are
	 * @param cycles how many there are at most
	 * @param task where progress goes
	 * @return what came of the last one, {@code null} if there was none
	 * @throws InterruptedException if the thread was interrupted
	 */
	public @Nullable StageResult run(LoadSession session, Load load, RunResults.Warmup warmup, int cycles,
			Console.Task task) throws InterruptedException {
		StageResult last = null;
		for (int cycle = 1; cycle <= cycles && !isWarm(); cycle++) {
			Stage stage = stage(load, "warm-up " + cycle, warmup.load());
			last = run(session, stage.name() + " of at most " + cycles, stage, task);
			task.rest(warmup.rest());
		}
		return last;
	}

	/**
	 * A stage that warms up.
	 * @param load what is sent
	 * @param name the name of the stage
	 * @param length how long
	 * @return the stage
	 */
	static Stage stage(Load load, String name, Duration length) {
		Stage stage = load.inStepsOf(STEP).warmUp(name, length);
		// Otherwise the first burst that is measured would open most of its connections
		boolean busy = load.workload().model() == Model.CLOSED && load.workload().thinkTime().isZero();
		return busy ? stage.on(Math.min(MOST_USERS, stage.connections())) : stage;
	}

	/**
	 * Sends a stage, which counts as a cycle unless the gateway is known to be steady.
	 * @param session what sends
	 * @param phase what the user is told that it is
	 * @param stage the stage
	 * @param task where progress goes
	 * @return what came of it
	 */
	StageResult run(LoadSession session, String phase, Stage stage, Console.Task task) throws InterruptedException {
		boolean counts = !isWarm();
		ProcessSnapshot from = counts ? this.subject.get() : null;
		StageResult result = session.run(stage, task.begin(phase, stage)).whole();
		if (counts) {
			ProcessSnapshot to = (from != null) ? this.subject.get() : null;
			this.cycles.add(cycle(stage, from, to, result.total().counts().ok()));
			this.end = to;
		}
		return result;
	}

	/**
	 * A measurement begins. What comes before the next cycle is no rest.
	 */
	void measuring() {
		this.end = null;
	}

	private Cycle cycle(Stage stage, @Nullable ProcessSnapshot from, @Nullable ProcessSnapshot to, long ok) {
		double perSecond = ok * 1e3 / stage.duration().toMillis();
		if (from == null || to == null || ok == 0) {
			return new Cycle(perSecond, null, null, null);
		}
		// Among a hundred busy threads the compilers may have so little time that most of
		// what they have to do is done in the rest
		ProcessUse withRest = to.since((this.end != null) ? this.end : from);
		return new Cycle(perSecond, to.since(from).cpuSeconds() * 1e6 / ok,
				withRest.cpuSeconds(ThreadGroup.JIT) * 1e6 / ok, withRest.cpuSeconds(ThreadGroup.GC) * 1e6 / ok);
	}

	/**
	 * Whether the gateway is steady.
	 * @return {@code null} if that is unknown
	 */
	@Nullable Boolean steady() {
		return this.steadiness.of(this.cycles);
	}

	Steadiness steadiness() {
		return this.steadiness;
	}

	boolean hasBegun() {
		return !this.cycles.isEmpty();
	}

	/**
	 * Whether the gateway is known to be steady.
	 * @return {@code false} also if that is unknown
	 */
	public boolean isWarm() {
		return Boolean.TRUE.equals(steady());
	}

	/**
	 * Whether no more cycles help: the gateway is steady, or nobody can look at it, and
	 * it has had its cycles.
	 */
	boolean isDone() {
		return isWarm() || (hasBegun() && this.cycles.getLast().cpuMicrosPerOk() == null);
	}

	/**
	 * How it went.
	 * @param variant what reports call the gateway
	 * @param block the repetition, from 1
	 * @return the cycles so far
	 */
	public WarmupCurve curve(String variant, int block) {
		return new WarmupCurve(variant, block, this.cycles, steady());
	}

}
