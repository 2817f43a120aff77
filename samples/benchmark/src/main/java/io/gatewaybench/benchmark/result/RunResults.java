package io.gatewaybench.benchmark.result;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.gatewaybench.benchmark.suite.Design;
import io.gatewaybench.benchmark.suite.Grouping;
import io.gatewaybench.benchmark.suite.Study;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one run found out: the content of {@code results.json}.
 *
 * @param schemaVersion the version of this structure, {@value #SCHEMA_VERSION}
 * @param suite name of the suite
 * @param title what the suite is about
 * @param study what the suite reproduces, {@code null} if nothing was published
 * @param status how far the run came
 * @param failure why it ended early, or {@code null}
 * @param startedAt when it began
 * @param finishedAt when it ended, or {@code null} while it runs
 * @param settings what the user could choose
 * @param environment the machine and the software
 * @param planned ids of the scenarios of one block, in the order of the suite
 * @param capacity requests per second that generator and backends reach together without
 * a gateway and without the backends' latency, by load; nothing near it can be measured
 * @param warmups how every gateway became warm, in the order of execution
 * @param scenarios what was measured, in the order of execution
 * @param repeated measurements that were made twice because something disturbed the first
 * one: those that do not count
 * @param analysis what the valid measurements say together
 * @param thresholds the conditions that must not hold, and what was found of each; none
 * in results that are older than thresholds
 */
public record RunResults(int schemaVersion, String suite, String title, @Nullable Study study, Status status,
		@Nullable String failure, Instant startedAt, @Nullable Instant finishedAt, Settings settings,
		Environment environment, List<String> planned, Map<String, Double> capacity, List<WarmupCurve> warmups,
		List<ScenarioResult> scenarios, List<ScenarioResult> repeated, Analysis analysis,
		List<ThresholdResult> thresholds) {

	/**
	 * The version that this code writes.
	 */
	public static final int SCHEMA_VERSION = 11;

	/**
	 * The oldest version that this code reads: it lacks the agents of JMeter and
	 * {@link Metric#MEMORY} only.
	 */
	static final int OLDEST_SCHEMA_VERSION = 9;

	/**
	 * Copies the collections.
	 */
	public RunResults {
		planned = List.copyOf(planned);
		capacity = Collections.unmodifiableMap(new LinkedHashMap<>(capacity));
		warmups = List.copyOf(warmups);
		scenarios = List.copyOf(scenarios);
		repeated = List.copyOf(repeated);
		// Results that are older than this field have null
		thresholds = (thresholds != null) ? List.copyOf(thresholds) : List.of();
	}

	/**
	 * How far a run came.
	 */
	public enum Status {

		/**
		 * Still running, or killed while it was.
		 */
		RUNNING,

		/**
		 * Every planned scenario was measured.
		 */
		COMPLETE,

		/**
		 * Ended by the user.
		 */
		INTERRUPTED,

		/**
		 * Ended by a failure.
		 */
		FAILED

	}

	/**
	 * What the user could choose.
	 *
	 * @param warmup load before the measurements of every gateway
	 * @param duration length of every measurement that does not end by iterations
	 * @param blocks number of blocks; each has every variant once, in random order, or
	 * the two of a duet
	 * @param starts how often each gateway that stays is started, with an equal part of
	 * the blocks each time; with fresh gateways the number of blocks
	 * @param heap heap of every gateway, as in {@code -Xmx}
	 * @param timeout how long the client waits for an answer; what the SLO view counts a
	 * lost request as
	 * @param seed decides the order, the request mix and the arrivals
	 * @param pinned whether the gateway had cores of its own
	 * @param grouping among whom Linux shared the cores
	 * @param design how the variants were set against each other
	 * @param engine the load engine
	 */
	public record Settings(Warmup warmup, Duration duration, int blocks, int starts, String heap, Duration timeout,
			long seed, boolean pinned, Grouping grouping, Design design, String engine) {

		/**
		 * The same settings for another number of blocks.
		 * @param number the number
		 * @return a copy
		 */
		public Settings withBlocks(int number) {
			return new Settings(this.warmup, this.duration, number, this.design.isResident() ? this.starts : number,
					this.heap, this.timeout, this.seed, this.pinned, this.grouping, this.design, this.engine);
		}

	}

	/**
	 * Load before the measurements, in cycles of load and rest, because on few cores
	 * continuous load starves the JIT compiler.
	 *
	 * @param load length of the load of a cycle
	 * @param rest the pause after it
	 * @param cycles the most cycles; it ends earlier when the gateway is steady
	 * @param tolerance how far CPU time per request of the last three cycles may differ
	 * in a gateway that is steady, as a part of their mean
	 * @see <a href="https://quarkus.io/blog/when-the-jit-cant-keep-up/">When the JIT
	 * can't keep up</a>
	 */
	public record Warmup(Duration load, Duration rest, int cycles, double tolerance) {
	}

	/**
	 * A run that begins.
	 * @param suite name of the suite
	 * @param title what the suite is about
	 * @param study what the suite reproduces, {@code null} if nothing was published
	 * @param startedAt when it begins
	 * @param settings what the user chose
	 * @param environment the machine and the software
	 * @param planned ids of the scenarios of one block, in the order of the suite
	 * @return results without a measurement
	 */
	public static RunResults begin(String suite, String title, @Nullable Study study, Instant startedAt,
			Settings settings, Environment environment, List<String> planned) {
		return new RunResults(SCHEMA_VERSION, suite, title, study, Status.RUNNING, null, startedAt, null, settings,
				environment, planned, Map.of(), List.of(), List.of(), List.of(), Analysis.NONE, List.of());
	}

	/**
	 * The same run with one more measurement. Of two of the same scenario in the same
	 * block, the one of which more figures may be used counts.
	 * @param scenario what was measured
	 * @return a copy
	 */
	public RunResults with(ScenarioResult scenario) {
		ScenarioResult known = measured(scenario.id(), scenario.block()).orElse(null);
		boolean better = known == null || scenario.verdict().usable() > known.verdict().usable();
		List<ScenarioResult> counting = new ArrayList<>(this.scenarios);
		if (better) {
			counting.remove(known);
			counting.add(scenario);
		}
		List<ScenarioResult> others = (known == null) ? this.repeated : plus(this.repeated, better ? known : scenario);
		return new RunResults(this.schemaVersion, this.suite, this.title, this.study, this.status, this.failure,
				this.startedAt, this.finishedAt, this.settings, this.environment, this.planned, this.capacity,
				this.warmups, counting, others, this.analysis, this.thresholds)
			.analysed();
	}

	/**
	 * What was published for a scenario.
	 * @param id the scenario
	 * @return the figures by the names of metrics, none if nothing was published
	 */
	public Map<String, Double> published(String id) {
		return (this.study != null) ? this.study.figures().getOrDefault(id, Map.of()) : Map.of();
	}

	/**
	 * What the study says of the scenarios of this run, beside what was measured.
	 * @return a result for each claim, none if nothing was published
	 */
	public List<ClaimResult> claims() {
		return (this.study == null) ? List.of()
				: this.study.claims()
					.stream()
					.filter((claim) -> this.planned.containsAll(List.of(claim.scenario(), claim.beside())))
					.map((claim) -> ClaimResult.of(claim,
							Analysis.compare(measured(claim.scenario()), measured(claim.beside()),
									Metric.named(claim.metric()).orElseThrow())))
					.toList();
	}

	private List<ScenarioResult> measured(String id) {
		return this.scenarios.stream().filter((each) -> each.id().equals(id)).toList();
	}

	private Optional<ScenarioResult> measured(String id, int block) {
		return this.scenarios.stream().filter((each) -> each.id().equals(id) && each.block() == block).findFirst();
	}

	/**
	 * Whether a scenario was measured in a block, and something disturbed it.
	 * @param id the scenario
	 * @param block the block
	 * @return whether it is invalid
	 */
	public boolean isDisturbed(String id, int block) {
		return measured(id, block).filter((each) -> !each.verdict().valid()).isPresent();
	}

	/**
	 * Whether a scenario has a figure that may be used.
	 * @param id the scenario
	 * @return whether it is valid in any block
	 */
	public boolean hasValid(String id) {
		return this.scenarios.stream().anyMatch((each) -> each.id().equals(id) && each.verdict().valid());
	}

	/**
	 * The same run with one more gateway that was warmed up.
	 * @param warmup how it went
	 * @return a copy
	 */
	public RunResults with(WarmupCurve warmup) {
		return new RunResults(this.schemaVersion, this.suite, this.title, this.study, this.status, this.failure,
				this.startedAt, this.finishedAt, this.settings, this.environment, this.planned, this.capacity,
				plus(this.warmups, warmup), this.scenarios, this.repeated, this.analysis, this.thresholds);
	}

	/**
	 * The same run with what generator and backends can do.
	 * @param perSecond requests per second, by load
	 * @return a copy
	 */
	public RunResults withCapacity(Map<String, Double> perSecond) {
		return new RunResults(this.schemaVersion, this.suite, this.title, this.study, this.status, this.failure,
				this.startedAt, this.finishedAt, this.settings, this.environment, this.planned, perSecond, this.warmups,
				this.scenarios, this.repeated, this.analysis, this.thresholds);
	}

	/**
	 * The same run with fewer blocks, when there was no time for more.
	 * @param blocks how many were done
	 * @return a copy
	 */
	public RunResults withBlocks(int blocks) {
		return new RunResults(this.schemaVersion, this.suite, this.title, this.study, this.status, this.failure,
				this.startedAt, this.finishedAt, this.settings.withBlocks(blocks), this.environment, this.planned,
				this.capacity, this.warmups, this.scenarios, this.repeated, this.analysis, this.thresholds);
	}

	/**
	 * The same run at its end.
	 * @param how how it ended
	 * @param why the reason, or {@code null} when it is complete
	 * @param when the time
	 * @return a copy
	 */
	public RunResults ended(Status how, @Nullable String why, Instant when) {
		return new RunResults(this.schemaVersion, this.suite, this.title, this.study, how, why, this.startedAt, when,
				this.settings, this.environment, this.planned, this.capacity, this.warmups, this.scenarios,
				this.repeated, this.analysis, this.thresholds);
	}

	/**
	 * The same run with other answers to its thresholds.
	 * @param results a result for each condition under each load
	 * @return a copy
	 */
	public RunResults withThresholds(List<ThresholdResult> results) {
		return new RunResults(this.schemaVersion, this.suite, this.title, this.study, this.status, this.failure,
				this.startedAt, this.finishedAt, this.settings, this.environment, this.planned, this.capacity,
				this.warmups, this.scenarios, this.repeated, this.analysis, results);
	}

	/**
	 * Whether a threshold has an outcome.
	 * @param outcome the outcome
	 * @return whether one has it at least
	 */
	public boolean hasThreshold(ThresholdResult.Outcome outcome) {
		return this.thresholds.stream().anyMatch((each) -> each.outcome() == outcome);
	}

	/**
	 * The same run analysed by the metrics of this version.
	 */
	RunResults analysed() {
		return new RunResults(this.schemaVersion, this.suite, this.title, this.study, this.status, this.failure,
				this.startedAt, this.finishedAt, this.settings, this.environment, this.planned, this.capacity,
				this.warmups, this.scenarios, this.repeated, Analysis.of(inSuiteOrder()), this.thresholds);
	}

	private static <T> List<T> plus(List<T> list, T one) {
		List<T> more = new ArrayList<>(list);
		more.add(one);
		return more;
	}

	/**
	 * The scenarios in the order of the suite, repetitions of one scenario together.
	 * @return the same scenarios, ordered
	 */
	public List<ScenarioResult> inSuiteOrder() {
		return this.scenarios.stream()
			.sorted(Comparator.<ScenarioResult>comparingInt((result) -> this.planned.indexOf(result.id()))
				.thenComparingInt(ScenarioResult::block))
			.toList();
	}

}
