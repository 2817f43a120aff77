package io.gatewaybench.benchmark.run;

import java.time.Duration;
import java.util.function.LongSupplier;

import io.gatewaybench.benchmark.result.RunResults.Settings;

/**
 * Tells whether there is another start, or another round, until the answer is precise
 * enough or the time is over. What a start costs is its warm-up, and what it is worth is
 * more than that of many rounds: starts differ by as much as some rounds of one are off.
 */
final class TimePlan {

	// With two, the interval of equal starts is by a quarter wider than with three
	private static final int USUAL_STARTS = 3;

	private static final int LEAST_STARTS = 2;

	private static final int MOST_STARTS = 30;

	// Six more would make the error of a start smaller by a third, and the interval by
	// less than a tenth
	private static final int MOST_ROUNDS = 10;

	private static final int LEAST_ROUNDS = 4;

	// Of long slices, fewer have to do
	private static final double ROUNDS_SECONDS = 100;

	// Beyond this, a second start does not come: two with the least rounds know no more
	// than one with all the time
	private static final double OVERTIME = 1.1;

	private final Settings settings;

	private final int groups;

	private final LongSupplier nanoTime;

	private final long begin;

	private final double plannedRound;

	private double round;

	private int planned = USUAL_STARTS;

	private int start;

	private long startBegin;

	private long roundsBegin;

	private double warmUp;

	/**
	 * The time begins now.
	 * @param settings what the user chose
	 * @param groups how many groups of gateways each start has
	 * @param round how long a round is, by plan
	 * @param nanoTime what time it is
	 */
	TimePlan(Settings settings, int groups, Duration round, LongSupplier nanoTime) {
		this.settings = settings;
		this.groups = groups;
		this.plannedRound = round.toMillis() / 1e3;
		this.round = this.plannedRound;
		this.nanoTime = nanoTime;
		this.begin = nanoTime.getAsLong();
	}

	private double since(long time) {
		return (this.nanoTime.getAsLong() - time) / 1e9;
	}

	private double limit() {
		return (this.settings.time() != null && this.settings.starts() == null) ? this.settings.time().toMillis() / 1e3
				: Double.POSITIVE_INFINITY;
	}

	// What a start with as few rounds as possible takes
	private double leastStart() {
		return this.groups * (this.warmUp + leastRounds() * this.round);
	}

	/**
	 * The time for a warm-up at most: more, and there is none left to measure.
	 * @return a day where the run itself has no limit
	 */
	Duration longestWarmUp() {
		return Duration.ofSeconds((long) Math.min(0.75 * limit() / this.groups, Duration.ofDays(1).toSeconds()));
	}

	/**
	 * Whether there is another start. If so, it begins.
	 * @param precise whether the answer is as precise as the user wants it
	 */
	boolean allowsStart(boolean precise) {
		int next = this.start + 1;
		double end = since(this.begin) + leastStart();
		boolean allowed;
		if (this.settings.starts() != null) {
			allowed = next <= this.settings.starts();
		}
		else if (next <= LEAST_STARTS) {
			allowed = next == 1 || end < OVERTIME * limit();
		}
		else {
			allowed = !precise && next <= MOST_STARTS && end <= limit();
		}
		if (allowed) {
			this.start = next;
			groupBegins();
		}
		return allowed;
	}

	/**
	 * The next group of gateways starts.
	 */
	void groupBegins() {
		this.startBegin = this.nanoTime.getAsLong();
	}

	/**
	 * The gateways are warm.
	 */
	void warm() {
		this.warmUp = since(this.startBegin);
		this.roundsBegin = this.nanoTime.getAsLong();
		plan();
	}

	/**
	 * Divides the time that was left when the gateways were warm.
	 * @return the time for the rounds of this start and group, in seconds
	 */
	private double plan() {
		double warm = (this.roundsBegin - this.begin) / 1e9;
		double afterTwo = warm + 2 * leastStart() - this.warmUp;
		this.planned = Math.max(this.start, (USUAL_STARTS * leastStart() <= limit()) ? USUAL_STARTS
				: (afterTwo < OVERTIME * limit()) ? LEAST_STARTS : 1);
		int left = this.planned - this.start;
		return (limit() - warm - this.groups * left * this.warmUp) / (this.groups * (left + 1));
	}

	// How long a search for a rate takes is known when it has ended
	private int leastRounds() {
		return Math.clamp((int) (ROUNDS_SECONDS / Math.max(this.plannedRound, this.round)), 1, LEAST_ROUNDS);
	}

	/**
	 * Whether there is another round.
	 * @param done how many rounds of this start are over
	 * @param precise whether the answer is as precise as the user wants it
	 */
	boolean allowsRound(int done, boolean precise) {
		if (done > 0) {
			this.round = since(this.roundsBegin) / done;
		}
		if (this.settings.rounds() != null) {
			return done < this.settings.rounds();
		}
		if (done < leastRounds()) {
			return true;
		}
		boolean enough = precise && this.settings.starts() == null && this.start >= LEAST_STARTS;
		return !enough && (done < MOST_ROUNDS || this.planned < LEAST_STARTS)
				&& since(this.roundsBegin) + this.round <= plan();
	}

	/**
	 * Where the run is.
	 */
	String place() {
		int of = (this.settings.starts() != null) ? this.settings.starts() : this.planned;
		return "start " + this.start + ((this.start <= of) ? " of " + of : "");
	}

	int start() {
		return this.start;
	}

	/**
	 * How long it takes at most.
	 * @return an estimate
	 */
	Duration estimate() {
		if (this.settings.starts() == null && this.settings.time() != null) {
			return this.settings.time();
		}
		int starts = (this.settings.starts() != null) ? this.settings.starts() : MOST_STARTS;
		int rounds = (this.settings.rounds() != null) ? this.settings.rounds() : MOST_ROUNDS;
		double warm = this.settings.warmup().isZero() ? 12 : 75;
		return Duration.ofSeconds((long) (starts * this.groups * (warm + rounds * this.round)));
	}

}
