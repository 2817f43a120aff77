package io.gatewaybench.benchmark.topology;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.result.Environment.GroupedBy;
import io.gatewaybench.benchmark.suite.Grouping;
import org.jspecify.annotations.Nullable;

/**
 * Which cores a process gets, and among whom it shares them.
 *
 * @param gateway the beginning of the command line of a gateway
 * @param others the beginning of the command line of anything else
 * @param grouping among whom the cores are shared
 * @param groups makes a control group for each process, or {@code null} if it has none
 */
public record Placement(List<String> gateway, List<String> others, Grouping grouping, @Nullable ControlGroups groups) {

	/**
	 * Everybody may run on every core.
	 * @param grouping among whom the cores are shared
	 * @return the placement
	 * @throws BenchFailure if it is not possible here
	 */
	public static Placement of(Grouping grouping) {
		if (grouping == Grouping.SHARED) {
			return new Placement(List.of(), List.of(), grouping, null);
		}
		require("--grouping own", "setsid");
		ControlGroups groups = ControlGroups.candidates()
			.stream()
			.filter((each) -> unavailable(concat(each.command(), List.of("true"))) == null)
			.findFirst()
			.orElse(null);
		return new Placement(grouping.command(), grouping.command(), grouping, groups);
	}

	/**
	 * The gateway gets the second half of the cores, and nobody else is on them.
	 * @param grouping among whom each half is shared
	 * @param cores how many there are
	 * @return the placement
	 * @throws BenchFailure if it is not possible here
	 */
	public static Placement pinned(Grouping grouping, int cores) {
		if (cores < 2) {
			throw new BenchFailure("--pin needs 2 cores or more, but there is " + cores + ". Leave it out.");
		}
		require("--pin", "taskset");
		int half = cores / 2;
		Placement grouped = of(grouping);
		return new Placement(grouped.on(half, cores - 1).gateway(), grouped.on(0, half - 1).others(), grouping,
				grouped.groups());
	}

	/**
	 * The same on some of the cores only.
	 * @param from the first core
	 * @param to the last core
	 * @return the placement
	 */
	Placement on(int from, int to) {
		List<String> cores = List.of("taskset", "-c", (from == to) ? Integer.toString(from) : from + "-" + to);
		return new Placement(concat(this.gateway, cores), concat(this.others, cores), this.grouping, this.groups);
	}

	/**
	 * The beginning of the command line of a generator. {@link Children} start all
	 * others, and put them into their groups.
	 * @return what puts it into its group, and onto its cores
	 */
	public List<String> generator() {
		return (this.groups != null) ? concat(this.groups.command(), this.others) : this.others;
	}

	/**
	 * By what Linux tells the processes apart.
	 * @return what is used here
	 */
	public GroupedBy groupedBy() {
		if (this.groups != null) {
			return (this.groups.version() == 1) ? GroupedBy.CGROUPS_V1 : GroupedBy.CGROUPS_V2;
		}
		return (this.grouping == Grouping.OWN) ? GroupedBy.SESSIONS : GroupedBy.NOTHING;
	}

	private static List<String> concat(List<String> first, List<String> second) {
		return Stream.concat(first.stream(), second.stream()).toList();
	}

	/**
	 * The grouping of those who do not choose one.
	 * @return sessions of their own, where there is a program to make them
	 */
	public static Grouping usualGrouping() {
		return (unavailable(List.of("setsid", "--version")) == null) ? Grouping.OWN : Grouping.SHARED;
	}

	private static void require(String option, String program) {
		String reason = unavailable(List.of(program, "--version"));
		if (reason != null) {
			throw new BenchFailure(option + " needs the program " + program + " of util-linux, which " + reason
					+ ". Install it, or leave " + option + " out.");
		}
	}

	private static @Nullable String unavailable(List<String> command) {
		try {
			int code = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.redirectError(ProcessBuilder.Redirect.DISCARD)
				.start()
				.waitFor();
			return (code == 0) ? null : "ends with code " + code;
		}
		catch (IOException ex) {
			return "is not there";
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return "was interrupted";
		}
	}

}
