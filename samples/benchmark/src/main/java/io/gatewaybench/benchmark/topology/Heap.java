package io.gatewaybench.benchmark.topology;

import java.util.Locale;

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

	private static final int MOST = 200;

	/**
	 * Reads a size.
	 * @param text digits and m or g
	 * @return the size
	 * @throws IllegalArgumentException if the text is something else or less than 64 MB
	 */
	public static Heap parse(String text) {
		String lower = text.toLowerCase(Locale.ROOT);
		if (!lower.matches("[1-9][0-9]{0,9}[mg]")) {
			throw new IllegalArgumentException("'" + text + "' is not a heap size: write 512m or 2g");
		}
		long bytes = Long.parseLong(lower.substring(0, lower.length() - 1)) << (lower.endsWith("m") ? 20 : 30);
		if (bytes < 64L << 20) {
			throw new IllegalArgumentException("'" + text + "' is too small for a gateway: use 64m or more");
		}
		return new Heap(lower, bytes);
	}

	/**
	 * Whether gateways with this heap fit into the memory that is free.
	 * @param gateways how many run at the same time
	 * @return whether there is enough memory
	 */
	public boolean fits(int gateways) {
		return needed(gateways) <= available();
	}

	private long needed(int gateways) {
		// The last term is for backends and runner
		return gateways * (this.bytes + BESIDE_GATEWAY) + (1L << 30) - BESIDE_GATEWAY;
	}

	/**
	 * How many gateways with this heap fit into the memory that is free at the same time.
	 * @return their number
	 */
	public int mostAtOnce() {
		return Math.clamp((available() - needed(0)) / (this.bytes + BESIDE_GATEWAY), 0, MOST);
	}

	/**
	 * Why gateways with this heap can't be compared.
	 * @param gateways how many there are
	 * @return what is missing and what to do
	 */
	public String objection(int gateways) {
		return String.format(Locale.ROOT,
				"--heap %s is not possible: a gateway and the one it is compared with need %.1f GiB of memory with everything around them, and "
						+ "%.1f GiB are available. Use a smaller one, such as --heap 256m, or stop other programs",
				this.text, needed(Math.min(gateways, 2)) / (double) (1L << 30), available() / (double) (1L << 30));
	}

	private static long available() {
		return new SystemInfo().getHardware().getMemory().getAvailable();
	}

}
