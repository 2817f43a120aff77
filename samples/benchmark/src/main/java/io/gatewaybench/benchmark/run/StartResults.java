package io.gatewaybench.benchmark.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.gatewaybench.benchmark.load.LatencyViews;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.RequestType;
import io.gatewaybench.benchmark.load.StageResult;
import io.gatewaybench.benchmark.load.TypeResult;
import io.gatewaybench.benchmark.observe.JvmUse;
import io.gatewaybench.benchmark.observe.MachineUse;
import io.gatewaybench.benchmark.observe.ProcessUse;
import io.gatewaybench.benchmark.observe.ThreadGroup;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.Resources;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.ScenarioResult.GatewayFigures;
import io.gatewaybench.benchmark.result.ScenarioResult.GeneratorFigures;
import io.gatewaybench.benchmark.result.ScenarioResult.LatencyFigures;
import io.gatewaybench.benchmark.result.ScenarioResult.LoadFigures;
import io.gatewaybench.benchmark.result.ScenarioResult.TypeFigures;
import io.gatewaybench.benchmark.result.Slice;
import io.gatewaybench.benchmark.result.TheoreticalMaximum;
import io.gatewaybench.benchmark.suite.Load;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.topology.Running;

/**
 * What one start of the gateways has shown.
 *
 * @param scenarios one for each scenario, all its slices together
 * @param slices the slices
 */
record StartResults(List<ScenarioResult> scenarios, List<Slice> slices) {

	// What answers at once allows more than a machine can do
	private static final double MIN_BACKEND_MILLIS = 1;

	/**
	 * What is known of the target of a scenario.
	 *
	 * @param target the target
	 * @param flags the flags of its JVM, {@code null} where unknown
	 * @param liveHeapBytes its heap in use after a collection, {@code null} where unknown
	 * @param betweenSlices the part of its CPU time that it used between its slices, 0 to
	 * 1, {@code null} where unknown
	 */
	record Seen(Running target, @Nullable String flags, @Nullable Long liveHeapBytes, @Nullable Double betweenSlices) {
	}

	/**
	 * Puts slices together.
	 * @param played the slices in the order of time
	 * @param start which start, from 1
	 * @param seen what is known of targets
	 */
	static StartResults of(List<Played> played, int start, Function<Scenario, Seen> seen) {
		List<ScenarioResult> scenarios = new ArrayList<>();
		List<Slice> slices = new ArrayList<>();
		played.stream()
			.filter((slice) -> slice.stage().complete())
			.collect(Collectors.groupingBy((slice) -> slice.scenario().id(), LinkedHashMap::new, Collectors.toList()))
			.values()
			.forEach((some) -> {
				Seen target = seen.apply(some.getFirst().scenario());
				StageResult stage = StageResult.inTurn(some.stream().map(Played::stage).toList());
				ScenarioResult all = result(stage, some, start, target);
				scenarios.add(all);
				LatencyViews views = stage.total().latency();
				for (Played slice : some) {
					Map<Metric, Double> figures = figures(result(slice.stage(), List.of(slice), start, target));
					LatencyFigures others = latency(views.without(slice.stage().total().latency()));
					figures.putAll(pseudoValues(all, all.with(others), some.size()));
					slices.add(slice(slice, start, figures));
				}
			});
		return new StartResults(scenarios, slices);
	}

	private static Map<Metric, Double> figures(ScenarioResult slice) {
		Map<Metric, Double> figures = new EnumMap<>(Metric.class);
		for (Metric metric : Metric.values()) {
			Double value = metric.isOfStart() ? null : metric.of(slice);
			if (value != null && value > 0) {
				figures.put(metric, value);
			}
		}
		return figures;
	}

	/**
	 * The percentiles of all slices together are those of the start. What a slice adds to
	 * them, on logarithms, tells how certain they are.
	 */
	private static Map<Metric, Double> pseudoValues(ScenarioResult all, ScenarioResult without, int slices) {
		Map<Metric, Double> whole = figures(all);
		Map<Metric, Double> values = figures(without);
		values.keySet().removeIf((metric) -> !metric.isPercentile() || !whole.containsKey(metric));
		values.replaceAll((metric, rest) -> Math
			.exp(slices * Math.log(Objects.requireNonNull(whole.get(metric))) - (slices - 1) * Math.log(rest)));
		return values;
	}

	private static Slice slice(Played played, int start, Map<Metric, Double> figures) {
		Resources resources = played.resources();
		MachineUse machine = resources.machine();
		ProcessUse gateway = resources.gateway();
		ProcessUse generator = resources.generator();
		ProcessUse backends = resources.backends();
		long ok = played.stage().total().counts().ok();
		double others = (generator != null && backends != null) ? generator.cpuSeconds() + backends.cpuSeconds() : 0;
		return new Slice(played.scenario().id(), start, played.round(), played.stage().start(), figures,
				(others > 0 && ok > 0) ? (Double) (others * 1e6 / ok) : null, (machine != null) ? machine.steal() : 0,
				(machine != null) ? machine.foreign() : 0, (gateway != null && gateway.cpuSeconds() > 0)
						? gateway.cpuSeconds(ThreadGroup.JIT) / gateway.cpuSeconds() : 0);
	}

	private static LatencyFigures latency(LatencyViews views) {
		return new LatencyFigures(views.service().summary(), views.response().summary(), views.slo().summary(),
				views.overhead().summary());
	}

	private static ScenarioResult result(StageResult stage, List<Played> slices, int start, Seen seen) {
		Played last = slices.getLast();
		Scenario scenario = last.scenario();
		Resources resources = slices.stream().map(Played::resources).reduce(Resources::then).orElseThrow();
		TypeResult total = stage.total();
		Load load = scenario.load();
		boolean closed = scenario.workload().model() == Model.CLOSED;
		List<TypeFigures> types = types(stage, scenario);
		GatewayFigures gateway = scenario.variant().control() ? null : gateway(seen, resources, total.counts().ok());
		TheoreticalMaximum maximum = closed ? maximum(scenario, types, last, stage.throughput()) : null;
		Remarks remarks = new Remarks(scenario, slices, stage, maximum, seen.target());
		return new ScenarioResult(scenario.id(), scenario.title(), scenario.variant().title(),
				scenario.variant().control(), scenario.variant().baseline(),
				new LoadFigures(load.id(), load.selection(), load.workload().model(), load.workload().connections(),
						load.workload().thinkTime().isZero() ? null : (Long) load.workload().thinkTime().toMillis(),
						(load.iterations() != null) ? (Integer) load.iterations().perUser() : null,
						closed ? null : (Double) load.rate(), closed ? null : load.arrivals(),
						(load.p99Limit() != null) ? (Long) load.p99Limit().toMillis() : null,
						total.counts().intended()),
				start, slices.size(), stage.start(), stage.seconds(), total.counts(), stage.throughput(),
				latency(total.latency()), types, stage.series(), gateway,
				new GeneratorFigures(last.engine(), stage.generator().cpuSeconds(), stage.generator().reconnects(),
						stage.generator().lag().summary(), stage.generator().agents()),
				resources, maximum, remarks.failures(), remarks.all());
	}

	private static GatewayFigures gateway(Seen seen, Resources resources, long ok) {
		ProcessUse use = resources.gateway();
		JvmUse jvm = resources.jvm();
		// A process that ended has no CPU time any more
		double seconds = (use != null) ? Math.max(0, use.cpuSeconds()) : 0;
		double requests = (use != null) ? Math.max(0, seconds - use.cpuSeconds(ThreadGroup.JIT)) : 0;
		return new GatewayFigures(seen.target().startMillis(), seconds,
				(ok > 0 && requests > 0) ? (Double) (requests * 1e6 / ok) : null,
				(ok > 0 && jvm != null) ? (Double) (jvm.allocatedBytes() / (double) ok) : null, seen.betweenSlices(),
				seen.liveHeapBytes(), (use != null && use.residentBytes() > 0) ? (Long) use.residentBytes() : null,
				seen.target().command(), seen.flags(), seen.target().affinity());
	}

	/**
	 * The theoretical maximum that follows from the mix and the latencies that were
	 * observed, {@code null} if the latency of a type is unknown or there is no maximum
	 * worth a name.
	 */
	private static @Nullable TheoreticalMaximum maximum(Scenario scenario, List<TypeFigures> types, Played any,
			double perSecond) {
		double mean = 0;
		for (TypeFigures type : types) {
			if (type.share() > 0) {
				if (type.backendMeanMs() == null) {
					return null;
				}
				mean += type.share() * type.backendMeanMs();
			}
		}
		return (mean < MIN_BACKEND_MILLIS) ? null : TheoreticalMaximum.of(scenario.workload().connections(),
				thinkMillis(any), scenario.variant().threads(), mean, perSecond);
	}

	/**
	 * The mean pause of a user per request. Nobody pauses after the last request.
	 */
	static double thinkMillis(Played slice) {
		int iterations = slice.planned().iterations();
		double pauses = (iterations > 0) ? (iterations - 1.0) / iterations : 1;
		return pauses * slice.scenario().workload().thinkTime().toMillis();
	}

	private static List<TypeFigures> types(StageResult stage, Scenario scenario) {
		long intended = Math.max(1, stage.total().counts().intended());
		List<TypeFigures> types = new ArrayList<>();
		for (RequestType type : scenario.workload().mix()) {
			for (TypeResult result : stage.types()) {
				if (result.type().equals(type.name())) {
					Duration backend = type.backend();
					Double millis = (backend != null) ? (Double) (backend.toNanos() / 1e6) : null;
					types.add(new TypeFigures(type.name(), result.counts().intended() / (double) intended,
							result.counts(), result.statuses(), result.failures(), result.latency().service().summary(),
							(result.backendMeanMs() != null) ? result.backendMeanMs() : millis));
				}
			}
		}
		return types;
	}

}
