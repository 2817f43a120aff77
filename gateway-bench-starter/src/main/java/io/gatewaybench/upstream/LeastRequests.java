package io.gatewaybench.upstream;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Takes two instances at random and chooses the one with fewer requests on their way, in
 * relation to its weight. So a slow instance gets few requests, and the gateways of one
 * upstream don't all choose the same instance at the same time.
 *
 * @see <a href="https://www.eecs.harvard.edu/~michaelm/postscripts/tpds2001.pdf">M.
 * Mitzenmacher: The Power of Two Choices in Randomized Load Balancing</a>
 */
final class LeastRequests implements InstanceChooser {

	@Override
	public int choose(List<? extends Candidate> candidates, Request request) {
		int size = candidates.size();
		ThreadLocalRandom random = ThreadLocalRandom.current();
		int first = random.nextInt(size);
		int second = another(candidates, first, random.nextInt(size));
		return isBusier(candidates.get(first), candidates.get(second)) ? second : first;
	}

	/**
	 * The next place of another instance. A heavy one has several.
	 */
	private static int another(List<? extends Candidate> candidates, int first, int from) {
		int size = candidates.size();
		Candidate taken = candidates.get(first);
		for (int i = 0; i < size; i++) {
			int index = (from + i) % size;
			if (candidates.get(index) != taken) {
				return index;
			}
		}
		return first;
	}

	private static boolean isBusier(Candidate one, Candidate other) {
		return (long) one.requests() * other.weight() > (long) other.requests() * one.weight();
	}

}
