package io.gatewaybench.benchmark.run;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.benchmark.engine.LoadResult;
import io.gatewaybench.benchmark.engine.ProgressEvent;
import io.gatewaybench.benchmark.engine.StageResult;
import io.gatewaybench.benchmark.engine.TypeResult;
import io.gatewaybench.benchmark.plan.LoadPlan;
import io.gatewaybench.benchmark.plan.RequestType;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.plan.Timeouts;
import io.gatewaybench.benchmark.plan.Workload;
import io.gatewaybench.benchmark.result.Bound;
import io.gatewaybench.benchmark.result.RunResults.Settings;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.ScenarioResult.GatewayFigures;
import io.gatewaybench.benchmark.result.ScenarioResult.GeneratorFigures;
import io.gatewaybench.benchmark.result.ScenarioResult.TypeFigures;
import io.gatewaybench.benchmark.result.ScenarioResult.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * One measurement while it runs: follows the stages of the load and takes what gateway
 * and backends tell at the edges of the measured one.
 */
final class ScenarioRun {

	private static final String WARMUP = "warm-up";

	private static final String REST = "rest";

	private static final String MEASURE = "measure";

	private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

	private final RunPlan.Measurement measurement;

	private final Settings settings;

	private final Gateway gateway;

	private final Backends backends;

	private final Console.Task task;

	private long elapsed;

	private @Nullable Edge start;

	private @Nullable Edge end;

	ScenarioRun(RunPlan.Measurement measurement, Settings settings, Gateway gateway, Backends backends,
			Console.Task task) {
		this.measurement = measurement;
		this.settings = settings;
		this.gateway = gateway;
		this.backends = backends;
		this.task = task;
	}

	LoadPlan plan() {
		List<Stage> stages = new ArrayList<>();
		if (!this.settings.warmup().isZero()) {
			stages.add(Stage.closed(WARMUP, Stage.Kind.WARMUP, this.settings.warmup()));
			stages.add(Stage.idle(REST, RunPlan.REST));
		}
		stages.add(Stage.closed(MEASURE, Stage.Kind.MEASURE, this.settings.duration()));
		return new LoadPlan(this.measurement.id(), this.gateway.address(), this.measurement.scenario().workload(),
				stages, new Timeouts(CONNECT_TIMEOUT, this.settings.timeout()),
				this.settings.seed() + this.measurement.block());
	}

	void on(ProgressEvent event) {
		switch (event) {
			case ProgressEvent.StageStart started -> {
				if (started.stage().equals(MEASURE)) {
					this.start = Edge.now(this.gateway, this.backends);
				}
			}
			case ProgressEvent.Progress progress -> this.task.at(++this.elapsed, progress.stage().equals(REST) ? REST
					: progress.stage() + ", " + progress.ok() + " req/s, " + progress.errors() + " errors");
			case ProgressEvent.StageEnd ended -> {
				if (ended.stage().equals(MEASURE)) {
					this.end = Edge.now(this.gateway, this.backends);
				}
			}
		}
	}

	/**
	 * Puts together what was found out.
	 * @param load what the generator measured
	 * @return the result, {@code null} if the load ended before the measurement began
	 */
	@Nullable ScenarioResult result(LoadResult load) {
		Edge from = this.start;
		StageResult stage = load.stages()
			.stream()
			.filter((each) -> each.stage().equals(MEASURE))
			.findFirst()
			.orElse(null);
		if (from == null || stage == null || stage.seconds() <= 0) {
			return null;
		}
		Edge to = (this.end != null) ? this.end : Edge.now(this.gateway, this.backends);
		Workload workload = this.measurement.scenario().workload();
		TypeResult total = stage.total();
		List<TypeFigures> types = types(workload, stage, total.counts().intended(),
				to.backends().since(from.backends()));
		Bound bound = bound(workload, types, stage.throughput());
		Verdict verdict = Judge.judge(workload, stage, load.complete(), this.settings.duration().toMillis() / 1000.0,
				this.gateway.child().isAlive(), this.backends.child().isAlive(), bound);
		return new ScenarioResult(this.measurement.scenario().id(), this.measurement.scenario().title(),
				this.measurement.scenario().variant().title(), this.measurement.block(), workload.connections(),
				stage.start(), stage.seconds(), total.counts(), stage.throughput(), total.latency().service().summary(),
				total.latency().slo().summary(), types, stage.series(), gatewayFigures(from, to, total.counts().ok()),
				new GeneratorFigures(load.engine(), stage.generator().cpuSeconds(), stage.generator().reconnects()),
				bound, this.measurement.scenario().published(), verdict);
	}

	private GatewayFigures gatewayFigures(Edge from, Edge to, long ok) {
		// A process that ended has no CPU time any more
		double seconds = Math.max(0, to.cpu().minus(from.cpu()).toNanos() / 1e9);
		return new GatewayFigures(this.gateway.startMillis(), seconds,
				(ok > 0 && seconds > 0) ? seconds * 1e6 / ok : null, to.residentBytes(), this.gateway.command());
	}

	private static List<TypeFigures> types(Workload workload, StageResult stage, long intended, BackendStats backends) {
		List<TypeFigures> types = new ArrayList<>();
		for (RequestType type : workload.mix()) {
			for (TypeResult result : stage.types()) {
				if (result.type().equals(type.name())) {
					types.add(new TypeFigures(type.name(), result.counts().intended() / (double) Math.max(1, intended),
							result.counts(), result.statuses(), result.failures(), result.latency().service().summary(),
							backends.meanMs(backendPath(type.paths().getFirst()))));
				}
			}
		}
		return types;
	}

	private static String backendPath(String gatewayPath) {
		// The gateway strips the first segment
		return URI.create(gatewayPath.substring(gatewayPath.indexOf('/', 1))).getPath();
	}

	/**
	 * The bound that follows from the mix and the latencies that were observed.
	 * @return the bound, {@code null} if the latency of a type is unknown
	 */
	static @Nullable Bound bound(Workload workload, List<TypeFigures> types, double perSecond) {
		double mean = 0;
		for (TypeFigures type : types) {
			if (type.share() > 0) {
				if (type.backendMeanMs() == null) {
					return null;
				}
				mean += type.share() * type.backendMeanMs();
			}
		}
		return (mean > 0) ? Bound.of(workload.connections(), mean, perSecond) : null;
	}

	/**
	 * What is known at one edge of the measurement.
	 */
	private record Edge(Duration cpu, @Nullable Long residentBytes, BackendStats backends) {

		static Edge now(Gateway gateway, Backends backends) {
			Duration cpu = gateway.child().cpuTime();
			Long resident = gateway.child().residentBytes().stream().boxed().findFirst().orElse(null);
			return new Edge(cpu, resident, stats(backends));
		}

		private static BackendStats stats(Backends backends) {
			try {
				return backends.stats();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return BackendStats.NONE;
			}
		}

	}

}
