package io.gatewaybench.benchmark.selftest;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.gatewaybench.benchmark.load.LatencyViews;
import io.gatewaybench.benchmark.load.LoadSession;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.result.Environment.GroupedBy;
import io.gatewaybench.benchmark.suite.Grouping;
import io.gatewaybench.benchmark.suite.Suites;
import io.gatewaybench.benchmark.suite.Variant;
import io.gatewaybench.benchmark.topology.Placement;
import io.gatewaybench.benchmark.topology.Running;
import io.gatewaybench.benchmark.topology.Simulator;

/**
 * Among whom Linux shares the cores decides the P99 of a gateway with a hundred threads
 * on two cores. If both groupings gave the same, {@code --grouping} would do nothing.
 */
final class GroupingCheck implements Check {

	private static final int CONNECTIONS = 100;

	private static final double LEAST_DIFFERENCE = 1.5;

	private static final Path AUTOGROUP = Path.of("/proc/sys/kernel/sched_autogroup_enabled");

	@Override
	public Outcome run(CheckEnvironment environment) throws InterruptedException {
		if (Placement.usualGrouping() != Grouping.OWN || Runtime.getRuntime().availableProcessors() < 2) {
			return Outcome.skipped("it needs two cores, and setsid and taskset of util-linux");
		}
		Placement placement = Placement.of(Grouping.OWN);
		if (placement.groupedBy() == GroupedBy.SESSIONS && !environment.reads(AUTOGROUP, "1")) {
			return Outcome.skipped("this kernel shares the cores among threads, whatever their session is");
		}
		double shared = p99(environment, Placement.of(Grouping.SHARED));
		double own = p99(environment, placement);
		return new Outcome.Findings()
			.that(own >= LEAST_DIFFERENCE * shared, "P99 %.1f ms in one group, %.1f ms in groups of their own (%s)",
					shared, own, placement.groupedBy())
			.outcome();
	}

	private static double p99(CheckEnvironment environment, Placement placement) throws InterruptedException {
		Variant platform = Suites.named("gateway").orElseThrow().scenarios().getLast().variant();
		// More cores than two would leave each thread one of its own
		try (CheckEnvironment grouped = environment.on(placement.on(0, 1));
				Simulator stub = grouped.stub("", "--zero-delay");
				Running gateway = grouped.gateway(platform, stub)) {
			Stage measure = Stage.closed("measure", Stage.Kind.MEASURE, Duration.ofSeconds(8));
			LatencyViews latency;
			try (LoadSession session = grouped.open(gateway.address(), Model.CLOSED, CONNECTIONS,
					List.of(CheckEnvironment.get("hello", 1, "/service-a/api/hello", 10)), Duration.ofSeconds(10))) {
				CheckEnvironment.send(session, Stage.closed("warm-up", Stage.Kind.WARMUP, Duration.ofSeconds(20)));
				latency = CheckEnvironment.send(session, measure).total().latency();
			}
			return latency.service().histogram().getValueAtPercentile(99) / 1e6;
		}
	}

}
