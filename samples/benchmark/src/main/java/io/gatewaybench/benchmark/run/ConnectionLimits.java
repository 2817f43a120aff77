package io.gatewaybench.benchmark.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.suite.Component;
import io.gatewaybench.benchmark.suite.Scenario;

/**
 * How many connections the machine allows. Where it does not tell, everything is allowed.
 *
 * @param files how many files a process may have open, each connection being one
 * @param ports how many connections to one address there may be, each having a local port
 * @param backlog how many new connections a listener may hold that are not accepted yet
 */
record ConnectionLimits(long files, long ports, long backlog) {

	private static final Pattern NUMBER = Pattern.compile("\\d+");

	// What a process has open beside the connections of the load: jars, logs, upstreams.
	// More would refuse the default run where a process may have 1,024
	private static final int OTHER_FILES = 512;

	// Fewer connections than these are accepted before the next ones come
	private static final int FEW = 1000;

	// The default of Linux, which is enough if all connections are opened anew at once
	private static final int BACKLOG = 4096;

	/**
	 * Looks at the machine.
	 * @param details what {@link MachineDetails} found out
	 */
	static ConnectionLimits of(Map<String, String> details) {
		List<Long> range = numbers(details.getOrDefault("local ports", ""));
		return new ConnectionLimits(first(details.getOrDefault("open files", "")),
				(range.size() == 2) ? range.getLast() - range.getFirst() + 1 : Long.MAX_VALUE,
				first(details.getOrDefault("somaxconn", "")));
	}

	private static long first(String text) {
		// Or it begins with: unlimited
		return text.matches("\\d.*") ? numbers(text).getFirst() : Long.MAX_VALUE;
	}

	private static List<Long> numbers(String text) {
		return NUMBER.matcher(text).results().map((result) -> Long.valueOf(result.group())).toList();
	}

	/**
	 * Checks that loads are possible, before errors of this machine are taken for those
	 * of a gateway.
	 * @param scenarios what is to be measured
	 * @throws BenchFailure if one has too many connections, with the commands that raise
	 * the limits
	 */
	void check(List<Scenario> scenarios) {
		for (Scenario scenario : scenarios) {
			List<String> problems = problems(scenario);
			if (!problems.isEmpty()) {
				throw new BenchFailure(String.format(Locale.ROOT, "%s needs %,d connections, but %s. Or use fewer.",
						scenario.id(), scenario.workload().connections(), String.join("; and ", problems)));
			}
		}
	}

	private List<String> problems(Scenario scenario) {
		int connections = scenario.workload().connections();
		List<String> problems = new ArrayList<>();
		if (connections + OTHER_FILES > this.files) {
			problems.add(
					String.format(Locale.ROOT, "a process may have %,d files open: raise it with ulimit -n %d, as root",
							this.files, connections + OTHER_FILES));
		}
		if (connections > this.ports) {
			problems.add(String.format(Locale.ROOT, "there are %,d local ports: raise it with "
					+ "sysctl -w net.ipv4.ip_local_port_range=\"1024 65535\"", this.ports));
		}
		// The listener of something that runs elsewhere has a limit of its own
		boolean here = !(scenario.variant().component() instanceof Component.Remote
				|| scenario.variant().component() instanceof Component.OnHost);
		if (here && connections > FEW && Math.min(connections, BACKLOG) > this.backlog) {
			problems.add(String.format(Locale.ROOT,
					"a listener may hold %,d new ones: raise it with sysctl -w net.core.somaxconn=%d", this.backlog,
					BACKLOG));
		}
		return problems;
	}

}
