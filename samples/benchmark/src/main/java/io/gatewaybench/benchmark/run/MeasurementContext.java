package io.gatewaybench.benchmark.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.benchmark.engine.StageResult;
import io.gatewaybench.benchmark.engine.TypeResult;
import io.gatewaybench.benchmark.observe.JvmUse;
import io.gatewaybench.benchmark.observe.Probe;
import io.gatewaybench.benchmark.observe.ProcessUse;
import io.gatewaybench.benchmark.observe.ThreadGroup;
import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.RequestType;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.result.Resources;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.ScenarioResult.GatewayFigures;
import io.gatewaybench.benchmark.result.ScenarioResult.GeneratorFigures;
import io.gatewaybench.benchmark.result.ScenarioResult.LatencyFigures;
import io.gatewaybench.benchmark.result.ScenarioResult.LoadFigures;
import io.gatewaybench.benchmark.result.ScenarioResult.TypeFigures;
import io.gatewaybench.benchmark.result.TheoreticalMaximum;
import io.gatewaybench.benchmark.suite.Load;
import io.gatewaybench.benchmark.suite.Scenario;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is known about one measurement.
 *
 * @param scenario what was measured
 * @param planned the stage as it was planned
 * @param stage the stage as it went
 * @param gatewayAlive whether the gateway still ran at the end, or there was none
 * @param gatewayCores how many cores the machine of the gateway has
 * @param lostHost the host of the gateway if the connection to it was lost, otherwise
 * {@code null}
 * @param backendsAlive whether the backends still ran at the end
 * @param resources what everybody used
 * @param steady whether the gateway was steady, {@code null} if that is unknown
 * @param maxJit how much of the gateway's CPU time its JIT compilers may have
 * @param capacity requests per second that generator and backends can do, {@code null} if
 * that was not measured
 */
record MeasurementContext(Scenario scenario, Stage planned, StageResult stage, boolean gatewayAlive, int gatewayCores,
		@Nullable String lostHost, boolean backendsAlive, Resources resources, @Nullable Boolean steady, double maxJit,
		@Nullable Double capacity) {

	// What answers at once allows more than a machine can do
	private static final double MIN_BACKEND_MILLIS = 1;

	boolean isClosed() {
		return this.scenario.workload().model() == Model.CLOSED;
	}

	/**
	 * Whether it is a control whose backends take so little time that generator and
	 * backends are all that it measures.
	 */
	boolean isUnbounded() {
		if (!this.scenario.variant().control() || !isClosed()) {
			return false;
		}
		TheoreticalMaximum maximum = theoreticalMaximum();
		return maximum == null || (this.capacity != null && maximum.requestsPerSecond() > this.capacity);
	}

	/**
	 * Whether the engine knows which type an answer belongs to.
	 */
	boolean tellsTypes() {
		return !types().isEmpty();
	}

	ScenarioResult result(RunPlan.Session session, String engine, Running gateway, @Nullable String flags,
			List<Probe.Figure> probed) {
		TypeResult total = this.stage.total();
		Load load = this.scenario.load();
		List<TypeFigures> types = types();
		LatencyFigures latency = new LatencyFigures(total.latency().service().summary(),
				total.latency().response().summary(), total.latency().slo().summary(),
				total.latency().overhead().summary());
		return new ScenarioResult(this.scenario.id(), this.scenario.title(), this.scenario.variant().title(),
				this.scenario.variant().control(), this.scenario.variant().baseline(),
				new LoadFigures(load.id(), load.selection(), load.workload().model(), load.workload().connections(),
						load.workload().thinkTime().isZero() ? null : (Long) load.workload().thinkTime().toMillis(),
						(load.iterations() != null) ? (Integer) load.iterations().perUser() : null,
						isClosed() ? null : (Double) load.rate(), isClosed() ? null : load.arrivals(),
						(load.p99Limit() != null) ? (Long) load.p99Limit().toMillis() : null,
						total.counts().intended()),
				session.block(), session.start(), this.stage.start(), this.stage.seconds(), total.counts(),
				this.stage.throughput(), latency, types, this.stage.series(),
				this.scenario.variant().control() ? null : gatewayFigures(gateway, flags, total.counts().ok()),
				new GeneratorFigures(engine, this.stage.generator().cpuSeconds(), this.stage.generator().reconnects(),
						this.stage.generator().lag().summary(), this.stage.generator().agents()),
				this.resources, probed, theoreticalMaximum(), ValidityRules.verdict(this));
	}

	private GatewayFigures gatewayFigures(Running gateway, @Nullable String flags, long ok) {
		ProcessUse use = this.resources.gateway();
		JvmUse jvm = this.resources.jvm();
		// A process that ended has no CPU time any more
		double seconds = (use != null) ? Math.max(0, use.cpuSeconds()) : 0;
		double requests = (use != null) ? Math.max(0, seconds - use.cpuSeconds(ThreadGroup.JIT)) : 0;
		return new GatewayFigures(gateway.startMillis(), seconds, (ok > 0 && requests > 0) ? requests * 1e6 / ok : null,
				(ok > 0 && jvm != null) ? (Double) (jvm.allocatedBytes() / (double) ok) : null,
				(use != null && use.residentBytes() > 0) ? (Long) use.residentBytes() : null, gateway.command(), flags,
				gateway.affinity());
	}

	/**
	 * The theoretical maximum that follows from the mix and the latencies that were
	 * observed.
	 * @return the maximum, {@code null} if the latency of a type is unknown or there is
	 * no maximum worth a name
	 */
	@Nullable TheoreticalMaximum theoreticalMaximum() {
		Double mean = isClosed() ? backendMeanMs() : null;
		if (mean == null || mean < MIN_BACKEND_MILLIS) {
			return null;
		}
		return TheoreticalMaximum.of(this.scenario.workload().connections(), thinkMillis(),
				this.scenario.variant().threads(), mean, this.stage.throughput());
	}

	/**
	 * The mean pause of a user per request. Nobody pauses after the last request.
	 */
	double thinkMillis() {
		int iterations = this.planned.iterations();
		double pauses = (iterations > 0) ? (iterations - 1.0) / iterations : 1;
		return pauses * this.scenario.workload().thinkTime().toMillis();
	}

	/**
	 * Whether responses tell how long a backend took. A target without a backend never
	 * tells, nor does one that keeps the header of its backend to itself.
	 */
	boolean tellsBackend() {
		return types().stream().anyMatch((type) -> type.backendMeanMs() != null);
	}

	/**
	 * The mean latency of the backends for the mix as it was observed.
	 * @return milliseconds, {@code null} if the latency of a type is unknown
	 */
	@Nullable Double backendMeanMs() {
		double mean = 0;
		for (TypeFigures type : types()) {
			if (type.share() > 0) {
				if (type.backendMeanMs() == null) {
					return null;
				}
				mean += type.share() * type.backendMeanMs();
			}
		}
		return mean;
	}

	private static @Nullable Double millis(@Nullable Duration backend) {
		return (backend != null) ? (Double) (backend.toNanos() / 1e6) : null;
	}

	private List<TypeFigures> types() {
		long intended = Math.max(1, this.stage.total().counts().intended());
		List<TypeFigures> types = new ArrayList<>();
		for (RequestType type : this.scenario.workload().mix()) {
			for (TypeResult result : this.stage.types()) {
				if (result.type().equals(type.name())) {
					types.add(new TypeFigures(type.name(), result.counts().intended() / (double) intended,
							result.counts(), result.statuses(), result.failures(), result.latency().service().summary(),
							(result.backendMeanMs() != null) ? result.backendMeanMs() : millis(type.backend())));
				}
			}
		}
		return types;
	}

}
