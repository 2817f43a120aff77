package io.gatewaybench.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.load.Arrivals;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.suite.Iterations;
import io.gatewaybench.benchmark.suite.Load;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Suite;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The options of {@code bench run} that choose scenarios of the suite and change their
 * loads.
 */
final class ScenarioOptions {

	@Option(names = "--aa", description = "Compare the first variant with itself: what differs is noise.")
	private boolean aa;

	@Option(names = "--rate", paramLabel = "<n>",
			description = "Send so many requests per second whatever the answers (open model), instead of the "
					+ "closed loop that was published.")
	private @Nullable Double rate;

	@Option(names = "--connections", paramLabel = "<n>",
			description = "Closed loops on so many connections, instead of as many as were published; with --rate, the most "
					+ "requests in flight (default: 256).")
	private @Nullable Integer connections;

	@Option(names = "--iterations", paramLabel = "<n>",
			description = "Each user of a closed loop sends so many requests, within 10 minutes, instead of as many as the suite "
					+ "says.")
	private @Nullable Integer iterations;

	@Option(names = "--arrivals", paramLabel = "<how>", defaultValue = "CONSTANT",
			description = "How the requests of --rate are spread: constant or Poisson (default: ${DEFAULT-VALUE}).")
	private Arrivals arrivals = Arrivals.CONSTANT;

	@Option(names = "--only", paramLabel = "<scenario>", split = ",",
			description = "Only scenarios whose id contains this, or matches it if it has a * or ?; "
					+ "may be repeated or separated by commas.")
	private List<String> only = List.of();

	@Spec(Spec.Target.MIXEE)
	@SuppressWarnings("NullAway.Init")
	private CommandSpec command;

	/**
	 * Chooses scenarios, and changes their loads as the user says.
	 * @param suite the suite
	 * @param full whether the run takes the time that certainty needs
	 * @return what is to be measured
	 */
	List<Scenario> scenarios(Suite suite, boolean full) {
		List<Scenario> usual = full ? suite.fullScenarios() : suite.scenarios();
		List<Scenario> all = (full || this.only.isEmpty()) ? usual : suite.optionalScenarios();
		List<Scenario> scenarios = select(all, usual);
		if (scenarios.isEmpty()) {
			throw usage("--only " + String.join(",", this.only) + " matches no scenario of suite " + suite.name()
					+ "; choose from: " + all.stream().map(Scenario::id).collect(Collectors.joining(", ")));
		}
		if (this.connections != null && (this.connections < 1 || this.connections > 10_000)) {
			throw usage("--connections " + this.connections + " is not possible; use 1 to 10000");
		}
		if (this.rate != null) {
			double perSecond = this.rate;
			if (!(perSecond >= 1) || perSecond > Stage.HIGHEST_RATE) {
				throw usage("--rate " + perSecond + " is not possible; use 1 to 1000000");
			}
			if (this.arrivals == Arrivals.STEPPED) {
				throw usage("--arrivals stepped is for suites that have steps; use constant or poisson");
			}
			// Rows that differ in connections only become one
			scenarios = scenarios.stream()
				.map((scenario) -> scenario.atRate(perSecond, this.arrivals,
						(this.connections != null) ? this.connections : Load.OPEN_CONNECTIONS))
				.distinct()
				.toList();
		}
		else if (this.connections != null) {
			int number = this.connections;
			scenarios = scenarios.stream()
				.map((scenario) -> Scenario.of(scenario.variant(), scenario.load().on(number)))
				.distinct()
				.toList();
		}
		if (this.iterations != null) {
			int number = this.iterations;
			if (number < 1 || number > Iterations.MOST) {
				throw usage("--iterations " + number + " is not possible; use 1 to " + Iterations.MOST);
			}
			if (scenarios.stream().anyMatch((scenario) -> scenario.load().rate() > 0)) {
				throw usage("--iterations is for closed loops, and these scenarios have a rate; leave it out");
			}
			scenarios = scenarios.stream()
				.map((scenario) -> Scenario.of(scenario.variant(), scenario.load().times(number)))
				.distinct()
				.toList();
		}
		if (this.aa) {
			List<Scenario> gateways = scenarios.stream().filter((scenario) -> !scenario.variant().control()).toList();
			if (gateways.isEmpty()) {
				throw usage("--aa needs a gateway, but --only leaves none");
			}
			List<Scenario> twice = new ArrayList<>(
					scenarios.stream().filter((scenario) -> scenario.variant().control()).toList());
			gateways.stream()
				.filter((scenario) -> scenario.variant().equals(gateways.getFirst().variant()))
				.forEach((scenario) -> twice.addAll(List.of(scenario, scenario.again())));
			scenarios = twice;
		}
		return scenarios;
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

	private ParameterException usage(String message) {
		return new ParameterException(this.command.commandLine(), message);
	}

}
