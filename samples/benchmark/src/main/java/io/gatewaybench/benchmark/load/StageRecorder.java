package io.gatewaybench.benchmark.load;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Collects what becomes of every request of one stage; all times are nanoseconds of one
 * clock, whose beginning means nothing. Used by one thread only.
 */
public final class StageRecorder {

	private static final int STATUSES = 1_000;

	private final long start;

	private final long leadNanos;

	private final long endNanos;

	private final long lostNanos;

	private final List<OfType> types;

	private final SecondSeries series = new SecondSeries();

	private final Histogram lag = LatencyHistogram.newHistogram();

	private long queued;

	/**
	 * Nothing is recorded yet.
	 * @param plan what is sent
	 * @param stage the stage
	 * @param start when it started
	 */
	public StageRecorder(LoadPlan plan, Stage stage, long start) {
		this.start = start;
		this.leadNanos = stage.lead().toNanos();
		this.endNanos = stage.sending().toNanos();
		this.lostNanos = plan.timeouts().response().toNanos();
		this.types = plan.mix(stage).stream().map(RequestType::name).map(OfType::new).toList();
	}

	/**
	 * A request was to start.
	 * @param type the index of its type in the mix
	 * @param intended when
	 */
	public void intended(int type, long intended) {
		this.types.get(type).intended++;
		this.series.offered(inWindow(intended));
	}

	void lag(long intended, long now) {
		long nanos = clamp(now - intended);
		this.lag.recordValue(nanos);
		this.series.lag(inWindow(now), nanos);
	}

	/**
	 * A request went out.
	 * @param now when
	 */
	public void sent(long now) {
		this.series.sent(inWindow(now));
	}

	void queued() {
		this.queued++;
	}

	/**
	 * A response was complete.
	 * @param type the index of the type in the mix
	 * @param status its status, less than 1,000
	 */
	public void status(int type, int status) {
		this.types.get(type).statuses[status]++;
	}

	/**
	 * A request ended right.
	 * @param type the index of its type in the mix
	 * @param intended when it was to start
	 * @param sent when it went out
	 * @param now when its response was complete
	 * @param backendNanos how long the backend took, negative if it is not known
	 */
	public void ok(int type, long intended, long sent, long now, long backendNanos) {
		long offset = now - this.start;
		long response = clamp(now - intended);
		OfType recorder = this.types.get(type);
		recorder.ok++;
		if (offset >= this.leadNanos && offset < this.endNanos) {
			recorder.okInWindow++;
		}
		if (inWindow(intended) >= 0) {
			recorder.service.recordValue(clamp(now - sent));
			recorder.response.recordValue(response);
			recorder.slo.recordValue(response);
			if (backendNanos >= 0) {
				recorder.backendNanos += backendNanos;
				recorder.overhead.recordValue(clamp(now - sent - backendNanos));
			}
		}
		this.series.ok(inWindow(now), response);
	}

	void failed(PreparedRequest request, Outcome outcome, long intended, long now, String reason) {
		failed(request.type(), outcome, intended, now, request.label(), reason);
	}

	/**
	 * A request did not end right.
	 * @param type the index of its type in the mix
	 * @param outcome what became of it
	 * @param intended when it was to start
	 * @param now when that was known
	 * @param label the request, for messages
	 * @param reason what went wrong
	 */
	public void failed(int type, Outcome outcome, long intended, long now, String label, String reason) {
		OfType recorder = this.types.get(type);
		recorder.failed[outcome.ordinal()]++;
		if (inWindow(intended) >= 0) {
			recorder.slo.recordValue(clamp(Math.max(this.lostNanos, now - intended)));
		}
		if (recorder.failures.size() < TypeResult.MAX_FAILURES) {
			recorder.failures.add(label + ": " + reason);
		}
		this.series.error(inWindow(now));
	}

	/**
	 * What happened in each second of the window.
	 * @param seconds the least length of the series
	 * @return one sample per second
	 */
	public List<SecondSample> series(double seconds) {
		return this.series.end((int) Math.ceil(seconds));
	}

	/**
	 * What was recorded.
	 * @return one for each type, in the order of the mix
	 */
	public List<TypeResult> types() {
		return this.types.stream().map(OfType::result).toList();
	}

	GeneratorStats generator(double cpuSeconds, long reconnects) {
		return new GeneratorStats(LatencyHistogram.of(this.lag), cpuSeconds, reconnects, this.queued, List.of());
	}

	// Negative in the lead
	private long inWindow(long time) {
		return time - this.start - this.leadNanos;
	}

	// The histogram cannot hold more, and the clock of a request starts before it is sent
	private static long clamp(long nanos) {
		return Math.clamp(nanos, 0, LatencyHistogram.HIGHEST_NANOS);
	}

	/**
	 * What became of the requests of one type.
	 */
	private static final class OfType {

		private final String type;

		private final Histogram service = LatencyHistogram.newHistogram();

		private final Histogram response = LatencyHistogram.newHistogram();

		private final Histogram slo = LatencyHistogram.newHistogram();

		private final Histogram overhead = LatencyHistogram.newHistogram();

		private final long[] statuses = new long[STATUSES];

		private final long[] failed = new long[Outcome.values().length];

		private final Set<String> failures = new LinkedHashSet<>();

		private long intended;

		private long ok;

		private long okInWindow;

		private long backendNanos;

		OfType(String type) {
			this.type = type;
		}

		TypeResult result() {
			Map<Integer, Long> statusCounts = new TreeMap<>();
			for (int status = 0; status < STATUSES; status++) {
				if (this.statuses[status] > 0) {
					statusCounts.put(status, this.statuses[status]);
				}
			}
			LatencyViews latency = new LatencyViews(LatencyHistogram.of(this.service),
					LatencyHistogram.of(this.response), LatencyHistogram.of(this.slo),
					LatencyHistogram.of(this.overhead));
			return new TypeResult(this.type, counts(), this.okInWindow, statusCounts, List.copyOf(this.failures),
					latency, backendMeanMs());
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

}
