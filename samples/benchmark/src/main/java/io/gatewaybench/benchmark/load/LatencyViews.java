package io.gatewaybench.benchmark.load;

import java.util.List;

/**
 * The same requests seen four ways.
 *
 * @param service from the send to the last byte, successful responses only: what the
 * target took, and all that the closed model can tell
 * @param response from the intended start to the last byte, successful responses only:
 * what a client waited; in the closed model the intended start is the start of the user's
 * turn, so it differs from service time only where a connection had to be opened first
 * @param slo the response time, with every request that did not end right recorded at the
 * response timeout (or later, if it ended later): what a service level is checked against
 * @param overhead the service time of a request without what its backend says that it
 * took ({@code Server-Timing: backend;dur=<milliseconds>}): what gateway, network and
 * generator took; empty if backends do not say
 */
public record LatencyViews(LatencyHistogram service, LatencyHistogram response, LatencyHistogram slo,
		LatencyHistogram overhead) {

	/**
	 * Takes samples out again.
	 * @param part some of the samples
	 * @return the views of the others
	 */
	public LatencyViews without(LatencyViews part) {
		return new LatencyViews(this.service.without(part.service), this.response.without(part.response),
				this.slo.without(part.slo), this.overhead.without(part.overhead));
	}

	static LatencyViews merge(List<LatencyViews> views) {
		return new LatencyViews(LatencyHistogram.merge(views.stream().map(LatencyViews::service).toList()),
				LatencyHistogram.merge(views.stream().map(LatencyViews::response).toList()),
				LatencyHistogram.merge(views.stream().map(LatencyViews::slo).toList()),
				LatencyHistogram.merge(views.stream().map(LatencyViews::overhead).toList()));
	}

}
