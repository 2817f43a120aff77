package io.gatewaybench.benchmark.run;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.load.Counts;
import io.gatewaybench.benchmark.load.GeneratorStats;
import io.gatewaybench.benchmark.load.LatencyHistogram;
import io.gatewaybench.benchmark.load.LatencyViews;
import io.gatewaybench.benchmark.load.RequestType;
import io.gatewaybench.benchmark.load.SecondSample;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.StageResult;
import io.gatewaybench.benchmark.load.TypeResult;
import io.gatewaybench.benchmark.observe.JvmUse;
import io.gatewaybench.benchmark.observe.MachineUse;
import io.gatewaybench.benchmark.observe.ProcessUse;
import io.gatewaybench.benchmark.observe.ThreadGroup;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.Resources;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.Slice;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Suite;
import io.gatewaybench.benchmark.suite.Suites;
import io.gatewaybench.benchmark.topology.Running;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class StartResultsTests {

	private static final Suite SUITE = Suites.named("gateway").orElseThrow();

	private static final Scenario SCENARIO = SUITE.scenarios()
		.stream()
		.filter((scenario) -> scenario.id().equals("webflux-c16"))
		.findFirst()
		.orElseThrow();

	private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

	@Test
	void aStartHasTheCountsAndTheHistogramsOfAllItsSlices() {
		ScenarioResult all = of(slice(1, 100, 10), slice(2, 300, 30)).scenarios().getFirst();
		assertThat(all.slices()).isEqualTo(2);
		assertThat(all.startedAt()).isEqualTo(START.plusSeconds(10));
		assertThat(all.seconds()).isEqualTo(4);
		assertThat(all.counts().ok()).isEqualTo(3 * 400);
		assertThat(all.okPerSecond()).isEqualTo(300);
		assertThat(all.latency().service().count()).isEqualTo(1200);
		assertThat(all.latency().service().meanMs()).isCloseTo(25, within(0.1));
		assertThat(all.series()).extracting(SecondSample::second).containsExactly(0, 1, 2, 3);
		assertThat(all.series()).extracting(SecondSample::ok).containsExactly(10L, 20L, 30L, 60L);
		assertThat(all.gateway().cpuSeconds()).isCloseTo(4, within(1e-9));
		// Without the compilers
		assertThat(all.gateway().cpuMicrosPerOk()).isCloseTo(3e6 / 1200, within(1e-6));
		assertThat(all.gateway().allocatedBytesPerOk()).isCloseTo(2000.0 / 1200, within(1e-9));
		assertThat(all.gateway().liveHeapBytes()).isEqualTo(77);
		assertThat(all.resources().machine().seconds()).isEqualTo(4);
	}

	@Test
	void aSliceHasItsOwnFiguresAndWhatDisturbedIt() {
		StartResults results = of(slice(1, 100, 10), slice(2, 300, 30));
		assertThat(results.slices()).extracting(Slice::round).containsExactly(1, 2);
		Slice first = results.slices().getFirst();
		assertThat(first.figures()).containsEntry(Metric.THROUGHPUT, 150.0)
			.doesNotContainKeys(Metric.HEAP, Metric.MEMORY);
		assertThat(first.figures().get(Metric.CPU)).isCloseTo(1.5e6 / 300, within(1e-6));
		assertThat(first.figures().get(Metric.SERVICE_MEAN)).isCloseTo(10, within(0.1));
		// Generator and backends have what the gateway has
		assertThat(first.others()).isCloseTo(4e6 / 300, within(1e-6));
		assertThat(first.steal()).isEqualTo(0.02);
		assertThat(first.foreign()).isEqualTo(0.03);
		assertThat(first.jit()).isEqualTo(0.25);
	}

	@Test
	void whatASliceAddsToAPercentileIsThePseudoValueOfTheJackknife() {
		StartResults results = of(slice(1, 1000, 10), slice(2, 1000, 20), slice(3, 1000, 40));
		double whole = Metric.SERVICE_P50.of(results.scenarios().getFirst());
		assertThat(whole).isCloseTo(20, within(0.1));
		// Without the first slice it is 20 to 40 ms, without the last one 10 to 20 ms
		assertThat(results.slices().getLast().figures().get(Metric.SERVICE_P50))
			.isGreaterThan(results.slices().getFirst().figures().get(Metric.SERVICE_P50));
		StartResults alike = of(slice(1, 1000, 10), slice(2, 1000, 10));
		assertThat(alike.slices())
			.allSatisfy((slice) -> assertThat(slice.figures().get(Metric.SERVICE_P50)).isCloseTo(10, within(0.1)));
		// A single slice is its own
		assertThat(of(slice(1, 1000, 10)).slices().getFirst().figures().get(Metric.SERVICE_P50)).isCloseTo(10,
				within(0.1));
	}

	@Test
	void aSliceThatWasCutShortIsLeftOut() {
		Played whole = slice(1, 100, 10);
		StageResult stage = whole.stage();
		Played cut = new Played(SCENARIO, 2, whole.planned(), "stub", new StageResult(stage.stage(), stage.kind(),
				stage.start(), 1, false, stage.types(), stage.series(), stage.generator()), whole.resources(), null);
		assertThat(of(whole, cut)).isEqualTo(of(whole));
		assertThat(of(cut).scenarios()).isEmpty();
	}

	@Test
	void whatTheHarnessDidWrongIsARemark() {
		assertThat(of(slice(1, 100, 10).with("it was late")).scenarios().getFirst().remarks()).contains("it was late");
	}

	private static StartResults of(Played... slices) {
		Running running = new Running("The gateway", URI.create("http://127.0.0.1:1"), null, true, List.of(), 0, "",
				null, null);
		return StartResults.of(List.of(slices), 1, (any) -> new StartResults.Seen(running, null, 77L, null));
	}

	/**
	 * A slice of 2 s with as many responses of each type.
	 */
	private static Played slice(int round, int each, int millis) {
		Histogram histogram = new Histogram(1_000, 120_000_000_000L, 3);
		histogram.recordValueWithCount(millis * 1_000_000L, each);
		LatencyHistogram latency = LatencyHistogram.of(histogram);
		List<TypeResult> types = new ArrayList<>();
		for (RequestType type : SCENARIO.workload().mix()) {
			types.add(new TypeResult(type.name(), new Counts(each, each, 0, 0, 0, 0, 0, 0), each,
					Map.of(200, (long) each), List.of(), new LatencyViews(latency, latency, latency, latency), null));
		}
		StageResult stage = new StageResult(SCENARIO.id(), Stage.Kind.MEASURE, START.plusSeconds(10L * round), 2, true,
				types, List.of(second(0, each / 10), second(1, each / 5)),
				new GeneratorStats(LatencyHistogram.empty(), 0.1, 0, 0, List.of()));
		ProcessUse use = new ProcessUse(1.5, 0.5, 0, 0, 0, 1000, 10, 5,
				Map.of(ThreadGroup.JIT, new ProcessUse.GroupUse(1, 0.5, 0, 0)));
		Resources resources = new Resources(use, use, use, use, new JvmUse(1000, 0, 0, 0, 0, 0, 0),
				new MachineUse(2, 0.5, 0.02, 0.03, 0));
		return new Played(SCENARIO, round, SCENARIO.load().measurement(SCENARIO.id(), Duration.ofSeconds(2)), "stub",
				stage, resources, null);
	}

	private static SecondSample second(int number, long ok) {
		return new SecondSample(number, ok, ok, ok, 0, 1.0, 1.0, 1.0, null);
	}

}
