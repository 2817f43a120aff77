package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.util.List;

import io.gatewaybench.benchmark.failure.BenchFailure;
import org.jspecify.annotations.Nullable;

/**
 * Which cores a process gets, as the beginning of its command line.
 *
 * @param gateway for the gateway
 * @param others for backends and generator
 */
public record Pinning(List<String> gateway, List<String> others) {

	/**
	 * Everybody may run everywhere.
	 */
	public static final Pinning NONE = new Pinning(List.of(), List.of());

	/**
	 * Copies the lists.
	 */
	public Pinning {
		gateway = List.copyOf(gateway);
		others = List.copyOf(others);
	}

	/**
	 * The gateway gets the second half of the cores, and nobody else is on them.
	 * @param cores how many there are
	 * @return the pinning
	 * @throws BenchFailure if it is not possible here
	 */
	static Pinning of(int cores) {
		if (cores < 2) {
			throw new BenchFailure("--pin needs 2 cores or more, but there is " + cores + ". Leave it out.");
		}
		String reason = unavailable();
		if (reason != null) {
			throw new BenchFailure("--pin needs the program taskset of util-linux, which " + reason
					+ ". Install it, or leave --pin out.");
		}
		int half = cores / 2;
		return new Pinning(List.of("taskset", "-c", range(half, cores - 1)),
				List.of("taskset", "-c", range(0, half - 1)));
	}

	private static String range(int from, int to) {
		return (from == to) ? Integer.toString(from) : from + "-" + to;
	}

	private static @Nullable String unavailable() {
		try {
			int code = new ProcessBuilder("taskset", "--version").redirectOutput(ProcessBuilder.Redirect.DISCARD)
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
