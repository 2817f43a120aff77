package io.gatewaybench.benchmark.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.engine.LoadEngine;
import io.gatewaybench.benchmark.engine.LoadSession;
import io.gatewaybench.benchmark.plan.LoadPlan;
import io.gatewaybench.benchmark.plan.Timeouts;
import io.gatewaybench.benchmark.plan.Workload;
import io.gatewaybench.benchmark.suite.Variant;

/**
 * The gateways of a run, each with its load generator: a fresh one for every session, or,
 * where they stay, one per process of the plan until the next start.
 */
final class Gateways implements AutoCloseable {

	private final RunRequest request;

	private final Launcher launcher;

	private final Backends backends;

	private final OutputDirectory output;

	private final Placement placement;

	private int start;

	private final Map<String, MeasuredGateway> residents = new LinkedHashMap<>();

	Gateways(RunRequest request, Launcher launcher, Backends backends, OutputDirectory output, Placement placement) {
		this.request = request;
		this.launcher = launcher;
		this.backends = backends;
		this.output = output;
		this.placement = placement;
	}

	/**
	 * A block begins. Gateways of an earlier start are stopped.
	 * @param block the block
	 */
	void begin(RunPlan.Block block) {
		if (block.start() != this.start) {
			this.start = block.start();
			close();
		}
	}

	/**
	 * The gateway of a session, started if it does not run yet.
	 * @param session the session
	 * @return what load is to be sent to; to be closed at the end of the session
	 */
	MeasuredGateway open(RunPlan.Session session) throws InterruptedException {
		if (!this.request.plan().settings().design().isResident()) {
			return gateway(session, session.id(), false);
		}
		String process = session.process();
		MeasuredGateway resident = this.residents.get(process);
		if (resident == null) {
			resident = gateway(session, process, true);
			this.residents.put(process, resident);
		}
		return resident;
	}

	/**
	 * A fresh gateway for a profile. Those that stay are stopped: they would share the
	 * machine with it.
	 * @param session the session
	 * @return what load is to be sent to, to be closed
	 */
	MeasuredGateway openAlone(RunPlan.Session session) throws InterruptedException {
		close();
		return gateway(session, Profiling.name(session), false);
	}

	private MeasuredGateway gateway(RunPlan.Session session, String name, boolean resident)
			throws InterruptedException {
		Running target = start(session, name);
		Steadiness steadiness = new Steadiness(this.request.plan().settings().warmup().tolerance());
		// Without a gateway, the backends are what has to be warm
		WarmUp warmUp = new WarmUp(target.isVisible() ? target::look : this.backends::look, steadiness);
		return new MeasuredGateway(name, target, warmUp, resident);
	}

	private Running start(RunPlan.Session session, String name) throws InterruptedException {
		Variant variant = session.variant();
		return this.launcher.start(variant.control() ? "The backend" : "The gateway " + session.title(),
				variant.component(), this.backends.references(),
				new Launcher.Place(this.placement.gateway(), this.output.raw().resolve(name), this.output.log(name)));
	}

	/**
	 * Stops those that are left.
	 */
	@Override
	public void close() {
		List<Runnable> closings = this.residents.values().stream().<Runnable>map((resident) -> resident::end).toList();
		this.residents.clear();
		closeAll(closings);
	}

	// All of them, also when one fails
	private static void closeAll(List<Runnable> closings) {
		RuntimeException failure = null;
		for (Runnable closing : closings) {
			try {
				closing.run();
			}
			catch (RuntimeException ex) {
				if (failure == null) {
					failure = ex;
				}
				else {
					failure.addSuppressed(ex);
				}
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

	/**
	 * A gateway and what sends to it, for the time of a session, or of a start. Used by
	 * one thread at a time.
	 */
	static final class MeasuredGateway implements AutoCloseable {

		private final String name;

		private final Running target;

		private final WarmUp warmUp;

		private final boolean resident;

		private final Map<Workload, LoadSession> generators = new LinkedHashMap<>();

		MeasuredGateway(String name, Running target, WarmUp warmUp, boolean resident) {
			this.name = name;
			this.target = target;
			this.warmUp = warmUp;
			this.resident = resident;
		}

		/**
		 * The gateway.
		 */
		Running target() {
			return this.target;
		}

		/**
		 * How warm it is.
		 */
		WarmUp warmUp() {
			return this.warmUp;
		}

		/**
		 * What sends a workload to it. It stays as long as the gateway: a new generator
		 * compiles for a few seconds, and takes that time from what is measured.
		 * @param workload who sends what
		 * @param engine opens it if there is none yet
		 * @param plan the plan of the run
		 * @param seed the seed of every random choice
		 * @return the generator. The end of the stay closes it
		 */
		LoadSession generator(Workload workload, LoadEngine engine, RunPlan plan, long seed)
				throws InterruptedException {
			LoadSession generator = this.generators.get(workload);
			if (generator == null) {
				int number = this.generators.size() + 1;
				String id = (number == 1) ? this.name : this.name + "-load-" + number;
				generator = engine.open(new LoadPlan(id, this.target.address(), workload,
						new Timeouts(SessionRun.CONNECT_TIMEOUT, plan.settings().timeout()), seed, plan.segment()));
				this.generators.put(workload, generator);
			}
			return generator;
		}

		@Override
		public void close() {
			if (!this.resident) {
				end();
			}
		}

		private void end() {
			List<Runnable> closings = new ArrayList<>();
			this.generators.values().forEach((generator) -> closings.add(generator::close));
			closings.add(this.target::close);
			closeAll(closings);
		}

	}

}
