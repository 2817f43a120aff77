package io.gatewaybench.benchmark.load;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.TreeMap;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Collects what becomes of the requests of one type in one stage.
 */
final class TypeRecorder {

	private static final int STATUSES = 1_000;

	private final String type;

	private final Histogram service = LatencyHistogram.newHistogram();

	private final Histogram response = LatencyHistogram.newHistogram();

	private final Histogram slo = LatencyHistogram.newHistogram();

	private final Histogram overhead = LatencyHistogram.newHistogram();

	private final long[] statuses = new long[STATUSES];

	private final long[] failed = new long[Outcome.values().length];

	private final Collection<String> failures = new LinkedHashSet<>();

	private long intended;

	private long ok;

	private long okInWindow;

	private long backendNanos;

	/**
	 * Creates a recorder.
	 * @param type the name of the type
	 */
	TypeRecorder(String type) {
		this.type = type;
	}

	/**
	 * A request was to start.
	 */
	void intended() {
		this.intended++;
	}

	/**
	 * A response was complete.
	 * @param status its status, less than 1,000
	 */
	void status(int status) {
		this.statuses[status]++;
	}

	/**
	 * A request ended right.
	 * @param inWindow whether that was within the measured window
	 */
	void ok(boolean inWindow) {
		this.ok++;
		if (inWindow) {
			this.okInWindow++;
		}
	}

	/**
	 * Records the latency of a successful response.
	 * @param serviceNanos from the send to the last byte
	 * @param responseNanos from the intended start to the last byte
	 */
	void latency(long serviceNanos, long responseNanos) {
		this.service.recordValue(serviceNanos);
		this.response.recordValue(responseNanos);
		this.slo.recordValue(responseNanos);
	}

	/**
	 * Records what the backend says about a successful response.
	 */
	void backend(long nanos, long overheadNanos) {
		this.backendNanos += nanos;
		this.overhead.recordValue(overheadNanos);
	}

	/**
	 * A request did not end right.
	 * @param outcome what became of it
	 * @param sloNanos its time in the SLO view, negative if it is in no latency
	 * @param label the request, for messages
	 * @param reason what went wrong
	 */
	void failed(Outcome outcome, long sloNanos, String label, String reason) {
		this.failed[outcome.ordinal()]++;
		if (sloNanos >= 0) {
			this.slo.recordValue(sloNanos);
		}
		if (this.failures.size() < TypeResult.MAX_FAILURES) {
			this.failures.add(label + ": " + reason);
		}
	}

	/**
	 * What was collected.
	 * @return the result
	 */
	TypeResult result() {
		Map<Integer, Long> statusCounts = new TreeMap<>();
		for (int status = 0; status < STATUSES; status++) {
			if (this.statuses[status] > 0) {
				statusCounts.put(status, this.statuses[status]);
			}
		}
		return new TypeResult(this.type, counts(), this.okInWindow, statusCounts, new ArrayList<>(this.failures),
				new LatencyViews(LatencyHistogram.of(this.service), LatencyHistogram.of(this.response),
						LatencyHistogram.of(this.slo), LatencyHistogram.of(this.overhead)),
				backendMeanMs());
	}

	private @Nullable Double backendMeanMs() {
		long count = this.overhead.getTotalCount();
		return (count > 0) ? (Double) (this.backendNanos / 1e6 / count) : null;
	}

	private Counts counts() {
		return new Counts(this.intended, this.ok, count(Outcome.HTTP_ERROR), count(Outcome.TIMEOUT),
				count(Outcome.REFUSED), count(Outcome.RESET), count(Outcome.WRONG_BODY), count(Outcome.ABORTED));
	}

	private long count(Outcome outcome) {
		return this.failed[outcome.ordinal()];
	}

}
