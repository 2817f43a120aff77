package io.gatewaybench.benchmark.export;

import java.util.ArrayList;
import java.util.List;

/**
 * A list in which every request has its share, for tools that can't draw.
 */
final class Turns {

	// Shares are right to a hundredth of a percent where no shorter list has them exactly
	private static final int MOST = 10_000;

	private static final double EXACT = 1e-9;

	private Turns() {
	}

	/**
	 * Gives each turn to the request that is furthest behind its share, until all have
	 * theirs exactly.
	 * @param requests the requests
	 * @return the requests in their order, some of them several times
	 */
	static List<ExportRequest.Single> of(List<ExportRequest.Single> requests) {
		double sum = requests.stream().mapToDouble(ExportRequest.Single::weight).sum();
		double[] behind = new double[requests.size()];
		List<ExportRequest.Single> turns = new ArrayList<>();
		boolean exact = false;
		while (!exact && turns.size() < MOST) {
			int next = 0;
			for (int index = 0; index < behind.length; index++) {
				behind[index] += requests.get(index).weight() / sum;
				next = (behind[index] > behind[next] + EXACT) ? index : next;
			}
			behind[next]--;
			turns.add(requests.get(next));
			exact = true;
			for (double each : behind) {
				exact &= Math.abs(each) < EXACT;
			}
		}
		return turns;
	}

}
