package io.gatewaybench.benchmark.run;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

import io.gatewaybench.benchmark.jmeter.JmeterLoadEngine;
import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.suite.Component;
import io.gatewaybench.benchmark.suite.Design;
import io.gatewaybench.benchmark.suite.Load;

/**
 * How long the parts of a plan take at most, on a machine with 2 cores.
 *
 * @param plan the plan
 */
record PlanLength(RunPlan plan) {

	/**
	 * How long a profile is recorded: some 1,000 samples of a gateway that takes half a
	 * core.
	 */
	static final Duration PROFILE = Duration.ofSeconds(20);

	// Start until healthy, functional check, generator, stop
	private static final Duration GATEWAY_OVERHEAD = Duration.ofSeconds(11);

	private static final Duration CONTROL_OVERHEAD = Duration.ofSeconds(2);

	/**
	 * The run, the profiles included.
	 */
	Duration all() {
		return measurements().plus(profiles());
	}

	private Duration measurements() {
		if (this.plan.settings().design() == Design.DUETS) {
			return capacity().plus(duets());
		}
		Duration all = blocks(this.plan.blocks().size());
		if (this.plan.timeLimit() == null || all.compareTo(this.plan.timeLimit()) <= 0) {
			return all;
		}
		Duration least = blocks(this.plan.leastBlocks());
		return (least.compareTo(this.plan.timeLimit()) > 0) ? least : this.plan.timeLimit();
	}

	private Duration blocks(int first) {
		return this.plan.blocks().stream().limit(first).map(this::block).reduce(capacity(), Duration::plus);
	}

	private Duration capacity() {
		return Capacity.DURATION.plus(extra(Model.CLOSED, Stage.Kind.MEASURE).multipliedBy(Capacity.LOADS));
	}

	private Duration duets() {
		RunPlan.Session any = this.plan.blocks().getFirst().sessions().getFirst();
		Duration warmUp = warmUp(any).plus(GATEWAY_OVERHEAD)
			.multipliedBy((long) this.plan.processes() * this.plan.settings().starts());
		return this.plan.blocks()
			.stream()
			.map((block) -> work(block.sessions().getFirst(), true).plus(CONTROL_OVERHEAD))
			.reduce(warmUp, Duration::plus);
	}

	/**
	 * A block.
	 * @param block the block
	 */
	Duration block(RunPlan.Block block) {
		boolean resident = this.plan.settings().design().isResident();
		boolean started = resident && this.plan.blocks()
			.stream()
			.anyMatch((other) -> other.number() < block.number() && other.start() == block.start());
		Set<String> warm = new HashSet<>();
		Duration all = Duration.ZERO;
		for (RunPlan.Session session : block.sessions()) {
			boolean known = !warm.add(session.process());
			all = all.plus(session(session, started || (resident && known)));
		}
		return all;
	}

	/**
	 * A session, with the start of its gateway.
	 * @param session the session
	 * @param warm whether its gateway runs and is warm
	 */
	Duration session(RunPlan.Session session, boolean warm) {
		return work(session, warm).plus((warm || session.variant().control()) ? CONTROL_OVERHEAD : GATEWAY_OVERHEAD)
			.plus(gaps(session));
	}

	// On several hosts, each load begins when the longest drain of the one before is over
	private Duration gaps(RunPlan.Session session) {
		return (this.plan.startAt() == null) ? Duration.ZERO : StartByClock.BETWEEN.plus(this.plan.settings().timeout())
			.multipliedBy(1 + 2L * session.scenarios().size());
	}

	/**
	 * Everything that a {@link SessionRun} does with a gateway.
	 * @param session the session
	 * @param warm whether its gateway is warm
	 */
	Duration work(RunPlan.Session session, boolean warm) {
		Duration runUp = this.plan.runUp(session, warm);
		Duration before = RunPlan.REST.plus(runUp.isZero() ? runUp : runUp.plus(RunPlan.REST));
		return session.scenarios()
			.stream()
			.map((scenario) -> before.plus(search(session, scenario.load()))
				.plus(scenario.load().maxDuration(this.plan.settings().duration()))
				.plus(runUp.isZero() ? runUp : extra(session, Stage.Kind.WARMUP))
				.plus(extra(session, Stage.Kind.MEASURE)))
			.reduce(warm ? Duration.ZERO : warmUp(session), Duration::plus);
	}

	private Duration search(RunPlan.Session session, Load load) {
		Duration length = RateSearch.length(load, this.plan.settings().duration());
		return length.isZero() ? length
				: length.plus(extra(session, Stage.Kind.WARMUP).multipliedBy(RateSearch.MOST_PROBES))
					.plus(extra(session, Stage.Kind.MEASURE).multipliedBy(RateSearch.MOST_CONFIRMATIONS - 1));
	}

	/**
	 * The warm-up of a session.
	 * @param session the session
	 */
	Duration warmUp(RunPlan.Session session) {
		int cycles = this.plan.cycles(session, false);
		return WarmUp.length(this.plan.settings().warmup(), cycles)
			.plus(extra(session, Stage.Kind.WARMUP).multipliedBy(cycles));
	}

	private Duration extra(RunPlan.Session session, Stage.Kind kind) {
		return extra(session.scenarios().getFirst().workload().model(), kind);
	}

	private Duration extra(Model model, Stage.Kind kind) {
		return this.plan.settings().engine().equals(JmeterLoadEngine.NAME)
				? JmeterLoadEngine.extra(model, kind, this.plan.settings().timeout()) : Duration.ZERO;
	}

	/**
	 * Everything that a {@link SessionRun} does for a profile.
	 * @param session the session
	 */
	Duration profile(RunPlan.Session session) {
		return warmUp(session).plus(RunPlan.REST).plus(PROFILE).plus(extra(session, Stage.Kind.WARMUP));
	}

	/**
	 * All profiles.
	 */
	Duration profiles() {
		return this.plan.profiles()
			.stream()
			.filter((session) -> session.variant().component() instanceof Component.Jar)
			.map((session) -> profile(session).plus(GATEWAY_OVERHEAD))
			.reduce(Duration.ZERO, Duration::plus);
	}

}
