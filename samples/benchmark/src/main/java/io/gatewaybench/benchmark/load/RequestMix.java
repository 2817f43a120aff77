package io.gatewaybench.benchmark.load;

import java.net.URI;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Draws the next request, its type by weight and its path uniformly. Drawing per request,
 * and not per user or connection, keeps the shares of the mix when types differ in speed.
 */
final class RequestMix {

	private final PreparedRequest[][] requests;

	private final double[] cumulativeWeights;

	RequestMix(List<RequestType> mix, URI target) {
		this.requests = new PreparedRequest[mix.size()][];
		this.cumulativeWeights = new double[mix.size()];
		double sum = 0;
		for (int i = 0; i < mix.size(); i++) {
			RequestType type = mix.get(i).filled();
			int index = i;
			this.requests[i] = type.paths()
				.stream()
				.map((path) -> PreparedRequest.of(index, type, path, target))
				.toArray(PreparedRequest[]::new);
			sum += type.weight();
			this.cumulativeWeights[i] = sum;
		}
	}

	PreparedRequest next(SplittableRandom random) {
		int last = this.requests.length - 1;
		double draw = random.nextDouble() * this.cumulativeWeights[last];
		int type = 0;
		while (type < last && draw >= this.cumulativeWeights[type]) {
			type++;
		}
		PreparedRequest[] paths = this.requests[type];
		return (paths.length == 1) ? paths[0] : paths[random.nextInt(paths.length)];
	}

}
