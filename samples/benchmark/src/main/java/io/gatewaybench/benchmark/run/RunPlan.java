package io.gatewaybench.benchmark.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.load.RequestType;
import io.gatewaybench.benchmark.load.Step;
import io.gatewaybench.benchmark.result.MainQuestion;
import io.gatewaybench.benchmark.result.RunResults.Settings;
import io.gatewaybench.benchmark.suite.Component;
import io.gatewaybench.benchmark.suite.Load;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Suite;
import io.gatewaybench.benchmark.suite.Variant;

/**
 * Everything that a run will do: the content of {@code plan.json}. The seed decides the
 * order of the slices in every round, so it is known before the run.
 *
 * @param suite name of the suite
 * @param settings what the user chose
 * @param question what is to be answered
 * @param components what runs for the whole run
 * @param groups scenarios whose gateways are up at the same time: all of them, unless the
 * memory is too small. Each group has the baselines that it needs
 * @param profile whether every variant is profiled after the last round
 */
public record RunPlan(String suite, Settings settings, MainQuestion question, Map<String, Component> components,
		List<List<Scenario>> groups, boolean profile) {

	/**
	 * How long requests are sent before the window of a slice, so that it begins in the
	 * middle of the load: some times the response time of most services.
	 */
	private static final Duration LEAD = Duration.ofMillis(300);

	// A window has some responses of each user, and the lead enough for the queues to be
	// what they stay
	private static final int TURNS = 6;

	private static final int LEAD_TURNS = 2;

	/**
	 * Plans a run on a single host.
	 * @param suite the suite
	 * @param scenarios those of its scenarios that were chosen
	 * @param settings what the user chose
	 * @param question what is to be answered
	 * @param gatewaysAtOnce how many gateways the memory has room for
	 * @param profile whether every variant is profiled
	 * @return the plan
	 */
	public static RunPlan of(Suite suite, List<Scenario> scenarios, Settings settings, MainQuestion question,
			int gatewaysAtOnce, boolean profile) {
		return new RunPlan(suite.name(), settings, question, suite.components(), groups(scenarios, gatewaysAtOnce),
				profile);
	}

	private static List<List<Scenario>> groups(List<Scenario> scenarios, int atOnce) {
		List<List<Variant>> groups = new ArrayList<>();
		for (Variant variant : scenarios.stream().map(Scenario::variant).distinct().toList()) {
			List<Variant> needed = withBaseline(variant, scenarios);
			List<Variant> last = groups.isEmpty() ? List.of() : groups.getLast();
			List<Variant> more = new ArrayList<>(last);
			needed.stream().filter((each) -> !more.contains(each)).forEach(more::add);
			if (groups.isEmpty() || processes(more) > atOnce) {
				groups.add(new ArrayList<>(needed));
			}
			else {
				groups.set(groups.size() - 1, more);
			}
		}
		return groups.stream()
			// A baseline that stands alone is in the group of what it is compared with
			.filter((group) -> groups.size() == 1 || group.size() > 1)
			.map((group) -> scenarios.stream().filter((each) -> group.contains(each.variant())).toList())
			.toList();
	}

	private static List<Variant> withBaseline(Variant variant, List<Scenario> scenarios) {
		return scenarios.stream()
			.map(Scenario::variant)
			.distinct()
			.filter((other) -> !other.control())
			.filter((other) -> variant.baseline() == null || other.title().equals(variant.baseline()))
			.findFirst()
			.filter((baseline) -> !variant.control() && !baseline.equals(variant))
			.map((baseline) -> List.of(baseline, variant))
			.orElse(List.of(variant));
	}

	/**
	 * How many gateways variants need.
	 * @param variants the variants
	 * @return the number of their processes
	 */
	public static int processes(List<Variant> variants) {
		return (int) variants.stream().filter((variant) -> !variant.control()).map(Variant::process).distinct().count();
	}

	/**
	 * All scenarios.
	 * @return each once
	 */
	public List<Scenario> scenarios() {
		return this.groups.stream().flatMap(List::stream).distinct().toList();
	}

	/**
	 * The slices of a round: one load after the other, so that a variant and its baseline
	 * are close to each other. Every other round has the load of the main question only,
	 * and no control, so that the answer gets most of the time.
	 * @param group its scenarios
	 * @param start the start, from 1
	 * @param round the round, from 1; 0 for one that does not count
	 * @return the scenarios in the order in which they are played
	 */
	List<Scenario> round(List<Scenario> group, int start, int round) {
		Random random = new Random(seed(start, round));
		List<List<Scenario>> loads = new ArrayList<>(
				group.stream().collect(Collectors.groupingBy((each) -> each.load().id())).values());
		Collections.shuffle(loads, random);
		List<Scenario> order = new ArrayList<>();
		for (List<Scenario> load : loads) {
			List<Scenario> variants = new ArrayList<>(load.stream()
				.filter((each) -> round % 2 == 1 || (round == 0 && !each.variant().control()) || isAsked(each))
				.toList());
			Collections.shuffle(variants, random);
			order.addAll(variants);
		}
		return order;
	}

	/**
	 * Whether the main question is about a scenario.
	 */
	boolean isAsked(Scenario scenario) {
		return !scenario.variant().control() && scenario.load().id().equals(this.question.load());
	}

	/**
	 * The seed of everything random in a round.
	 */
	long seed(int start, int round) {
		return (this.settings.seed() * 1_000 + start) * 1_000 + round;
	}

	/**
	 * How long requests are sent before the window of a slice.
	 * @param load the load
	 * @param turn how long a user waits for a response on average, as far as that is
	 * known
	 * @return zero if the load has a beginning of its own
	 */
	Duration lead(Load load, Duration turn) {
		boolean own = load.iterations() != null || !load.steps().isEmpty() || load.p99Limit() != null;
		return own ? Duration.ZERO : longest(LEAD, longest(backend(load), turn).multipliedBy(LEAD_TURNS));
	}

	/**
	 * How long the window of a slice is.
	 * @param load the load
	 * @param turn how long a user waits for a response on average, as far as that is
	 * known
	 * @return at most, where the load ends by itself
	 */
	Duration window(Load load, Duration turn) {
		Duration steps = load.steps().stream().map(Step::duration).reduce(Duration.ZERO, Duration::plus);
		Duration search = (load.p99Limit() != null) ? RateSearch.MEASUREMENT : Duration.ZERO;
		return load
			.maxDuration(longest(longest(this.settings.slice(), longest(backend(load), turn).multipliedBy(TURNS)),
					longest(steps, search)));
	}

	private static Duration backend(Load load) {
		return load.workload()
			.mix()
			.stream()
			.map(RequestType::backend)
			.filter((each) -> each != null)
			.max(Duration::compareTo)
			.orElse(Duration.ZERO);
	}

	private static Duration longest(Duration one, Duration other) {
		return (one.compareTo(other) > 0) ? one : other;
	}

}
