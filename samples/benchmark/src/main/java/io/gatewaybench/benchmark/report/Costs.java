package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.observe.JvmUse;
import io.gatewaybench.benchmark.observe.MachineUse;
import io.gatewaybench.benchmark.observe.Probe;
import io.gatewaybench.benchmark.observe.ProcessUse;
import io.gatewaybench.benchmark.observe.ThreadGroup;
import io.gatewaybench.benchmark.result.Resources;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import org.jspecify.annotations.Nullable;

/**
 * What gateways, generator and backends used, in the first start.
 */
final class Costs {

	private Costs() {
	}

	/**
	 * What threads of a kind are called.
	 */
	static String name(ThreadGroup group) {
		return switch (group) {
			case EVENT_LOOP -> "event loops";
			case TOMCAT -> "Tomcat";
			case CARRIER -> "virtual threads";
			case CLIENT -> "HTTP client";
			case GC, JIT -> group.name();
			case OTHER, ENDED -> group.name().toLowerCase(Locale.ROOT);
		};
	}

	/**
	 * CPU time of a group of threads in µs per successful response.
	 */
	static double micros(ScenarioResult start, ProcessUse use, ThreadGroup group) {
		return use.cpuSeconds(group) * 1e6 / Math.max(1, start.counts().ok());
	}

	/**
	 * Where the CPU time of the gateways went.
	 */
	static Table gateways(RunResults results) {
		List<String> head = new ArrayList<>(List.of("row"));
		List.of(ThreadGroup.values()).forEach((group) -> head.add(name(group)));
		head.addAll(List.of("user", "system", "run-queue wait", "switches", "collections", "threads", "sockets"));
		return Table.of("CPU per request by thread group",
				"Microseconds per successful response, in the first start. Ended are threads that did not live "
						+ "to the end. Switches are context switches per successful response. A collection is one of garbage, "
						+ "with the time that all of them took.",
				head, (rows) -> Row.of(results).stream().map(Row::first).forEach((start) -> {
					ProcessUse use = start.resources().gateway();
					if (use != null) {
						rows.accept(gateway(start, use));
					}
				}));
	}

	private static List<String> gateway(ScenarioResult start, ProcessUse use) {
		double perOk = 1e6 / Math.max(1, start.counts().ok());
		JvmUse jvm = start.resources().jvm();
		List<String> cells = new ArrayList<>(List.of(start.title()));
		for (ThreadGroup group : ThreadGroup.values()) {
			cells.add(Figures.significant(micros(start, use, group)));
		}
		cells.add(Figures.significant(use.userSeconds() * perOk));
		cells.add(Figures.significant(use.systemSeconds() * perOk));
		cells.add(Figures.significant(use.waitSeconds() * perOk));
		cells.add(Figures.significant((use.switches() + use.preemptions()) * perOk / 1e6));
		cells.add((jvm != null) ? jvm.collections() + ", " + jvm.collectionMillis() + " ms" : Figures.UNKNOWN);
		// An actuator tells neither memory nor these
		boolean seen = use.residentBytes() > 0;
		cells.add(seen ? Figures.count(use.threads()) : Figures.UNKNOWN);
		cells.add(seen ? Figures.count(use.sockets()) : Figures.UNKNOWN);
		return cells;
	}

	/**
	 * How soon the gateways were ready, and what probes saw of them.
	 */
	static Table peaks(RunResults results) {
		List<Row> rows = Row.of(results);
		List<String> names = rows.stream()
			.flatMap((row) -> row.starts().stream())
			.flatMap((start) -> start.probed().stream())
			.map(Probe.Figure::name)
			.distinct()
			.toList();
		return Table.of("Start-up and peaks",
				"In the first start. Start-up is from the start of the process until it was healthy. The peak of the "
						+ "CPU time is that of one second.",
				Stream.concat(Stream.of("row", "start-up"), names.stream()).toList(),
				(table) -> rows.stream()
					.map(Row::first)
					.filter((start) -> start.gateway() != null)
					.forEach((start) -> table.accept(peaks(start, names))));
	}

	private static List<String> peaks(ScenarioResult start, List<String> names) {
		List<String> cells = new ArrayList<>(List.of(start.title(),
				(start.gateway() != null) ? Figures.millis((double) start.gateway().startMillis()) : Figures.UNKNOWN));
		for (String name : names) {
			cells.add(start.probed()
				.stream()
				.filter((figure) -> figure.name().equals(name))
				.findFirst()
				.map((figure) -> Figures.significant(figure.value())
						+ (figure.unit().isEmpty() ? "" : " " + figure.unit()))
				.orElse(Figures.UNKNOWN));
		}
		return cells;
	}

	/**
	 * What those used who should not be seen in a measurement.
	 */
	static Table others(RunResults results) {
		return Table.of("CPU time outside the gateway",
				"Generator and backends per successful response, the rest as a part of the time of all cores, in the first start."
						+ " Steal is what the hypervisor gave to other machines, pressure the part of the "
						+ "time in which a thread waited for a core.",
				List.of("row", "generator", "backends", "runner", "all programs", "steal", "other programs",
						"pressure"),
				(rows) -> Row.of(results).stream().map(Row::first).forEach((start) -> {
					MachineUse machine = start.resources().machine();
					if (machine != null) {
						rows.accept(others(start, machine, results.environment().cores()));
					}
				}));
	}

	private static List<String> others(ScenarioResult start, MachineUse machine, int cores) {
		Resources resources = start.resources();
		long ok = Math.max(1, start.counts().ok());
		return List.of(start.title(), Figures.micros(micros(resources.generator(), ok)),
				Figures.micros(micros(resources.backends(), ok)),
				(resources.runner() != null)
						? Figures.percent(resources.runner().cpuSeconds() / (machine.seconds() * cores))
						: Figures.UNKNOWN,
				Figures.percent(machine.busy()), Figures.percent(machine.steal()), Figures.percent(machine.foreign()),
				Figures.percent(machine.pressure()));
	}

	private static @Nullable Double micros(@Nullable ProcessUse use, long ok) {
		return (use != null) ? (Double) (use.cpuSeconds() * 1e6 / ok) : null;
	}

}
