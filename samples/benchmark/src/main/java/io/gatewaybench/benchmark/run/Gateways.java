package io.gatewaybench.benchmark.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.suite.Variant;

/**
 * The gateways of a run: a fresh one for every session, or, where they stay, one per
 * process of the plan until the run is over.
 */
final class Gateways implements AutoCloseable {

	private final RunRequest request;

	private final Launcher launcher;

	private final Backends backends;

	private final OutputDirectory output;

	private final Placement placement;

	private int start;

	private final Map<String, Stay> residents = new LinkedHashMap<>();

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
			this.residents.clear();
		}
	}

	/**
	 * The gateway of a session, started if it does not run yet.
	 * @param session the session
	 * @return what load is to be sent to; to be closed at the end of the session
	 */
	Stay open(RunPlan.Session session) throws InterruptedException {
		if (!this.request.plan().settings().design().isResident()) {
			return stay(start(session, session.id()), false);
		}
		String process = session.process();
		Stay resident = this.residents.get(process);
		if (resident == null) {
			resident = stay(start(session, process), true);
			this.residents.put(process, resident);
		}
		return resident;
	}

	private Stay stay(Running target, boolean resident) {
		Steadiness steadiness = new Steadiness(this.request.plan().settings().warmup().tolerance());
		// Without a gateway, the backends are what has to be warm
		List<Long> subject = (target.child() != null) ? List.of(target.child().pid()) : this.backends.pids();
		return new Stay(target, new WarmUp(subject, steadiness), resident);
	}

	private Running start(RunPlan.Session session, String name) throws InterruptedException {
		Variant variant = session.variant();
		return this.launcher.start(variant.control() ? "The backend" : "The gateway " + variant.title(),
				variant.component(), this.backends.references(),
				new Launcher.Place(this.placement.gateway(), this.output.raw().resolve(name), this.output.log(name)));
	}

	/**
	 * Stops those that are left.
	 */
	@Override
	public void close() {
		this.residents.values().forEach((resident) -> resident.target().close());
	}

	/**
	 * A gateway for the time of a session.
	 *
	 * @param target the gateway
	 * @param warmUp how warm it is
	 * @param resident whether it stays when the session is over
	 */
	record Stay(Running target, WarmUp warmUp, boolean resident) implements AutoCloseable {

		@Override
		public void close() {
			if (!this.resident) {
				this.target.close();
			}
		}

	}

}
