package io.gatewaybench.benchmark;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.load.Arrivals;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.suite.Iterations;
import io.gatewaybench.benchmark.suite.Load;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Suite;
import io.gatewaybench.benchmark.suite.Variant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options of {@code bench run} that choose scenarios of the suite and change their
 * loads.
 */
final class ScenarioOptions {

	@Option(names = "--aa", description = "Compare the first variant with itself: what differs is noise.")
	private boolean aa;

	@Option(names = "--rate", paramLabel = "<n>",
			description = "Send so many requests per second, whatever the responses (open model).")
	private @Nullable Double rate;

	@Option(names = "--connections", paramLabel = "<n>",
			description = "The users of the closed model; with --rate, the most requests in flight (default: 256).")
	private @Nullable Integer connections;

	@Option(names = "--iterations", paramLabel = "<n>",
			description = "How many requests each user of the closed model sends, within 10 minutes.")
	private @Nullable Integer iterations;

	@Option(names = "--arrivals", paramLabel = "<how>", defaultValue = "CONSTANT",
			description = "How the requests of --rate are spread: constant or poisson (default: ${DEFAULT-VALUE}).")
	private Arrivals arrivals = Arrivals.CONSTANT;

	@Option(names = "--only", paramLabel = "<scenario>", split = ",",
			description = "Only scenarios whose id contains this, or matches it if it has a * or ?.")
	private List<String> only = List.of();

	/**
	 * Chooses scenarios, and changes their loads as the user says.
	 * @param suite the suite
	 * @param full whether the run takes the time that certainty needs
	 * @param command refuses what is not possible
	 * @return what is to be measured
	 */
	List<Scenario> scenarios(Suite suite, boolean full, BenchCommand command) {
		List<Scenario> usual = full ? suite.fullScenarios() : suite.scenarios();
		List<Scenario> all = (full || this.only.isEmpty()) ? usual : suite.optionalScenarios();
		List<Scenario> scenarios = select(all, usual);
		command.check(!scenarios.isEmpty(), "--only " + String.join(",", this.only) + " matches no scenario of suite "
				+ suite.name() + "; choose from: " + all.stream().map(Scenario::id).collect(Collectors.joining(", ")));
		command.checkRange("--connections", this.connections, 1, 10_000);
		command.checkRange("--rate", this.rate, 1, (long) Stage.HIGHEST_RATE);
		command.checkRange("--iterations", this.iterations, 1, Iterations.MOST);
		if (this.rate != null) {
			double perSecond = this.rate;
			command.check(this.arrivals != Arrivals.STEPPED,
					"--arrivals stepped is for suites that have steps; use constant or poisson");
			int most = (this.connections != null) ? this.connections : Load.OPEN_CONNECTIONS;
			scenarios = changed(scenarios, (load) -> load.atRate(perSecond, this.arrivals, most));
		}
		else if (this.connections != null) {
			int number = this.connections;
			scenarios = changed(scenarios, (load) -> load.on(number));
		}
		if (this.iterations != null) {
			int number = this.iterations;
			command.check(scenarios.stream().allMatch((scenario) -> scenario.load().rate() == 0),
					"--iterations is for closed loops, and these scenarios have a rate; leave it out");
			scenarios = changed(scenarios, (load) -> load.times(number));
		}
		if (this.aa) {
			Variant first = scenarios.stream()
				.map(Scenario::variant)
				.filter((variant) -> !variant.control())
				.findFirst()
				.orElseThrow(() -> command.usage("--aa needs a gateway, but --only leaves none"));
			return scenarios.stream()
				.filter((scenario) -> scenario.variant().control() || scenario.variant().equals(first))
				.flatMap((scenario) -> scenario.variant().control() ? Stream.of(scenario)
						: Stream.of(scenario, scenario.again()))
				.toList();
		}
		return scenarios;
	}

	// Rows that differ only in what is changed become one
	private static List<Scenario> changed(List<Scenario> scenarios, UnaryOperator<Load> change) {
		return scenarios.stream()
			.map((scenario) -> Scenario.of(scenario.variant(), change.apply(scenario.load())))
			.distinct()
			.toList();
	}

	/**
	 * Chooses, and adds the controls of the loads that were chosen.
	 * @param scenarios what there is
	 * @param usual what is measured unless the user chooses; no other control is added
	 * @return what was chosen, in the same order
	 */
	private List<Scenario> select(List<Scenario> scenarios, List<Scenario> usual) {
		List<String> loads = scenarios.stream()
			.filter((scenario) -> matches(scenario.id()))
			.map((scenario) -> scenario.load().id())
			.toList();
		return scenarios.stream()
			.filter((scenario) -> matches(scenario.id()) || (scenario.variant().control() && usual.contains(scenario)
					&& loads.contains(scenario.load().id())))
			.toList();
	}

	boolean chosen() {
		return !this.only.isEmpty();
	}

	private boolean matches(String id) {
		return this.only.isEmpty() || this.only.stream().anyMatch((pattern) -> matches(pattern.strip(), id));
	}

	private static boolean matches(String pattern, String id) {
		if (pattern.indexOf('*') < 0 && pattern.indexOf('?') < 0) {
			return !pattern.isEmpty() && id.contains(pattern);
		}
		String regex = Pattern.quote(pattern).replace("*", "\\E.*\\Q").replace("?", "\\E.\\Q");
		return Pattern.matches(regex, id);
	}

}
