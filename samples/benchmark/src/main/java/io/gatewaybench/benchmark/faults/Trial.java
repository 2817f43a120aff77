package io.gatewaybench.benchmark.faults;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

import io.gatewaybench.benchmark.engine.LoadResult;
import io.gatewaybench.benchmark.engine.ProgressEvent;
import io.gatewaybench.benchmark.engine.StageResult;
import io.gatewaybench.benchmark.engine.TypeResult;
import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.result.FaultResult;
import io.gatewaybench.benchmark.run.Gateway;

/**
 * One gateway under load while one of its two instances fails.
 *
 * @param gateway the gateway
 * @param instance the instance that fails
 * @param loads what is sent
 * @param generator what sends it
 * @param client for all else
 */
record Trial(Gateway gateway, Instance instance, Loads loads, Generator generator, HttpClient client) {

	// An instance that failed its trials may be out for twice as long as it was not well
	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final Duration POLL = Duration.ofMillis(50);

	/**
	 * Lets it happen.
	 * @param fault what happens
	 * @return what was seen
	 */
	FaultResult run(Fault fault) throws InterruptedException {
		Meters meters = meters();
		try (RotationWatch watch = RotationWatch.start(meters, this.instance);
				Outage outage = new Outage(fault, this.instance, this.loads.settings().fault())) {
			long retries = meters.retries();
			LoadResult load = load(fault, outage);
			Timeline timeline = new Timeline(outage.span(), watch.changes());
			return result(fault, load, timeline, meters.retries() - retries);
		}
		catch (IOException ex) {
			throw silent(ex);
		}
	}

	/**
	 * Waits until the instance is in the rotation, into which only requests bring it
	 * back.
	 */
	void awaitReturn() throws InterruptedException {
		Meters meters = meters();
		HttpRequest request = HttpRequest.newBuilder(this.gateway.address().resolve(Loads.PATH))
			.timeout(PATIENCE)
			.build();
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		try {
			while (meters.rotation(this.instance).isOut()) {
				if (System.nanoTime() > deadline) {
					throw new BenchFailure(this.gateway.child().name() + " does not take " + this.instance.authority()
							+ " back; see " + this.gateway.child().log());
				}
				this.client.send(request, HttpResponse.BodyHandlers.discarding());
				Thread.sleep(POLL);
			}
		}
		catch (IOException ex) {
			throw silent(ex);
		}
	}

	private Meters meters() {
		return new Meters(this.client, this.gateway.address());
	}

	private BenchFailure silent(IOException ex) {
		return new BenchFailure(this.gateway.child().name() + " does not tell what it counts: " + ex.getMessage()
				+ "; see " + this.gateway.child().log(), ex);
	}

	private LoadResult load(Fault fault, Outage outage) throws InterruptedException {
		LoadResult load = this.generator.send(this.loads.around(fault), (event) -> {
			if (event instanceof ProgressEvent.StageStart && event.stage().equals(Loads.DURING)) {
				outage.begin();
			}
		});
		if (!this.gateway.isAlive()) {
			throw new BenchFailure(this.gateway.child().name() + " ended during " + fault.id() + "; see "
					+ this.gateway.child().log());
		}
		return load;
	}

	private FaultResult result(Fault fault, LoadResult load, Timeline timeline, long retries) {
		TypeResult total = TypeResult.merge("total",
				load.stages()
					.stream()
					.filter((stage) -> stage.kind() == Stage.Kind.MEASURE)
					.map(StageResult::total)
					.toList());
		TypeResult during = load.stage(Loads.DURING).total();
		return new FaultResult(this.loads.variant().title(), fault.id(), load.stage(Loads.BEFORE).total().counts(),
				during.counts(), load.stage(Loads.AFTER).total().counts(), total.statuses(), total.failures(),
				timeline.outageMs(), retries, timeline.ejections(), timeline.recoveries(), timeline.ejectedAfterMs(),
				timeline.backAfterMs(), during.latency().response().summary());
	}

}
