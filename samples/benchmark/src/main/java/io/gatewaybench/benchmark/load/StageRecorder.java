package io.gatewaybench.benchmark.load;

import java.util.List;

import org.HdrHistogram.Histogram;

/**
 * Collects what becomes of every request of one stage; all times are those of
 * {@link System#nanoTime()}. Used by the event loop only.
 */
final class StageRecorder {

	private final long start;

	private final long leadNanos;

	private final long endNanos;

	private final long lostNanos;

	private final List<TypeRecorder> types;

	private final SecondSeries series = new SecondSeries();

	private final Histogram lag = LatencyHistogram.newHistogram();

	private long queued;

	private int longestQueue;

	StageRecorder(LoadPlan plan, Stage stage, long start) {
		this.start = start;
		this.leadNanos = stage.lead().toNanos();
		this.endNanos = stage.sending().toNanos();
		this.lostNanos = plan.timeouts().response().toNanos();
		this.types = plan.mix(stage).stream().map(RequestType::name).map(TypeRecorder::new).toList();
	}

	void intended(PreparedRequest request, long intended) {
		this.types.get(request.type()).intended();
		this.series.offered(inWindow(intended));
	}

	void lag(long intended, long now) {
		long nanos = clamp(now - intended);
		this.lag.recordValue(nanos);
		this.series.lag(inWindow(now), nanos);
	}

	void sent(long now) {
		this.series.sent(inWindow(now));
	}

	void queued(int queueLength) {
		this.queued++;
		this.longestQueue = Math.max(this.longestQueue, queueLength);
	}

	void status(PreparedRequest request, int status) {
		this.types.get(request.type()).status(status);
	}

	void ok(PreparedRequest request, long intended, long sent, long now, long backendNanos) {
		long offset = now - this.start;
		long response = clamp(now - intended);
		TypeRecorder type = this.types.get(request.type());
		type.ok(offset >= this.leadNanos && offset < this.endNanos);
		if (inWindow(intended) >= 0) {
			type.latency(clamp(now - sent), response);
			if (backendNanos >= 0) {
				type.backend(backendNanos, clamp(now - sent - backendNanos));
			}
		}
		this.series.ok(inWindow(now), response);
	}

	void failed(PreparedRequest request, Outcome outcome, long intended, long now, String reason) {
		long slo = clamp(Math.max(this.lostNanos, now - intended));
		this.types.get(request.type()).failed(outcome, (inWindow(intended) >= 0) ? slo : -1, request.label(), reason);
		this.series.error(inWindow(now));
	}

	List<SecondSample> series(double seconds) {
		return this.series.end((int) Math.ceil(seconds));
	}

	List<TypeResult> types() {
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
