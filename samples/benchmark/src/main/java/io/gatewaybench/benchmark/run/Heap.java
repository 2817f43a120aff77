package io.gatewaybench.benchmark.run;

import java.util.Locale;

import io.gatewaybench.benchmark.failure.BenchFailure;
import oshi.SystemInfo;

/**
 * A heap size as the JVM takes it.
 *
 * @param text for example {@code 2g}
 * @param bytes the same in bytes
 */
public record Heap(String text, long bytes) {

	// Its off-heap memory, and the heap of its generator
	private static final long BESIDE_GATEWAY = 556L << 20;

	/**
	 * Reads a size.
	 * @param text digits and one of the letters k, m, g
	 * @return the size
	 * @throws IllegalArgumentException if the text is something else or less than 64 MB
	 */
	public static Heap parse(String text) {
		String lower = text.toLowerCase(Locale.ROOT);
		if (!lower.matches("[1-9][0-9]{0,9}[kmg]")) {
			throw new IllegalArgumentException("'" + text + "' is not a heap size: write 512m or 2g");
		}
		int shift = switch (lower.charAt(lower.length() - 1)) {
			case 'k' -> 10;
			case 'm' -> 20;
			default -> 30;
		};
		long bytes = Long.parseLong(lower.substring(0, lower.length() - 1)) << shift;
		if (bytes < 64L << 20) {
			throw new IllegalArgumentException("'" + text + "' is too small for a gateway: use 64m or more");
		}
		return new Heap(lower, bytes);
	}

	/**
	 * Checks that gateways with this heap fit into the memory that is free, together with
	 * all that runs beside them.
	 * @param gateways how many run at the same time
	 * @throws BenchFailure if it does not fit
	 */
	public void checkFits(int gateways) {
		checkFits(gateways, new SystemInfo().getHardware().getMemory().getAvailable());
	}

	/**
	 * Whether gateways with this heap fit into the memory that is free.
	 * @param gateways how many run at the same time
	 * @return whether {@link #checkFits} would pass
	 */
	public boolean fits(int gateways) {
		return needed(gateways) <= new SystemInfo().getHardware().getMemory().getAvailable();
	}

	private long needed(int gateways) {
		// The last term is for backends and runner
		return gateways * (this.bytes + BESIDE_GATEWAY) + (1L << 30) - BESIDE_GATEWAY;
	}

	void checkFits(int gateways, long available) {
		long needed = needed(gateways);
		if (available < needed) {
			throw new BenchFailure(String.format(Locale.ROOT,
					"%s of %s needs %.1f GiB of memory with everything around it, but %.1f GiB are available. "
							+ "Use a smaller one, such as --heap 512m%s.",
					(gateways == 1) ? "A gateway heap" : "A heap for each of the " + gateways + " gateways that stay",
					this.text, needed / (double) (1L << 30), available / (double) (1L << 30),
					(gateways == 1) ? "" : ", or fewer gateways with --only"));
		}
	}

}
