package io.gatewaybench.benchmark.result;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

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
 * @param planned ids of the scenarios, in the order of the suite
 * @param question what the run was to answer
 * @param choose what a user should choose in which case, in sentences
 * @param warmups how every gateway became warm, in the order of execution
 * @param scenarios what was measured: one for each scenario and start
 * @param slices the slices that it consists of, in the order of execution
 * @param voids what made slices void, each in a sentence; they were played again
 * @param analysis what the slices say together
 * @param thresholds the conditions that must not hold, and what was found of each
 */
public record RunResults(int schemaVersion, String suite, String title, @Nullable Study study, Status status,
		@Nullable String failure, Instant startedAt, @Nullable Instant finishedAt, Settings settings,
		Environment environment, List<String> planned, MainQuestion question, List<String> choose,
		List<WarmupCurve> warmups, List<ScenarioResult> scenarios, List<Slice> slices, List<String> voids,
		Analysis analysis, List<ThresholdResult> thresholds) {

	/**
	 * The version that this code writes, and the only one that it reads.
	 */
	public static final int SCHEMA_VERSION = 13;

	/**
	 * Copies the collections.
	 */
	public RunResults {
		planned = List.copyOf(planned);
		choose = List.copyOf(choose);
		warmups = List.copyOf(warmups);
		scenarios = List.copyOf(scenarios);
		slices = List.copyOf(slices);
		voids = List.copyOf(voids);
		thresholds = List.copyOf(thresholds);
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
		 * Everything that was planned was measured.
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
	 * @param slice length of a slice that does not end by itself
	 * @param precision half the width of the main interval at which the run ends, as a
	 * part
	 * @param time how long the run may take, {@code null} for as long as it needs
	 * @param starts how often all gateways are started, {@code null} for as often as
	 * precision and time ask for
	 * @param rounds how many rounds a start has, {@code null} for as many as fit
	 * @param warmup the most CPU time of a gateway that its warm-up takes, zero for none
	 * @param heap heap of every gateway, as in {@code -Xmx}
	 * @param timeout how long the client waits for an answer; what the SLO view counts a
	 * lost request as
	 * @param seed decides the order, the request mix and the arrivals
	 * @param pinned whether the gateway had cores of its own
	 * @param engine the load engine
	 */
	public record Settings(Duration slice, double precision, @Nullable Duration time, @Nullable Integer starts,
			@Nullable Integer rounds, Duration warmup, String heap, Duration timeout, long seed, boolean pinned,
			String engine) {
	}

	/**
	 * A run that begins.
	 * @param suite name of the suite
	 * @param title what the suite is about
	 * @param study what the suite reproduces, {@code null} if nothing was published
	 * @param startedAt when it begins
	 * @param settings what the user chose
	 * @param environment the machine and the software
	 * @param planned ids of the scenarios, in the order of the suite
	 * @param question what it is to answer
	 * @param choose what a user should choose in which case
	 * @return results without a measurement
	 */
	public static RunResults begin(String suite, String title, @Nullable Study study, Instant startedAt,
			Settings settings, Environment environment, List<String> planned, MainQuestion question,
			List<String> choose) {
		return new RunResults(SCHEMA_VERSION, suite, title, study, Status.RUNNING, null, startedAt, null, settings,
				environment, planned, question, choose, List.of(), List.of(), List.of(), List.of(), Analysis.NONE,
				List.of());
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
							Analysis.compare(measured(claim.scenario()), measured(claim.beside()), this.slices,
									Metric.named(claim.metric()).orElseThrow(), 1),
							this.question.margin()))
					.toList();
	}

	private List<ScenarioResult> measured(String id) {
		return this.scenarios.stream().filter((each) -> each.id().equals(id)).toList();
	}

	/**
	 * A figure of a scenario.
	 * @param scenario its id
	 * @param metric the figure
	 * @return the values by start and round; what is known at the end of a start only is
	 * there by start
	 */
	public Map<List<Integer>, Double> values(String scenario, Metric metric) {
		return Analysis.values(this.scenarios, this.slices, scenario, metric);
	}

	/**
	 * The gateways whose compilers were still at work when their slices began.
	 * @param measured whether those that were measured, or those that were left out
	 * @return their names with their starts
	 */
	public List<String> cold(boolean measured) {
		return this.warmups.stream()
			.filter((curve) -> Boolean.FALSE.equals(curve.steady()) && curve.measured() == measured)
			.map((curve) -> curve.variant() + " in start " + curve.start())
			.toList();
	}

	/**
	 * The answers to the main question.
	 * @return a comparison for each variant that has a baseline, in the order of the
	 * suite
	 */
	public List<Comparison> answers() {
		return this.analysis.answers(this.question);
	}

	/**
	 * The same run with what one more start, or a part of it, has shown.
	 * @param curves how its gateways became warm
	 * @param reasons what made slices void
	 * @param measured one for each scenario
	 * @param played their slices
	 * @return a copy, analysed
	 */
	public RunResults with(List<WarmupCurve> curves, List<String> reasons, List<ScenarioResult> measured,
			List<Slice> played) {
		List<ScenarioResult> all = plus(this.scenarios, measured);
		all.sort(Comparator.<ScenarioResult>comparingInt((result) -> this.planned.indexOf(result.id()))
			.thenComparingInt(ScenarioResult::start));
		List<Slice> more = plus(this.slices, played);
		return new RunResults(this.schemaVersion, this.suite, this.title, this.study, this.status, this.failure,
				this.startedAt, this.finishedAt, this.settings, this.environment, this.planned, this.question,
				this.choose, plus(this.warmups, curves), all, more, plus(this.voids, reasons),
				Analysis.of(all, more, this.question), this.thresholds);
	}

	/**
	 * The same run at its end.
	 * @param how how it ended
	 * @param why the reason, or {@code null} when it is complete
	 * @param when the time
	 * @return a copy
	 */
	public RunResults ended(Status how, @Nullable String why, Instant when) {
		return copy(how, why, when, this.thresholds);
	}

	/**
	 * The same run with other answers to its thresholds.
	 * @param results a result for each condition under each load
	 * @return a copy
	 */
	public RunResults withThresholds(List<ThresholdResult> results) {
		return copy(this.status, this.failure, this.finishedAt, results);
	}

	private RunResults copy(Status how, @Nullable String why, @Nullable Instant end, List<ThresholdResult> judged) {
		return new RunResults(this.schemaVersion, this.suite, this.title, this.study, how, why, this.startedAt, end,
				this.settings, this.environment, this.planned, this.question, this.choose, this.warmups, this.scenarios,
				this.slices, this.voids, this.analysis, judged);
	}

	/**
	 * Whether a threshold has an outcome.
	 * @param outcome the outcome
	 * @return whether one has it at least
	 */
	public boolean hasThreshold(ThresholdResult.Outcome outcome) {
		return this.thresholds.stream().anyMatch((each) -> each.outcome() == outcome);
	}

	private static <T> List<T> plus(List<T> list, List<T> others) {
		List<T> more = new ArrayList<>(list);
		more.addAll(others);
		return more;
	}

	/**
	 * How many starts were measured. Each start of a group of gateways has a number of
	 * its own, so the most that a comparison has are counted.
	 * @return their number, a part of one included
	 */
	public int starts() {
		return this.analysis.comparisons()
			.stream()
			.mapToInt((comparison) -> comparison.ratio().samples())
			.max()
			.orElseGet(() -> (int) this.slices.stream().map(Slice::start).distinct().count());
	}

}
