package io.gatewaybench.benchmark.export;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.benchmark.load.LoadPlan;
import io.gatewaybench.benchmark.load.RequestType;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.Step;

/**
 * A load to be exported.
 *
 * @param plan what is sent, to a target that whoever uses the files can change; its id is
 * the name of the files
 * @param stage how much of it is measured
 * @param warmUp how long the same requests are sent before, zero for not at all
 */
public record ExportRequest(LoadPlan plan, Stage stage, Duration warmUp) {

	boolean isOpen() {
		return this.stage.rate() > 0;
	}

	/**
	 * How many users there are, or requests in flight at most.
	 */
	int connections() {
		return this.plan.total(this.stage);
	}

	Duration thinkTime() {
		return isOpen() ? Duration.ZERO : this.plan.workload().thinkTime();
	}

	List<RequestType> mix() {
		return this.plan.mix(this.stage).stream().map(RequestType::filled).toList();
	}

	/**
	 * A part of a load in which the rate stays the same, or changes evenly.
	 *
	 * @param seconds how long it is
	 * @param from requests per second at its beginning
	 * @param to requests per second at its end
	 */
	record Part(double seconds, double from, double to) {
	}

	/**
	 * The rate of the open model over time: one part, or a part for each step, one after
	 * the other and again, until the time is over.
	 * @param length how long that is
	 */
	List<Part> parts(Duration length) {
		double rate = this.stage.rate();
		long left = length.toMillis();
		if (this.stage.steps().isEmpty()) {
			return List.of(new Part(left / 1e3, rate, rate));
		}
		List<Part> parts = new ArrayList<>();
		for (int index = 0; left > 0; index++) {
			Step step = this.stage.steps().get(index % this.stage.steps().size());
			long all = step.duration().toMillis();
			long millis = Math.min(all, left);
			double from = rate * step.factor();
			double end = rate * step.end();
			parts.add(new Part(millis / 1e3, from, from + (end - from) * millis / all));
			left -= millis;
		}
		return parts;
	}

}
