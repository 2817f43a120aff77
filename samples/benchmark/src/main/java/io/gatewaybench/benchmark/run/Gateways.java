package io.gatewaybench.benchmark.run;

import java.net.http.HttpClient;
import java.util.LinkedHashMap;
import java.util.Map;

import io.gatewaybench.benchmark.process.Child;
import io.gatewaybench.benchmark.process.Children;
import io.gatewaybench.benchmark.suite.GatewayArtifact;

/**
 * The gateways of a run: a fresh one for every session, or, where they stay, one per
 * process of the plan until the run is over.
 */
final class Gateways implements AutoCloseable {

	private final RunRequest request;

	private final Installation installation;

	private final Children children;

	private final HttpClient client;

	private final Backends backends;

	private final OutputDirectory output;

	private final Placement placement;

	private int start;

	private final Map<String, Stay> residents = new LinkedHashMap<>();

	Gateways(RunRequest request, Installation installation, Children children, HttpClient client, Backends backends,
			OutputDirectory output, Placement placement) {
		this.request = request;
		this.installation = installation;
		this.children = children;
		this.client = client;
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

	private Stay stay(Target target, boolean resident) {
		Gateway gateway = target.gateway();
		Steadiness steadiness = new Steadiness(this.request.plan().settings().warmup().tolerance());
		// Without a gateway, the backends are what has to be warm
		Child subject = (gateway != null) ? gateway.child() : this.backends.child();
		return new Stay(target, new WarmUp(subject.pid(), steadiness), resident);
	}

	private Target start(RunPlan.Session session, String name) throws InterruptedException {
		GatewayArtifact artifact = session.variant().artifact();
		if (artifact == null) {
			return Target.direct(this.backends);
		}
		Gateway.Settings settings = new Gateway.Settings(this.installation.java(), this.installation.gateway(artifact),
				this.request.heap().text(), this.backends.upstreams(), this.output.raw().resolve(name),
				this.output.log(name), this.request.patience(), this.placement);
		return Target.of(Gateway.start(this.children, this.client, session.variant(), settings));
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
	record Stay(Target target, WarmUp warmUp, boolean resident) implements AutoCloseable {

		@Override
		public void close() {
			if (!this.resident) {
				this.target.close();
			}
		}

	}

}
