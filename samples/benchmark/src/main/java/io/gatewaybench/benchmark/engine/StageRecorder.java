package io.gatewaybench.benchmark.engine;

import java.util.List;

import io.gatewaybench.benchmark.plan.LoadPlan;
import io.gatewaybench.benchmark.plan.RequestType;
import io.gatewaybench.benchmark.plan.Stage;
import org.HdrHistogram.Histogram;

/**
 * Collects what becomes of every request of one stage; all times are those of
 * {@link System#nanoTime()}. Used by the event loop only.
 */
final class StageRecorder {

	private final long start;

	private final long durationNanos;

	private final long lostNanos;

	private final List<TypeRecorder> types;

	private final SecondSeries series = new SecondSeries();

	private final Histogram lag = LatencyHistogram.newHistogram();

	private long queued;

	private int longestQueue;

	StageRecorder(LoadPlan plan, Stage stage, long start) {
		this.start = start;
		this.durationNanos = stage.duration().toNanos();
		this.lostNanos = plan.timeouts().response().toNanos();
		this.types = plan.mix(stage).stream().map(RequestType::name).map(TypeRecorder::new).toList();
	}

	void intended(PreparedRequest request, long intended) {
		this.types.get(request.type()).intended();
		this.series.offered(intended - this.start);
	}

	void lag(long intended, long now) {
		long nanos = clamp(now - intended);
		this.lag.recordValue(nanos);
		this.series.lag(now - this.start, nanos);
	}

	void sent(long now) {
		this.series.sent(now - this.start);
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
		type.ok(clamp(now - sent), response, offset < this.durationNanos);
		if (backendNanos >= 0) {
			type.backend(backendNanos, clamp(now - sent - backendNanos));
		}
		this.series.ok(offset, response);
	}

	void failed(PreparedRequest request, Outcome outcome, long intended, long now, String reason) {
		long slo = clamp(Math.max(this.lostNanos, now - intended));
		this.types.get(request.type()).failed(outcome, slo, request.label(), reason);
		this.series.error(now - this.start);
	}

	SecondSample second(int index, long now) {
		return this.series.sample(index, now - this.start);
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

	// The histogram cannot hold more, and the clock of a request starts before it is sent
	private static long clamp(long nanos) {
		return Math.clamp(nanos, 0, LatencyHistogram.HIGHEST_NANOS);
	}

}
