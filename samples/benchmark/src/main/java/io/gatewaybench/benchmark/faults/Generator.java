package io.gatewaybench.benchmark.faults;

import java.time.Duration;

import io.gatewaybench.benchmark.engine.LoadEngine;
import io.gatewaybench.benchmark.engine.LoadResult;
import io.gatewaybench.benchmark.engine.ProgressEvent;
import io.gatewaybench.benchmark.engine.ProgressListener;
import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.plan.LoadPlan;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.run.Console;

/**
 * Sends plans to their ends, and shows how far they are.
 *
 * @param engine what sends
 * @param console where progress goes
 */
record Generator(LoadEngine engine, Console console) {

	LoadResult send(LoadPlan plan, ProgressListener listener) throws InterruptedException {
		Duration length = plan.stages().stream().map(Stage::duration).reduce(Duration.ZERO, Duration::plus);
		try (Console.Task task = this.console.task(plan.id(), length)) {
			LoadResult load = this.engine.run(plan, new ProgressListener() {

				@Override
				public void on(ProgressEvent event) {
					listener.on(event);
					if (event instanceof ProgressEvent.Progress progress) {
						task.on(progress);
					}
				}

				@Override
				public boolean enough() {
					return listener.enough();
				}

			});
			if (!load.complete()) {
				// The engine hands over what it has when it is interrupted
				if (Thread.interrupted()) {
					throw new InterruptedException();
				}
				throw new BenchFailure("The load generator ended early in " + plan.id());
			}
			return load;
		}
	}

}
