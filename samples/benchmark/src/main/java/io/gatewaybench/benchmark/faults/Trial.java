package io.gatewaybench.benchmark.faults;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
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
		try (RotationWatch watch = RotationWatch.start(meters);
				FaultInjection injection = new FaultInjection(fault, this.context, this.loads.settings().fault())) {
			Rotation before = meters.rotation(this.context.faulty());
			long retries = meters.retries();
			long attempts = meters.attempts();
			Seen seen = load(fault, injection);
			Timeline timeline = new Timeline(injection.end(seen.injection()), watch.changes());
			retries = meters.retries() - retries;
			// Each request of the run-up, which is not looked at, has one
			attempts = meters.attempts() - attempts - seen.notLookedAt();
			if (!fault.removes()) {
				awaitReturn(meters, before);
			}
			FaultResult result = result(fault, seen, timeline, retries, attempts, connectionsLeft());
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

	private BenchFailure silent(IOException ex) {
		return new BenchFailure(gateway().name() + " or an instance does not tell what it counts: " + ex.getMessage()
				+ "; see " + gateway().log(), ex);
	}

	private Seen load(Fault fault, FaultInjection injection) throws InterruptedException {
		LoadPlan plan = this.loads.around(fault);
		this.console.place(plan.id());
		FaultResults.Settings settings = this.loads.settings();
		Duration after = fault.after(settings.after());
		Seen seen;
		try (LoadSession session = this.engine.open(plan)) {
			injection.rehearse();
			long notLookedAt = send(session, this.loads.rehearsal()).counts().intended()
					+ send(session, this.loads.runUp()).counts().intended();
			TypeResult before = send(session, this.loads.measured("before", settings.before()));
			Future<FaultInjection.Span> begun = injection.begin();
			seen = new Seen(notLookedAt, begun, before, send(session, this.loads.measured("fault", settings.fault())),
					send(session, this.loads.measured("after", after)));
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
	private record Seen(long notLookedAt, Future<FaultInjection.Span> injection, TypeResult before, TypeResult during,
			TypeResult after) {
	}

}
