package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.suite.Grouping;
import org.jspecify.annotations.Nullable;

/**
 * Which cores a process gets, and among whom it shares them, as the beginning of its
 * command line.
 *
 * @param gateway for the gateway
 * @param others for backends and generator
 */
public record Placement(List<String> gateway, List<String> others) {

	/**
	 * Copies the lists.
	 */
	public Placement {
		gateway = List.copyOf(gateway);
		others = List.copyOf(others);
	}

	/**
	 * Everybody may run on every core.
	 * @param grouping among whom the cores are shared
	 * @return the placement
	 * @throws BenchFailure if it is not possible here
	 */
	public static Placement of(Grouping grouping) {
		if (grouping == Grouping.OWN) {
			require("--grouping own", "setsid");
		}
		return new Placement(grouping.command(), grouping.command());
	}

	/**
	 * The gateway gets the second half of the cores, and nobody else is on them.
	 * @param grouping among whom each half is shared
	 * @param cores how many there are
	 * @return the placement
	 * @throws BenchFailure if it is not possible here
	 */
	static Placement pinned(Grouping grouping, int cores) {
		if (cores < 2) {
			throw new BenchFailure("--pin needs 2 cores or more, but there is " + cores + ". Leave it out.");
		}
		require("--pin", "taskset");
		int half = cores / 2;
		Placement grouped = of(grouping);
		return new Placement(on(grouped.gateway(), half, cores - 1), on(grouped.others(), 0, half - 1));
	}

	private static List<String> on(List<String> command, int from, int to) {
		String range = (from == to) ? Integer.toString(from) : from + "-" + to;
		return Stream.concat(command.stream(), Stream.of("taskset", "-c", range)).toList();
	}

	/**
	 * The grouping of those who do not choose one.
	 * @return sessions of their own, where there is a program to make them
	 */
	public static Grouping usualGrouping() {
		return (unavailable("setsid") == null) ? Grouping.OWN : Grouping.SHARED;
	}

	private static void require(String option, String program) {
		String reason = unavailable(program);
		if (reason != null) {
			throw new BenchFailure(option + " needs the program " + program + " of util-linux, which " + reason
					+ ". Install it, or leave " + option + " out.");
		}
	}

	private static @Nullable String unavailable(String program) {
		try {
			int code = new ProcessBuilder(program, "--version").redirectOutput(ProcessBuilder.Redirect.DISCARD)
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
