package io.gatewaybench.benchmark.load;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The random numbers of the stages of a session. They follow from the seed, the stage's
 * kind, connections and rate, and how many such stages there were before. So a
 * measurement gets the same requests and intended starts in every session, whatever
 * number of warm-up stages comes before it.
 */
final class RequestSequences {

	private final long seed;

	private final Map<String, Integer> known = new HashMap<>();

	RequestSequences(long seed) {
		this.seed = seed;
	}

	SplittableRandom next(Stage stage) {
		String load = stage.kind() + " " + stage.connections() + " " + stage.rate();
		int number = this.known.merge(load, 1, Integer::sum);
		return new SplittableRandom(this.seed + ((long) load.hashCode() << Integer.SIZE) + number);
	}

}
