package io.gatewaybench.benchmark.jmeter;

import io.gatewaybench.benchmark.engine.Outcome;
import io.gatewaybench.benchmark.engine.TypeRecorder;
import io.gatewaybench.benchmark.engine.TypeResult;
import io.gatewaybench.benchmark.plan.RequestType;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the samples of one type of requests. JMeter knows no intended start, so its
 * response time begins with the connecting.
 */
final class SampleRecorder {

	private final RequestType type;

	private final long lostNanos;

	private final TypeRecorder recorder;

	SampleRecorder(RequestType type, long lostNanos) {
		this.type = type;
		this.lostNanos = lostNanos;
		this.recorder = new TypeRecorder(type.name());
	}

	void record(Sample sample, boolean inWindow) {
		Integer status = sample.status();
		this.recorder.intended();
		if (status != null) {
			this.recorder.status(status);
		}
		if (sample.ok()) {
			this.recorder.ok(sample.serviceNanos(), sample.nanos(), inWindow);
			return;
		}
		this.recorder.failed(outcome(sample, status), Math.max(sample.nanos(), this.lostNanos),
				this.type.method() + " " + this.type.paths().getFirst(), sample.code());
	}

	private Outcome outcome(Sample sample, @Nullable Integer status) {
		if (status != null) {
			return (status != this.type.expect().status()) ? Outcome.HTTP_ERROR : Outcome.WRONG_BODY;
		}
		if (sample.timedOut()) {
			return Outcome.TIMEOUT;
		}
		return sample.refused() ? Outcome.REFUSED : Outcome.RESET;
	}

	TypeResult result() {
		return this.recorder.result();
	}

}
