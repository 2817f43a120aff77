package io.gatewaybench.benchmark.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.engine.LoadResult;
import io.gatewaybench.benchmark.engine.ProgressEvent;
import io.gatewaybench.benchmark.engine.ProgressListener;
import io.gatewaybench.benchmark.engine.StageResult;
import io.gatewaybench.benchmark.plan.LoadPlan;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.plan.Timeouts;
import io.gatewaybench.benchmark.plan.Workload;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.WarmupCurve;
import io.gatewaybench.benchmark.suite.Design;
import io.gatewaybench.benchmark.suite.Scenario;
import org.jspecify.annotations.Nullable;

/**
 * The load of one gateway from its first warm-up to its last measurement: follows the
 * stages and looks at everybody at the edges of those that are measured.
 */
final class SessionRun implements ProgressListener {

	static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

	private final RunPlan plan;

	private final RunPlan.Session session;

	private final Running target;

	private final @Nullable String flags;

	private final Backends backends;

	private final Observer observer;

	private final Console.Task task;

	private final WarmUp warmUp;

	private final Map<String, Measurement> measurements = new HashMap<>();

	private final Part part;

	private boolean toldWarm;

	SessionRun(RunPlan plan, RunPlan.Session session, Part part, Running target, WarmUp warmUp, Backends backends,
			Observer observer, Console.Task task) {
		this.plan = plan;
		this.session = session;
		this.part = part;
		this.target = target;
		this.flags = observer.flags();
		this.backends = backends;
		this.observer = observer;
		this.task = task;
		this.warmUp = warmUp;
		this.toldWarm = !part.warmingUp();
	}

	/**
	 * What one generator sends in a session.
	 *
	 * @param id the name of its files
	 * @param stages the stages
	 * @param warmingUp whether they warm a gateway up that has not been warmed up before
	 */
	record Part(String id, List<Stage> stages, boolean warmingUp) {

		/**
		 * Copies the list.
		 */
		Part {
			stages = List.copyOf(stages);
		}

		Duration length() {
			return this.stages.stream().map(Stage::duration).reduce(Duration.ZERO, Duration::plus);
		}

	}

	LoadPlan load() {
		Workload workload = RunPlan.heaviest(this.session).workload();
		return new LoadPlan(this.part.id(), this.target.address(), workload, this.part.stages(),
				new Timeouts(CONNECT_TIMEOUT, this.plan.settings().timeout()),
				this.plan.settings().seed() + this.session.block());
	}

	@Override
	public void on(ProgressEvent event) {
		// One that stays and was not steady yet may become so in company
		if (!this.warmUp.isWarm()) {
			this.warmUp.on(event);
		}
		switch (event) {
			case ProgressEvent.StageStart started -> {
				if (started.kind() == Stage.Kind.MEASURE) {
					this.measurements.put(started.stage(), new Measurement(this.observer, started.pid()));
				}
				else if (started.kind() == Stage.Kind.IDLE) {
					rest(started.stage());
				}
			}
			case ProgressEvent.Progress progress -> this.task.on(progress);
			case ProgressEvent.StageEnd ended -> {
				Measurement measurement = this.measurements.get(ended.stage());
				if (measurement != null) {
					measurement.end();
				}
			}
		}
	}

	private void rest(String stage) {
		if (stage.startsWith(RunPlan.BEFORE)) {
			this.observer.collectGarbage();
		}
		// The two of a duet share the backends, and so the delays
		if (this.plan.settings().design() != Design.DUETS) {
			try {
				this.backends.restart(this.plan.settings().seed() + this.session.block());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	@Override
	public boolean enough() {
		boolean enough = !this.toldWarm && this.warmUp.isWarm();
		this.toldWarm |= enough;
		return enough;
	}

	@Nullable WarmupCurve curve() {
		return (!this.part.warmingUp() || this.session.variant().control()) ? null
				: this.warmUp.curve(this.session.variant().title(), this.session.block());
	}

	/**
	 * Puts together what was found out.
	 * @param load what the generator measured
	 * @param capacity requests per second that generator and backends can do, by load
	 * @return one result for each measurement that began, in the order of execution
	 */
	List<ScenarioResult> results(LoadResult load, Map<String, Double> capacity) {
		List<ScenarioResult> results = new ArrayList<>();
		for (Scenario scenario : this.session.scenarios()) {
			Measurement measurement = this.measurements.get(scenario.id());
			StageResult stage = load.stages()
				.stream()
				.filter((each) -> each.stage().equals(scenario.id()) && each.seconds() > 0)
				.findFirst()
				.orElse(null);
			if (measurement != null && stage != null) {
				boolean complete = load.complete() || stage != load.stages().getLast();
				results.add(context(scenario, stage, complete, measurement, capacity.get(scenario.load().id()))
					.result(this.session, load.engine(), this.target, this.flags));
			}
		}
		return results;
	}

	private MeasurementContext context(Scenario scenario, StageResult stage, boolean complete, Measurement measurement,
			@Nullable Double capacity) {
		Stage planned = scenario.load().stage(scenario.id(), Stage.Kind.MEASURE, this.plan.settings().duration());
		return new MeasurementContext(scenario, planned, stage, complete, this.target.isAlive(),
				this.backends.areAlive(), measurement.resources(), this.warmUp.steady(),
				this.warmUp.steadiness().maxJit(), capacity);
	}

}
