package io.gatewaybench.benchmark.faults;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

import io.gatewaybench.benchmark.engine.LoadResult;
import io.gatewaybench.benchmark.engine.ProgressEvent;
import io.gatewaybench.benchmark.engine.StageResult;
import io.gatewaybench.benchmark.engine.TypeResult;
import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.plan.Stage;
import io.gatewaybench.benchmark.result.FaultResult;
import io.gatewaybench.benchmark.run.Running;

/**
 * One gateway under load while something goes wrong.
 *
 * @param scene where it happens
 * @param loads what is sent
 * @param generator what sends it
 */
record Trial(Scene scene, Loads loads, Generator generator) {

	// An instance that failed its trials may be out for twice as long as it was not well
	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final Duration POLL = Duration.ofMillis(50);

	// Of connections that are not in use any more; longer than the longest timeout of a
	// request
	private static final Duration UNTIL_CLOSED = Duration.ofSeconds(10);

	/**
	 * Lets it happen.
	 * @param fault what happens
	 * @return what was seen
	 */
	FaultResult run(Fault fault) throws InterruptedException {
		Meters meters = new Meters(this.scene.client(), gateway().address());
		try (RotationWatch watch = RotationWatch.start(meters);
				FaultInjection injection = new FaultInjection(fault, this.scene, this.loads.settings().fault())) {
			Rotation before = meters.rotation(this.scene.faulty());
			long retries = meters.retries();
			long attempts = meters.attempts();
			LoadResult load = load(fault, injection);
			Timeline timeline = new Timeline(injection.span(), watch.changes());
			retries = meters.retries() - retries;
			// Each request of the run-up, which is not looked at, has one
			attempts = meters.attempts() - attempts - total(load, Stage.Kind.WARMUP).counts().intended();
			if (!fault.removes()) {
				awaitReturn(meters, before);
			}
			FaultResult result = result(fault, load, timeline, retries, attempts, connectionsLeft());
			return result.with(fault.requirement().broken(result));
		}
		catch (IOException ex) {
			throw silent(ex);
		}
	}

	/**
	 * Waits until the instance is in the rotation, into which only requests bring it
	 * back.
	 */
	private void awaitReturn(Meters meters, Rotation before) throws IOException, InterruptedException {
		Instance instance = this.scene.faulty();
		HttpRequest request = HttpRequest.newBuilder(gateway().address().resolve("/" + Loads.SERVICE + Loads.PATH))
			.timeout(PATIENCE)
			.build();
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (meters.rotation(instance).isOutSince(before)) {
			if (System.nanoTime() > deadline) {
				throw new BenchFailure(
						gateway().name() + " does not take " + instance.authority() + " back; see " + gateway().log());
			}
			this.scene.client().send(request, HttpResponse.BodyHandlers.discarding());
			Thread.sleep(POLL);
		}
	}

	/**
	 * Waits until the gateway has closed its connections to the instances, which it does
	 * with those that are not in use.
	 * @return how many it has not closed
	 */
	private long connectionsLeft() throws IOException, InterruptedException {
		long deadline = System.nanoTime() + UNTIL_CLOSED.toNanos();
		long left = this.scene.connections();
		while (left > 0 && System.nanoTime() < deadline) {
			Thread.sleep(POLL);
			left = this.scene.connections();
		}
		return left;
	}

	private Running gateway() {
		return this.scene.gateway();
	}

	private BenchFailure silent(IOException ex) {
		return new BenchFailure(gateway().name() + " or an instance does not tell what it counts: " + ex.getMessage()
				+ "; see " + gateway().log(), ex);
	}

	private LoadResult load(Fault fault, FaultInjection injection) throws InterruptedException {
		LoadResult load = this.generator.send(this.loads.around(fault), (event) -> {
			if (event instanceof ProgressEvent.StageStart && event.stage().equals(Loads.REHEARSING)) {
				injection.rehearse();
			}
			if (event instanceof ProgressEvent.StageStart && event.stage().equals(Loads.DURING)) {
				injection.begin();
			}
		});
		if (!gateway().isAlive()) {
			throw new BenchFailure(gateway().name() + " ended during " + fault.id() + "; see " + gateway().log());
		}
		return load;
	}

	private FaultResult result(Fault fault, LoadResult load, Timeline timeline, long retries, long attempts,
			long connectionsLeft) {
		TypeResult total = total(load, Stage.Kind.MEASURE);
		TypeResult during = load.stage(Loads.DURING).total();
		return new FaultResult(this.loads.variant().title(), fault.id(), load.stage(Loads.BEFORE).total().counts(),
				during.counts(), load.stage(Loads.AFTER).total().counts(), total.statuses(), total.failures(),
				timeline.outageMs(), attempts, retries, timeline.ejections(), timeline.recoveries(), fault.removes(),
				timeline.ejectedAfterMs(), timeline.backAfterMs(), during.latency().response().summary(),
				this.scene.crowd().seen(), connectionsLeft, List.of());
	}

	private static TypeResult total(LoadResult load, Stage.Kind kind) {
		return TypeResult.merge("total",
				load.stages().stream().filter((stage) -> stage.kind() == kind).map(StageResult::total).toList());
	}

}
