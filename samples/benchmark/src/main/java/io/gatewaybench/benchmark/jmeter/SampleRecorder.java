package io.gatewaybench.benchmark.jmeter;

import io.gatewaybench.benchmark.load.Outcome;
import io.gatewaybench.benchmark.load.RequestType;
import io.gatewaybench.benchmark.load.TypeRecorder;
import io.gatewaybench.benchmark.load.TypeResult;
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

	/**
	 * Records a sample.
	 * @param inWindow whether it ended in the window
	 * @param measured whether it began in the window, so that its latency counts
	 */
	void record(Sample sample, boolean inWindow, boolean measured) {
		Integer status = sample.status();
		this.recorder.intended();
		if (status != null) {
			this.recorder.status(status);
		}
		if (sample.ok()) {
			this.recorder.ok(inWindow);
			if (measured) {
				this.recorder.latency(sample.serviceNanos(), sample.nanos());
			}
			return;
		}
		this.recorder.failed(outcome(sample, status), measured ? Math.max(sample.nanos(), this.lostNanos) : -1,
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
