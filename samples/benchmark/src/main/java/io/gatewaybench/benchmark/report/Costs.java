package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

import io.gatewaybench.benchmark.observe.JvmUse;
import io.gatewaybench.benchmark.observe.ProcessUse;
import io.gatewaybench.benchmark.observe.ThreadGroup;
import io.gatewaybench.benchmark.result.Resources;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.ScenarioResult.GatewayFigures;
import org.jspecify.annotations.Nullable;

/**
 * What gateways, generator and backends used, in the first start.
 */
final class Costs {

	private Costs() {
	}

	/**
	 * Where the CPU time went.
	 */
	static Table table(RunResults results) {
		List<String> head = new ArrayList<>(List.of("row", "start-up"));
		List.of(ThreadGroup.values()).forEach((group) -> head.add(group.title()));
		head.addAll(List.of("user", "system", "run-queue wait", "switches", "collections", "threads", "sockets",
				"generator", "backends"));
		return new Table("CPU per request by thread group",
				"Microseconds per successful response, in the first start. Ended are threads that did not live "
						+ "to the end. Switches are context switches per successful response. A collection is one of garbage, "
						+ "with the time that all of them took. Start-up is from the start of the process until it was healthy. "
						+ "Generator and backends are other processes.",
				head, Row.of(results).stream().map((row) -> row(row.first())).toList());
	}

	private static List<String> row(ScenarioResult start) {
		Resources resources = start.resources();
		ProcessUse use = resources.gateway();
		JvmUse jvm = resources.jvm();
		GatewayFigures gateway = start.gateway();
		List<String> cells = new ArrayList<>(List.of(start.title(),
				(gateway != null) ? Figures.millis((double) gateway.startMillis()) : Figures.UNKNOWN));
		for (ThreadGroup group : ThreadGroup.values()) {
			cells.add(micros(start, use, (each) -> each.cpuSeconds(group)));
		}
		cells.add(micros(start, use, ProcessUse::userSeconds));
		cells.add(micros(start, use, ProcessUse::systemSeconds));
		cells.add(micros(start, use, ProcessUse::waitSeconds));
		cells.add(micros(start, use, (each) -> (each.switches() + each.preemptions()) / 1e6));
		cells.add((jvm != null) ? jvm.collections() + ", " + jvm.collectionMillis() + " ms" : Figures.UNKNOWN);
		// An actuator tells neither memory nor these
		cells.addAll((use != null && use.residentBytes() > 0)
				? List.of(Figures.count(use.threads()), Figures.count(use.sockets()))
				: List.of(Figures.UNKNOWN, Figures.UNKNOWN));
		cells.add(micros(start, resources.generator(), ProcessUse::cpuSeconds));
		cells.add(micros(start, resources.backends(), ProcessUse::cpuSeconds));
		return cells;
	}

	private static String micros(ScenarioResult start, @Nullable ProcessUse use, ToDoubleFunction<ProcessUse> seconds) {
		return (use == null) ? Figures.UNKNOWN
				: Figures.significant(seconds.applyAsDouble(use) * 1e6 / Math.max(1, start.counts().ok()));
	}

}
