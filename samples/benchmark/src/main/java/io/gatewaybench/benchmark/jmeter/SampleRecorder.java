package io.gatewaybench.benchmark.jmeter;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.gatewaybench.benchmark.engine.Counts;
import io.gatewaybench.benchmark.engine.LatencyHistogram;
import io.gatewaybench.benchmark.engine.LatencyViews;
import io.gatewaybench.benchmark.engine.TypeResult;
import io.gatewaybench.benchmark.plan.RequestType;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the samples of one type of requests.
 */
final class SampleRecorder {

	private static final int MOST_FAILURES = 10;

	private final RequestType type;

	private final long lostNanos;

	private final Histogram service = LatencyHistogram.newHistogram();

	private final Histogram response = LatencyHistogram.newHistogram();

	private final Histogram slo = LatencyHistogram.newHistogram();

	private final Map<Integer, Long> statuses = new TreeMap<>();

	private final Set<String> failures = new LinkedHashSet<>();

	private Counts counts = Counts.NONE;

	private long okInWindow;

	SampleRecorder(RequestType type, long lostNanos) {
		this.type = type;
		this.lostNanos = lostNanos;
	}

	/**
	 * Records a sample.
	 * @param inWindow whether it ended in the window
	 * @param measured whether it began in the window, so that its latency counts
	 */
	void record(Sample sample, boolean inWindow, boolean measured) {
		Integer status = sample.status();
		if (status != null) {
			this.statuses.merge(status, 1L, Long::sum);
		}
		this.counts = this.counts.plus(counts(sample, status));
		if (sample.ok()) {
			this.okInWindow += inWindow ? 1 : 0;
			if (measured) {
				this.service.recordValue(sample.serviceNanos());
				this.response.recordValue(sample.nanos());
				this.slo.recordValue(sample.nanos());
			}
			return;
		}
		if (measured) {
			this.slo.recordValue(Math.max(sample.nanos(), this.lostNanos));
		}
		if (this.failures.size() < MOST_FAILURES) {
			this.failures.add("%s %s: %s".formatted(this.type.method(), this.type.paths().getFirst(), sample.code()));
		}
	}

	private Counts counts(Sample sample, @Nullable Integer status) {
		if (sample.ok()) {
			return new Counts(1, 1, 0, 0, 0, 0, 0, 0);
		}
		if (status != null) {
			return (status != this.type.expect().status()) ? new Counts(1, 0, 1, 0, 0, 0, 0, 0)
					: new Counts(1, 0, 0, 0, 0, 0, 1, 0);
		}
		if (sample.timedOut()) {
			return new Counts(1, 0, 0, 1, 0, 0, 0, 0);
		}
		return sample.refused() ? new Counts(1, 0, 0, 0, 1, 0, 0, 0) : new Counts(1, 0, 0, 0, 0, 1, 0, 0);
	}

	TypeResult result() {
		// JMeter knows no intended start, so its response time begins with the connecting
		return new TypeResult(this.type.name(), this.counts, this.okInWindow, this.statuses, List.copyOf(this.failures),
				new LatencyViews(LatencyHistogram.of(this.service), LatencyHistogram.of(this.response),
						LatencyHistogram.of(this.slo), LatencyHistogram.empty()),
				null);
	}

}
