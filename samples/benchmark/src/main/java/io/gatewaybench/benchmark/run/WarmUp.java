package io.gatewaybench.benchmark.run;

import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.benchmark.engine.ProgressEvent;
import io.gatewaybench.benchmark.observe.ProcessSnapshot;
import io.gatewaybench.benchmark.observe.ProcessUse;
import io.gatewaybench.benchmark.observe.ThreadGroup;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.WarmupCurve;
import io.gatewaybench.benchmark.result.WarmupCurve.Cycle;
import io.gatewaybench.benchmark.suite.Load;
import org.jspecify.annotations.Nullable;

/**
 * Follows the cycles of a warm-up, and knows when it is enough.
 */
public final class WarmUp {

	private final List<Long> subject;

	private final Steadiness steadiness;

	private final List<Cycle> cycles = new ArrayList<>();

	private @Nullable ProcessSnapshot start;

	private @Nullable ProcessSnapshot end;

	private double seconds;

	/**
	 * A warm-up that has not begun.
	 * @param subject process ids of what has to be warm
	 * @param steadiness what is steady enough
	 */
	public WarmUp(List<Long> subject, Steadiness steadiness) {
		this.subject = subject;
		this.steadiness = steadiness;
	}

	/**
	 * The load of a warm-up.
	 * @param load what is sent
	 * @param warmup how long load and rest of a cycle are
	 * @param cycles how many there are at most
	 * @return the stages
	 */
	public static List<Stage> stages(Load load, RunResults.Warmup warmup, int cycles) {
		List<Stage> stages = new ArrayList<>();
		for (int cycle = 1; cycle <= cycles; cycle++) {
			stages.add(load.stage("warm-up " + cycle, Stage.Kind.WARMUP, warmup.load()).asDispensable());
			stages.add(Stage.idle("rest " + cycle, warmup.rest()).asDispensable());
		}
		return stages;
	}

	/**
	 * Told what the load does.
	 * @param event what happened
	 */
	public void on(ProgressEvent event) {
		if (event instanceof ProgressEvent.StageStart started && started.kind() == Stage.Kind.WARMUP) {
			this.start = ProcessSnapshot.takeAll(this.subject);
			this.seconds = started.seconds();
		}
		else if (event instanceof ProgressEvent.StageStart started && started.kind() == Stage.Kind.MEASURE) {
			// What follows is no rest
			this.end = null;
		}
		else if (event instanceof ProgressEvent.StageEnd ended && this.start != null) {
			ProcessSnapshot now = ProcessSnapshot.takeAll(this.subject);
			this.cycles.add(cycle(this.start, now, ended.ok()));
			this.start = null;
			this.end = now;
		}
	}

	private Cycle cycle(ProcessSnapshot from, @Nullable ProcessSnapshot to, long ok) {
		if (to == null || ok == 0) {
			return new Cycle(ok / this.seconds, null, null);
		}
		// Among a hundred busy threads the compilers may have so little time that most of
		// what they have to do is done in the rest
		ProcessUse withRest = to.since((this.end != null) ? this.end : from);
		return new Cycle(ok / this.seconds, to.since(from).cpuSeconds() * 1e6 / ok,
				withRest.cpuSeconds(ThreadGroup.JIT) * 1e6 / ok);
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
	 * How it went.
	 * @param variant what reports call the gateway
	 * @param block the repetition, from 1
	 * @return the cycles so far
	 */
	public WarmupCurve curve(String variant, int block) {
		return new WarmupCurve(variant, block, this.cycles, steady());
	}

}
