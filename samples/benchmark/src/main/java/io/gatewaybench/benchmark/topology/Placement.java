package io.gatewaybench.benchmark.topology;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.result.Environment.GroupedBy;
import org.jspecify.annotations.Nullable;

/**
 * Which cores a process gets. Each process has a control group of its own, or a session
 * where the runner may make no groups: Linux shares the cores among them as among
 * services and containers. In one session each thread would have an equal part, and a
 * gateway with a hundred threads would get more than a generator with one.
 *
 * @param gateway the beginning of the command line of a gateway
 * @param others the beginning of the command line of anything else
 * @param groups makes a control group for each process, or {@code null} if it has none
 * @see <a href="https://man7.org/linux/man-pages/man7/sched.7.html">sched(7), The
 * autogroup feature</a>
 */
public record Placement(List<String> gateway, List<String> others, @Nullable ControlGroups groups) {

	private static final List<String> SESSION = List.of("setsid");

	/**
	 * Everybody may run on every core.
	 * @return the placement, without sessions where there is no program to make them
	 */
	public static Placement usual() {
		if (unavailable(List.of("setsid", "--version")) != null) {
			return new Placement(List.of(), List.of(), null);
		}
		ControlGroups groups = ControlGroups.candidates()
			.stream()
			.filter((each) -> unavailable(concat(each.command(), List.of("true"))) == null)
			.findFirst()
			.orElse(null);
		return new Placement(SESSION, SESSION, groups);
	}

	/**
	 * The gateway gets the second half of the cores, and nobody else is on them.
	 * @param cores how many there are
	 * @return the placement
	 * @throws BenchFailure if it is not possible here
	 */
	public static Placement pinned(int cores) {
		if (cores < 2) {
			throw new BenchFailure("--pin needs 2 cores or more, but there is " + cores + ". Leave it out.");
		}
		String reason = unavailable(List.of("taskset", "--version"));
		if (reason != null) {
			throw new BenchFailure("--pin needs the program taskset of util-linux, which " + reason
					+ ". Install it, or leave --pin out.");
		}
		int half = cores / 2;
		Placement usual = usual();
		return new Placement(usual.on(half, cores - 1).gateway(), usual.on(0, half - 1).others(), usual.groups());
	}

	/**
	 * The same on some of the cores only.
	 * @param from the first core
	 * @param to the last core
	 * @return the placement
	 */
	Placement on(int from, int to) {
		List<String> cores = List.of("taskset", "-c", (from == to) ? Integer.toString(from) : from + "-" + to);
		return new Placement(concat(this.gateway, cores), concat(this.others, cores), this.groups);
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
		return this.gateway.containsAll(SESSION) ? GroupedBy.SESSIONS : GroupedBy.NOTHING;
	}

	private static List<String> concat(List<String> first, List<String> second) {
		return Stream.concat(first.stream(), second.stream()).toList();
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
