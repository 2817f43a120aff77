package io.gatewaybench.benchmark.run;

import java.time.Duration;
import java.util.Locale;
import java.util.Objects;

import io.gatewaybench.benchmark.load.LoadSession;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.StageResult;
import io.gatewaybench.benchmark.load.TypeResult;
import io.gatewaybench.benchmark.suite.Load;
import org.jspecify.annotations.Nullable;

/**
 * Finds the highest rate whose P99 of the response time is within a limit, without a
 * single failure. It doubles or halves the rate until one holds and one does not. Then it
 * bisects, and lowers the found rate until it holds twice in a row. A rate that does not
 * hold is tried twice. The measurement, which is longer, confirms it, at a lower rate if
 * it has to.
 *
 * @see <a href=
 * "https://github.com/envoyproxy/nighthawk/blob/main/docs/root/adaptive_load_controller.md">
 * Nighthawk's adaptive load controller</a>, which has the same two stages
 */
final class RateSearch {

	/**
	 * How long the measurement is that confirms a rate.
	 */
	static final Duration MEASUREMENT = Duration.ofSeconds(8);

	private static final Duration PROBE = Duration.ofSeconds(4);

	/**
	 * The usual pause after a probe, so that the next one finds no queue.
	 */
	static final Duration REST = Duration.ofSeconds(1);

	private static final int MOST_PROBES = 24;

	private static final int MOST_CONFIRMATIONS = 4;

	// How far apart the highest rate that holds and the lowest that does not may be
	private static final double PRECISION = 1.1;

	private final LoadSession session;

	private final Load load;

	private final Duration rest;

	private final Console console;

	private int probes;

	/**
	 * Prepares a search.
	 * @param session what sends
	 * @param load the load, with the rate to begin with, and the limit of its P99
	 * @param rest the pause after a probe
	 * @param console where progress goes
	 */
	RateSearch(LoadSession session, Load load, Duration rest, Console console) {
		this.session = session;
		this.load = load;
		this.rest = rest;
		this.console = console;
	}

	/**
	 * What to measure after a measurement that broke the limit.
	 * @param load the load that was measured
	 * @param measured what came of it
	 * @param times how often a rate of the search has been measured
	 * @return the rate, {@code null} to be content with what was measured
	 */
	static @Nullable Double lower(Load load, StageResult measured, int times) {
		Duration limit = load.p99Limit();
		boolean broken = limit != null && measured.complete() && p99Millis(measured.total()) > limit.toMillis();
		return (broken && times < MOST_CONFIRMATIONS) ? (Double) (load.rate() / PRECISION) : null;
	}

	/**
	 * Searches.
	 * @return requests per second; the lowest that were tried if none of them held
	 */
	double find() throws InterruptedException {
		double holds = 0;
		double fails = Double.POSITIVE_INFINITY;
		double rate = this.load.rate();
		while (this.probes < MOST_PROBES && holds < Stage.HIGHEST_RATE && fails > PRECISION * holds) {
			// One stall of the machine breaks the limit of a probe this short, too
			if (holds(rate) || (this.probes < MOST_PROBES && holds(rate))) {
				holds = rate;
			}
			else {
				fails = rate;
			}
			rate = Double.isInfinite(fails) ? Math.min(2 * holds, Stage.HIGHEST_RATE)
					: (holds == 0) ? fails / 2 : Math.sqrt(holds * fails);
		}
		if (holds == 0) {
			return fails;
		}
		// The last bisection may have held by luck, and has had two chances
		while (this.probes < MOST_PROBES - 1 && !(holds(holds) && holds(holds))) {
			holds /= PRECISION;
		}
		return holds;
	}

	private boolean holds(double rate) throws InterruptedException {
		this.probes++;
		Stage probe = this.load.at(rate)
			.warmUp(String.format(Locale.ROOT, "search %d at %.0f/s", this.probes, rate), PROBE);
		this.console.progress(probe.name());
		TypeResult total = this.session.run(probe).whole().total();
		Thread.sleep(this.rest);
		Duration limit = Objects.requireNonNull(this.load.p99Limit());
		return total.counts().failed() == 0 && p99Millis(total) <= limit.toMillis();
	}

	/**
	 * The P99 of the response time, with failures at the response timeout.
	 * @param total what was measured
	 * @return milliseconds; the maximum where there are too few responses for a P99
	 */
	static double p99Millis(TypeResult total) {
		return Objects.requireNonNullElse(total.latency().slo().summary().p99OrMaxMs(), Double.POSITIVE_INFINITY);
	}

}
