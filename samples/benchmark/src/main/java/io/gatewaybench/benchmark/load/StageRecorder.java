package io.gatewaybench.benchmark.load;

import java.util.List;

import org.HdrHistogram.Histogram;

/**
 * Collects what becomes of every request of one stage; all times are nanoseconds of one
 * clock, whose beginning means nothing. Used by one thread only.
 */
public final class StageRecorder {

	private final long start;

	private final long leadNanos;

	private final long endNanos;

	private final long lostNanos;

	private final List<TypeRecorder> types;

	private final SecondSeries series = new SecondSeries();

	private final Histogram lag = LatencyHistogram.newHistogram();

	private long queued;

	private int longestQueue;

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
		this.types = plan.mix(stage).stream().map(RequestType::name).map(TypeRecorder::new).toList();
	}

	/**
	 * A request was to start.
	 * @param type the index of its type in the mix
	 * @param intended when
	 */
	public void intended(int type, long intended) {
		this.types.get(type).intended();
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

	void queued(int queueLength) {
		this.queued++;
		this.longestQueue = Math.max(this.longestQueue, queueLength);
	}

	/**
	 * A response was complete.
	 * @param type the index of the type in the mix
	 * @param status its status, less than 1,000
	 */
	public void status(int type, int status) {
		this.types.get(type).status(status);
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
		TypeRecorder recorder = this.types.get(type);
		recorder.ok(offset >= this.leadNanos && offset < this.endNanos);
		if (inWindow(intended) >= 0) {
			recorder.latency(clamp(now - sent), response);
			if (backendNanos >= 0) {
				recorder.backend(backendNanos, clamp(now - sent - backendNanos));
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
		long slo = clamp(Math.max(this.lostNanos, now - intended));
		this.types.get(type).failed(outcome, (inWindow(intended) >= 0) ? slo : -1, label, reason);
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
		return this.types.stream().map(TypeRecorder::result).toList();
	}

	LatencyHistogram lag() {
		return LatencyHistogram.of(this.lag);
	}

	long queued() {
		return this.queued;
	}

	int longestQueue() {
		return this.longestQueue;
	}

	// Negative in the lead
	private long inWindow(long time) {
		return time - this.start - this.leadNanos;
	}

	// The histogram cannot hold more, and the clock of a request starts before it is sent
	private static long clamp(long nanos) {
		return Math.clamp(nanos, 0, LatencyHistogram.HIGHEST_NANOS);
	}

}
