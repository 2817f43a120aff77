package io.gatewaybench.benchmark.report;

import java.time.Duration;
import java.util.Locale;
import java.util.function.DoubleFunction;

import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.statistics.Interval;
import org.jspecify.annotations.Nullable;

/**
 * How numbers are written: three significant digits or more, a unit with each,
 * {@code n/a} for what is unknown.
 */
final class Figures {

	static final String UNKNOWN = "n/a";

	/**
	 * An interval with ends that differ by more than this factor tells nothing.
	 */
	private static final double WIDE = 100;

	private static final double NARROW = 0.02;

	private Figures() {
	}

	static String count(long value) {
		return String.format(Locale.ROOT, "%,d", value);
	}

	static String perSecond(double value) {
		return String.format(Locale.ROOT, (value < 100) ? "%.2f" : (value < 1000) ? "%.1f" : "%,.0f", value);
	}

	static String millis(@Nullable Double value) {
		if (value == null) {
			return UNKNOWN;
		}
		if (value >= 1000) {
			return String.format(Locale.ROOT, "%.2f s", value / 1000);
		}
		return String.format(Locale.ROOT, (value < 10) ? "%.2f ms" : (value < 100) ? "%.1f ms" : "%.0f ms", value);
	}

	/**
	 * A latency of a distribution in which lost requests stand at the limit.
	 */
	static String millis(@Nullable Double value, Duration limit) {
		// The histogram has three digits, so what was recorded at the limit may read as a
		// little less
		if (value != null && value >= limit.toMillis() * 0.999) {
			return "≥ " + duration(limit);
		}
		return millis(value);
	}

	static String micros(@Nullable Double value) {
		return (value != null) ? String.format(Locale.ROOT, (value < 100) ? "%.1f µs" : "%,.0f µs", value) : UNKNOWN;
	}

	/**
	 * A ratio with its interval, such as {@code 0.94 (0.91–0.97)}.
	 */
	static String ratio(Interval interval) {
		return times(interval) + " (" + range(interval) + ")";
	}

	/**
	 * A ratio without its interval.
	 */
	static String times(Interval interval) {
		return ratio(interval.estimate(), interval);
	}

	/**
	 * The ends of the interval of a ratio, such as {@code 0.91–0.97}. If they are so far
	 * apart that they tell nothing, it says so.
	 */
	static String range(Interval interval) {
		return (interval.high() > WIDE * interval.low()) ? "starts differ widely"
				: ratio(interval.low(), interval) + "–" + ratio(interval.high(), interval);
	}

	// A third digit only where the interval is narrow enough for it
	private static String ratio(double value, Interval interval) {
		boolean plain = value >= 0.1 && value < 10;
		return !plain ? significant(value)
				: String.format(Locale.ROOT, (interval.halfWidth() < NARROW) ? "%.3f" : "%.2f", value);
	}

	/**
	 * How figures of a metric are written.
	 */
	static DoubleFunction<String> of(Metric metric) {
		return switch (metric) {
			case CPU -> Figures::micros;
			case ALLOCATION -> (value) -> significant(value) + " KiB";
			case HEAP, MEMORY -> Figures::mebibytes;
			case THROUGHPUT -> (value) -> perSecond(value) + "/s";
			case SERVICE_MEAN, SERVICE_P50, SERVICE_P99, OVERHEAD_P50, OVERHEAD_P99, RESPONSE_P50, SLO_P99 ->
				Figures::millis;
		};
	}

	static String mebibytes(double value) {
		return String.format(Locale.ROOT, "%,.0f MiB", value);
	}

	/**
	 * Three significant digits.
	 */
	static String significant(double value) {
		double size = Math.abs(value);
		return String.format(Locale.ROOT,
				(size >= 100) ? "%,.0f" : (size >= 10) ? "%.1f" : (size >= 1) ? "%.2f" : "%.3f", value);
	}

	static String bytes(@Nullable Long value) {
		if (value == null) {
			return UNKNOWN;
		}
		double mebibytes = value / (1024.0 * 1024.0);
		return (mebibytes < 10 * 1024) ? mebibytes(mebibytes)
				: String.format(Locale.ROOT, "%.1f GiB", mebibytes / 1024);
	}

	static String percent(double part) {
		return String.format(Locale.ROOT, "%.1f %%", part * 100);
	}

	static String duration(Duration duration) {
		if (duration.toMillis() < 1000) {
			return duration.toMillis() + " ms";
		}
		StringBuilder text = new StringBuilder();
		if (duration.toHours() > 0) {
			text.append(duration.toHours()).append(" h ");
		}
		if (duration.toMinutesPart() > 0) {
			text.append(duration.toMinutesPart()).append(" min ");
		}
		if (duration.toSecondsPart() > 0) {
			text.append(duration.toSecondsPart()).append(" s");
		}
		return text.toString().strip();
	}

}
