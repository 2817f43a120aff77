package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import io.gatewaybench.benchmark.engine.LoadSession;
import io.gatewaybench.benchmark.engine.Progress;
import io.gatewaybench.benchmark.engine.StageResult;
import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.observe.FlightRecording;
import io.gatewaybench.benchmark.observe.JvmProbe;
import io.gatewaybench.benchmark.observe.MachineSnapshot;
import io.gatewaybench.benchmark.observe.Probe;
import io.gatewaybench.benchmark.observe.ResourceSeries;
import io.gatewaybench.benchmark.plan.RequestType;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.result.Resources;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.WarmupCurve;
import io.gatewaybench.benchmark.suite.Design;
import io.gatewaybench.benchmark.suite.Load;
import io.gatewaybench.benchmark.suite.Scenario;
import org.jspecify.annotations.Nullable;

/**
 * Warms one gateway up and measures it.
 */
final class SessionRun implements AutoCloseable {

	static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

	private final RunPlan plan;

	private final RunPlan.Session session;

	private final Running target;

	private final @Nullable String flags;

	private final WarmUp warmUp;

	private final Backends backends;

	private final Observer observer;

	private final LoadSession load;

	private final Console.Task task;

	private SessionRun(RunPlan plan, RunPlan.Session session, Gateways.MeasuredGateway gateway, Backends backends,
			Observer observer, LoadSession load, Console.Task task) {
		this.plan = plan;
		this.session = session;
		this.target = gateway.target();
		this.flags = observer.flags();
		this.warmUp = gateway.warmUp();
		this.backends = backends;
		this.observer = observer;
		this.load = load;
		this.task = task;
	}

	/**
	 * Checks that the gateway answers as it must, and gets ready to load it.
	 * @param plan the plan
	 * @param session the session
	 * @param gateway the gateway
	 * @param context what stays the same for all gateways
	 * @param task where progress goes
	 * @return what measures it, to be closed
	 */
	static SessionRun open(RunPlan plan, RunPlan.Session session, Gateways.MeasuredGateway gateway,
			Runner.RunContext context, Console.Task task) throws InterruptedException {
		Observer observer = Observer.of(gateway.target(), context.backends());
		try {
			FunctionalCheck check = new FunctionalCheck(context.client());
			for (List<RequestType> mix : session.scenarios()
				.stream()
				.map((each) -> each.workload().mix())
				.distinct()
				.toList()) {
				check.check(gateway.target(), mix);
			}
			LoadSession load = gateway.generator(WarmUpLoad.workload(session), context.engine(), plan,
					plan.seed(session));
			return new SessionRun(plan, session, gateway, context.backends(), observer, load, task);
		}
		catch (InterruptedException | RuntimeException ex) {
			observer.close();
			throw ex;
		}
	}

	/**
	 * Sends cycles of load and rest until the gateway is steady.
	 * @param start what others that are warmed up at the same time wait for
	 */
	void warmUp(CommonStart start) throws InterruptedException {
		start.await(this.plan.length().warmUp(this.session));
		this.warmUp.run(this.load, WarmUpLoad.of(this.session), this.plan.settings().warmup(),
				this.plan.cycles(this.session, this.warmUp.hasBegun()), this.task);
	}

	/**
	 * Measures every scenario.
	 * @param warm whether the gateway was warm before this session
	 * @param start what others that are measured at the same time wait for
	 * @param capacity requests per second that generator and backends can do, by load
	 * @param results told of every result, also of one that was cut short
	 */
	void measure(boolean warm, CommonStart start, Map<String, Double> capacity, Consumer<ScenarioResult> results)
			throws InterruptedException {
		Duration runUp = this.plan.runUp(this.session, warm);
		for (Scenario planned : this.session.scenarios()) {
			Load wanted = planned.load();
			this.task.part(this.plan.place(this.session, planned));
			this.task.tell(new RunEvent.ScenarioBegun(planned.id(), this.session.block(), this.session.repetition()));
			this.observer.collectGarbage();
			rest();
			if (!runUp.isZero()) {
				start.await(runUp);
				runUp(wanted, WarmUp.stage(wanted, "run-up to " + planned.id(), runUp));
				rest();
			}
			Scenario scenario = search(planned);
			Measured measured = measure(scenario, start);
			Double lower = RateSearch.lower(scenario.load(), measured.stage(), 1);
			for (int times = 2; lower != null; times++) {
				this.task.rest(RunPlan.REST);
				scenario = scenario.at(lower);
				measured = measure(scenario, start);
				lower = RateSearch.lower(scenario.load(), measured.stage(), times);
			}
			if (measured.stage().seconds() > 0) {
				results.accept(context(scenario.share(this.plan.segment()), measured.stage(), measured.resources(),
						capacity.get(wanted.id()))
					.result(this.session, this.load.engine(), this.target, this.flags, measured.probed()));
			}
			measured.stage().whole();
		}
	}

	/**
	 * What was seen in a measurement.
	 */
	private record Measured(StageResult stage, Resources resources, List<Probe.Figure> probed) {
	}

	private Measured measure(Scenario scenario, CommonStart start) throws InterruptedException {
		Stage stage = scenario.load().measurement(scenario.id(), this.plan.settings().duration());
		this.warmUp.measuring();
		this.observer.begin();
		Observer.ResourceSnapshot before = this.observer.take(this.load.pid());
		this.observer.sampler().start();
		this.task.cores(this.observer.sampler()::cores);
		// Not before the look, which may take longer for one than for the other
		start.await(stage.duration());
		List<MachineSnapshot> seconds = new ArrayList<>();
		Consumer<Progress> told = this.task.begin("measurement", stage);
		StageResult measured = this.load.run(stage, (progress) -> {
			told.accept(progress);
			this.task.tell(new RunEvent.Second(scenario.id(), this.session.block(), progress.second(), progress.ok(),
					progress.errors(), progress.p99Ms()));
			Optional.ofNullable(MachineSnapshot.take()).ifPresent(seconds::add);
			this.observer.second(progress.second());
		});
		// With the status set nothing can be looked at
		boolean interrupted = Thread.interrupted();
		ResourceSeries series = this.observer.sampler().stop();
		Resources resources = this.observer.take(this.load.pid()).since(before, seconds, series);
		List<Probe.Figure> probed = this.observer.end();
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		return new Measured(measured, resources, probed);
	}

	/**
	 * Sends a load by time while the JVM of the gateway records itself.
	 * @param scenario whose load is sent
	 * @param length how long
	 * @param recording the file for the recording
	 * @return what came of the load
	 * @throws IOException if the JVM is gone or can't write the file
	 */
	StageResult profile(Scenario scenario, Duration length, Path recording) throws InterruptedException, IOException {
		JvmProbe jvm = this.observer.jvm();
		if (jvm == null) {
			throw new BenchFailure(this.target.name() + " does not let the runner attach to its JVM");
		}
		rest();
		try (FlightRecording running = jvm.record()) {
			Stage stage = scenario.load().warmUp("profile", length);
			StageResult result = this.load.run(stage, this.task.begin("profile", stage)).whole();
			running.save(recording);
			return result;
		}
	}

	// So that every measurement meets the same delays. The two of a duet share the
	// backends, and so the delays
	private void rest() throws InterruptedException {
		if (this.plan.settings().design() != Design.DUETS) {
			this.backends.restart(this.plan.settings().seed() + this.session.block());
		}
		this.task.rest(RunPlan.REST);
	}

	// One that stays and was not steady yet may become so in company. Another load than
	// that of the warm-up takes another CPU time per request, and would look unsteady
	private void runUp(Load wanted, Stage stage) throws InterruptedException {
		if (wanted.workload().equals(WarmUpLoad.of(this.session).workload())) {
			this.warmUp.run(this.load, "run-up", stage, this.task);
		}
		else {
			this.load.run(stage, this.task.begin("run-up", stage)).whole();
		}
	}

	private Scenario search(Scenario scenario) throws InterruptedException {
		Duration limit = scenario.load().p99Limit();
		return (limit == null) ? scenario
				: scenario.at(new RateSearch(this.load, scenario.load(), limit, this.task).find());
	}

	private MeasurementContext context(Scenario scenario, StageResult measured, Resources resources,
			@Nullable Double capacity) {
		return new MeasurementContext(scenario,
				scenario.load().measurement(scenario.id(), this.plan.settings().duration()), measured,
				this.target.isAlive(), this.target.cores(), this.target.lostHost(), this.backends.areAlive(), resources,
				this.warmUp.steady(), this.warmUp.steadiness().maxJit(), capacity);
	}

	/**
	 * How the warm-up went.
	 * @return {@code null} if there was none, or there is no gateway
	 */
	@Nullable WarmupCurve curve() {
		return (!this.warmUp.hasBegun() || this.session.variant().control()) ? null
				: this.warmUp.curve(this.session.title(), this.session.block());
	}

	@Override
	public void close() {
		this.observer.close();
	}

}
