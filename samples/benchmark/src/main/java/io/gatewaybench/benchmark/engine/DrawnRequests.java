package io.gatewaybench.benchmark.engine;

import java.util.SplittableRandom;

import io.gatewaybench.benchmark.plan.Segment;

/**
 * The requests of a stage in the order in which the whole load draws them, of which a
 * segment has every so many.
 */
final class DrawnRequests {

	private final RequestMix mix;

	private final SplittableRandom random;

	private final Segment segment;

	private long index;

	DrawnRequests(RequestMix mix, SplittableRandom random, Segment segment) {
		this.mix = mix;
		this.random = random;
		this.segment = segment;
	}

	PreparedRequest next() {
		PreparedRequest request;
		do {
			request = this.mix.next(this.random);
		}
		while (!this.segment.has(this.index++));
		return request;
	}

}
