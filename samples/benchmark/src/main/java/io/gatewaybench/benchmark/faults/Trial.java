package io.gatewaybench.benchmark.faults;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.gatewaybench.benchmark.load.LoadEngine;
import io.gatewaybench.benchmark.load.LoadSession;
import io.gatewaybench.benchmark.load.TypeResult;
import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.observe.Actuator;
import io.gatewaybench.benchmark.load.LoadPlan;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.result.FaultResult;
import io.gatewaybench.benchmark.result.FaultResults;
import io.gatewaybench.benchmark.run.Console;
import io.gatewaybench.benchmark.topology.Running;

/**
 * One gateway under load while something goes wrong.
 *
 * @param context where it happens
 * @param loads what is sent
 * @param engine what sends it
 * @param console where progress goes
 */
record Trial(FaultContext context, Loads loads, LoadEngine engine, Console console) {

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
		Meters meters = new Meters(new Actuator(this.context.client(), gateway().address().resolve("/actuator")));
		ExecutorService background = Executors.newVirtualThreadPerTaskExecutor();
		try {
			RotationWatch watch = new RotationWatch(meters);
			background.submit(watch);
			Rotation before = meters.rotation(this.context.faulty());
			long retries = meters.count("retries");
			long attempts = meters.count("requests");
			Seen seen = load(fault, background);
			Timeline timeline = new Timeline(end(fault, seen.injection()), watch.changes());
			retries = meters.count("retries") - retries;
			// Each request of the run-up, which is not looked at, has one
			attempts = meters.count("requests") - attempts - seen.notLookedAt();
			if (!fault.removes()) {
				awaitReturn(meters, before);
			}
			FaultResult result = result(fault, seen, timeline, retries, attempts, connectionsLeft());
			return result.with(fault.requirement().broken(result));
		}
		catch (IOException ex) {
			throw new BenchFailure(gateway().name() + " or an instance does not tell what it counts: " + ex.getMessage()
					+ "; see " + gateway().log(), ex);
		}
		finally {
			// Ends the watch, and the fault wherever it is; the instance may be left in
			// any state
			background.shutdownNow();
			background.close();
		}
	}

	private Timeline.Span happen(Fault fault) throws InterruptedException, IOException {
		long begin = System.nanoTime();
		fault.happen(this.context, this.loads.settings().fault());
		return new Timeline.Span(begin, System.nanoTime());
	}

	private static Timeline.Span end(Fault fault, Future<Timeline.Span> injection) throws InterruptedException {
		try {
			return injection.get();
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof BenchFailure failure) ? failure
					: new BenchFailure("The fault " + fault.id() + " failed: " + ex.getCause(), ex);
		}
	}

	/**
	 * Waits until the instance is in the rotation, into which only requests bring it
	 * back.
	 */
	private void awaitReturn(Meters meters, Rotation before) throws IOException, InterruptedException {
		Instance instance = this.context.faulty();
		HttpRequest request = HttpRequest.newBuilder(gateway().address().resolve("/" + Loads.SERVICE + Loads.PATH))
			.timeout(PATIENCE)
			.build();
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (meters.rotation(instance).isOutSince(before)) {
			if (System.nanoTime() > deadline) {
				throw new BenchFailure(
						gateway().name() + " does not take " + instance.authority() + " back; see " + gateway().log());
			}
			this.context.client().send(request, HttpResponse.BodyHandlers.discarding());
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
		long left = this.context.connections();
		while (left > 0 && System.nanoTime() < deadline) {
			Thread.sleep(POLL);
			left = this.context.connections();
		}
		return left;
	}

	private Running gateway() {
		return this.context.gateway();
	}

	private Seen load(Fault fault, ExecutorService background) throws InterruptedException {
		LoadPlan plan = this.loads.around(fault);
		this.console.place(plan.id());
		FaultResults.Settings settings = this.loads.settings();
		Seen seen;
		try (LoadSession session = this.engine.open(plan)) {
			ClientAction action = fault.action();
			if (action != null) {
				// They do what those of the fault will do
				ExtraClients rehearsal = new ExtraClients(gateway().address());
				background.submit(() -> {
					rehearsal.come(action, Loads.REHEARSAL);
					return null;
				});
			}
			long notLookedAt = send(session, this.loads.rehearsal()).counts().intended()
					+ send(session, this.loads.runUp()).counts().intended();
			TypeResult before = send(session, this.loads.measured("before", settings.before()));
			Future<Timeline.Span> injection = background.submit(() -> happen(fault));
			seen = new Seen(notLookedAt, injection, before,
					send(session, this.loads.measured("fault", settings.fault())),
					send(session, this.loads.measured("after", fault.after(settings.after()))));
		}
		if (!gateway().isAlive()) {
			throw new BenchFailure(gateway().name() + " ended during " + fault.id() + "; see " + gateway().log());
		}
		return seen;
	}

	private TypeResult send(LoadSession session, Stage stage) throws InterruptedException {
		this.console.progress(stage.name());
		return session.run(stage).whole().total();
	}

	private FaultResult result(Fault fault, Seen seen, Timeline timeline, long retries, long attempts,
			long connectionsLeft) {
		TypeResult total = TypeResult.merge("total", List.of(seen.before(), seen.during(), seen.after()));
		return new FaultResult(this.loads.variant().title(), fault.id(), seen.before().counts(), seen.during().counts(),
				seen.after().counts(), total.statuses(), total.failures(), timeline.outageMs(), attempts, retries,
				timeline.ejections(), timeline.recoveries(), fault.removes(), timeline.ejectedAfterMs(),
				timeline.backAfterMs(), seen.during().latency().response().summary(),
				this.context.extraClients().seen(), connectionsLeft, List.of());
	}

	/**
	 * What clients saw, when the fault happened, and how many requests came before.
	 */
	private record Seen(long notLookedAt, Future<Timeline.Span> injection, TypeResult before, TypeResult during,
			TypeResult after) {
	}

}
