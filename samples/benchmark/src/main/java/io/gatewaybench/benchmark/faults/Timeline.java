package io.gatewaybench.benchmark.faults;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * When an instance failed, and when the gateway noticed; all times are those of
 * {@link System#nanoTime()}.
 *
 * @param injection when the instance was not well
 * @param looks what the gateway counted before, and whenever that changed
 */
record Timeline(Span injection, List<Rotation> looks) {

	private static final double NANOS_PER_MILLI = 1_000_000;

	long ejections() {
		return last().ejections() - first().ejections();
	}

	long recoveries() {
		return last().recoveries() - first().recoveries();
	}

	double outageMs() {
		return millis(this.injection.begin(), this.injection.end());
	}

	/**
	 * From the begin of the injection to the first ejection.
	 * @return milliseconds, {@code null} if there was none
	 */
	@Nullable Double ejectedAfterMs() {
		return this.looks.stream()
			.filter((look) -> look.ejections() > first().ejections())
			.findFirst()
			.map((look) -> millis(this.injection.begin(), look.at()))
			.orElse(null);
	}

	/**
	 * From the end of the injection until the instance was in the rotation for good.
	 * @return milliseconds, {@code null} if it never was out of it, or still is
	 */
	@Nullable Double backAfterMs() {
		return (ejections() == 0 || last().isOutSince(first())) ? null
				: millis(this.injection.end(), this.looks.getLast().at());
	}

	private Rotation first() {
		return this.looks.getFirst();
	}

	private Rotation last() {
		return this.looks.getLast();
	}

	private static Double millis(long from, long to) {
		return Math.max(0, to - from) / NANOS_PER_MILLI;
	}

	/**
	 * A time, by {@link System#nanoTime()}.
	 *
	 * @param begin when it began
	 * @param end when it ended
	 */
	record Span(long begin, long end) {
	}

}
