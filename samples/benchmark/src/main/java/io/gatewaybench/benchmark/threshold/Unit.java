package io.gatewaybench.benchmark.threshold;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a number is written with.
 */
enum Unit {

	NONE(Dimension.NUMBER, 1, ""),

	PERCENT(Dimension.NUMBER, 0.01, "%"),

	// The two signs look the same: micro, and the letter of the Greek alphabet
	MICROSECONDS(Dimension.TIME, 1e-3, "µs", "us", "\u03bcs"),

	MILLISECONDS(Dimension.TIME, 1, "ms"),

	SECONDS(Dimension.TIME, 1e3, "s"),

	BYTES(Dimension.MEMORY, 1.0 / 1024, "B"),

	KILOBYTES(Dimension.MEMORY, 1e3 / 1024, "kB", "KB"),

	KIBIBYTES(Dimension.MEMORY, 1, "KiB"),

	MEGABYTES(Dimension.MEMORY, 1e6 / 1024, "MB"),

	MEBIBYTES(Dimension.MEMORY, 1024, "MiB"),

	GIGABYTES(Dimension.MEMORY, 1e9 / 1024, "GB"),

	GIBIBYTES(Dimension.MEMORY, 1024 * 1024, "GiB"),

	PER_SECOND(Dimension.RATE, 1e-3, "req/s", "/s");

	// What differences are told in
	private static final List<Unit> USUAL = List.of(NONE, MILLISECONDS, KIBIBYTES, PER_SECOND);

	private final Dimension dimension;

	private final double factor;

	private final List<String> symbols;

	Unit(Dimension dimension, double factor, String... symbols) {
		this.dimension = dimension;
		this.factor = factor;
		this.symbols = List.of(symbols);
	}

	static Optional<Unit> of(String symbol) {
		return Arrays.stream(values()).filter((unit) -> unit.symbols.contains(symbol)).findFirst();
	}

	/**
	 * The unit in which values of a dimension are told, empty for one that has none.
	 */
	static Optional<Unit> usual(Dimension dimension) {
		return USUAL.stream().filter((unit) -> unit.dimension.equals(dimension)).findFirst();
	}

	/**
	 * What can be written, for messages.
	 */
	static String all() {
		return Arrays.stream(values())
			.filter((unit) -> unit != NONE)
			.map(Unit::symbol)
			.collect(Collectors.joining(", "));
	}

	Dimension dimension() {
		return this.dimension;
	}

	/**
	 * What one of it is in milliseconds, KiB or requests per millisecond.
	 */
	double factor() {
		return this.factor;
	}

	String symbol() {
		return this.symbols.getFirst();
	}

}
