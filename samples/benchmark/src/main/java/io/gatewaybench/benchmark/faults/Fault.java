package io.gatewaybench.benchmark.faults;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * What goes wrong around a gateway: an instance, its clients, its configuration, or its
 * own process.
 */
public enum Fault {

	/**
	 * The process of an instance is killed, and started again later.
	 */
	KILL(Requirement.KEPT, (context, length) -> {
		context.faulty().kill();
		Thread.sleep(length);
		context.faulty().start();
	}),

	/**
	 * The process of an instance is killed, and started again at once.
	 */
	RESTART(Requirement.KEPT, (context, length) -> {
		context.faulty().kill();
		context.faulty().start();
	}),

	/**
	 * The process of an instance stands still, while the kernel goes on to accept
	 * connections.
	 */
	FREEZE(Requirement.KEPT, (context, length) -> {
		context.faulty().freeze();
		Thread.sleep(length);
		context.faulty().resume();
	}),

	/**
	 * An instance refuses new connections, and resets those that are open.
	 */
	REFUSE(Requirement.KEPT),

	/**
	 * An instance resets connections in the middle of the body.
	 */
	RESET(Requirement.KEPT),

	/**
	 * An instance answers with 500.
	 */
	ERROR(Requirement.KEPT),

	/**
	 * An instance takes a hundred times as long. On platform threads, those that wait for
	 * it are missing for all others.
	 */
	SLOW(Requirement.LATE),

	/**
	 * An instance takes a hundred times as long, and the gateway chooses by the number of
	 * requests that are not answered yet.
	 */
	SLOW_LEAST_REQUESTS(Requirement.LATE, "slow", Loads.SERVICE,
			"--gateway-bench.load-balancing.policy=least-requests"),

	/**
	 * An instance closes a connection after every tenth response without saying so.
	 */
	CLOSING(Requirement.KEPT),

	/**
	 * Clients close or reset their connections in the middle of an upload.
	 */
	ABORTED_UPLOADS(Requirement.UNDISTURBED, ClientAction.ABORTED_UPLOAD),

	/**
	 * Clients send uploads whose chunks are malformed.
	 */
	MALFORMED_UPLOADS(Requirement.UNDISTURBED, ClientAction.MALFORMED_UPLOAD),

	/**
	 * Clients read large responses slowly, or not at all.
	 */
	SLOW_READERS(Requirement.UNDISTURBED, ClientAction.SLOW_READER),

	/**
	 * An instance refuses uploads before their bodies have come.
	 */
	EARLY_RESPONSES(Requirement.UNDISTURBED, ClientAction.UPLOAD, (context, length) -> {
		context.faulty().simulate("early-responses", length);
		context.extraClients().come(ClientAction.UPLOAD, length);
	}),

	/**
	 * An instance sends 100, 102 and 103 before its responses.
	 */
	INTERIM_RESPONSES(Requirement.UNDISTURBED),

	/**
	 * The only instance of a route with a circuit breaker answers with 500; the breaker
	 * falls back to another route.
	 */
	BREAKER(Requirement.KEPT, "error", "breaker"),

	/**
	 * An instance answers with 500 on a route with the gateway's own retries around those
	 * of the starter.
	 */
	GATEWAY_RETRIES(Requirement.KEPT, "error", "retries"),

	/**
	 * The gateway is told again and again which instances there are.
	 */
	REFRESH(Requirement.UNDISTURBED, (context, length) -> {
		URI first = context.faulty().address();
		URI second = context.healthy().address();
		long end = System.nanoTime() + length.toNanos();
		while (System.nanoTime() < end) {
			for (List<URI> instances : List.of(List.of(second), List.of(first), List.of(second, first))) {
				context.tell(instances);
				Thread.sleep(Happening.BETWEEN_REFRESHES);
			}
		}
		context.tell(List.of(first, second));
	}),

	/**
	 * An instance comes up at another address. The gateway is told a second after the old
	 * one fell silent.
	 */
	ADDRESS_CHANGE(Requirement.KEPT, (context, length) -> {
		Instance old = context.faulty();
		try (Instance moved = old.elsewhere()) {
			old.freeze();
			Thread.sleep(Happening.BEFORE_IT_IS_KNOWN);
			context.tell(List.of(moved.address(), context.healthy().address()));
			Thread.sleep(length);
			old.resume();
			context.tell(List.of(old.address(), context.healthy().address()));
			Thread.sleep(Happening.REQUESTS_ON_THEIR_WAY);
		}
	}),

	/**
	 * An instance with https comes, which accepts connections and is silent in the TLS
	 * handshake.
	 */
	TLS_SILENCE(Requirement.KEPT, (context, length) -> {
		List<URI> usual = List.of(context.faulty().address(), context.healthy().address());
		try (ServerSocket silent = new ServerSocket(0, Happening.BACKLOG, InetAddress.getLoopbackAddress())) {
			URI address = URI.create("https://127.0.0.1:" + silent.getLocalPort());
			context.tell(List.of(address, usual.getFirst(), usual.getLast()));
			Thread.sleep(length);
			context.tell(usual);
		}
	}),

	/**
	 * An instance is slow, and there are too few connections for the requests that wait.
	 */
	POOL_EXHAUSTION(Requirement.TOLD, "slow", Loads.SERVICE,
			"--gateway-bench.http-client.max-connections-per-instance=32",
			"--gateway-bench.http-client.acquire-timeout=100ms"),

	/**
	 * The gateway itself stands still for two seconds.
	 */
	STANDSTILL(Requirement.UNDISTURBED, (context, length) -> {
		context.gateway().process().freeze();
		try {
			Thread.sleep(Happening.STANDSTILL_LENGTH);
		}
		finally {
			context.gateway().process().resume();
		}
	});

	// After what disturbs no instance, none has to come back
	private static final Duration SHORT = Duration.ofSeconds(2);

	private final Requirement requirement;

	private final @Nullable ClientAction action;

	private final @Nullable Happening happening;

	private final @Nullable String simulated;

	private final String service;

	private final List<String> arguments;

	Fault(Requirement requirement) {
		this(requirement, null, Loads.SERVICE, new String[0]);
	}

	Fault(Requirement requirement, @Nullable String simulated, String service, String... arguments) {
		this(requirement, null, null, simulated, service, List.of(arguments));
	}

	Fault(Requirement requirement, ClientAction action) {
		this(requirement, action, (context, length) -> context.extraClients().come(action, length));
	}

	Fault(Requirement requirement, Happening happening) {
		this(requirement, null, happening);
	}

	Fault(Requirement requirement, @Nullable ClientAction action, Happening happening) {
		this(requirement, action, happening, null, Loads.SERVICE, List.of());
	}

	Fault(Requirement requirement, @Nullable ClientAction action, @Nullable Happening happening,
			@Nullable String simulated, String service, List<String> arguments) {
		this.requirement = requirement;
		this.action = action;
		this.happening = happening;
		this.simulated = simulated;
		this.service = service;
		this.arguments = arguments;
	}

	/**
	 * The name on the command line and in results, which the simulator knows it by, too.
	 * @return the name in lower case, with hyphens
	 */
	public String id() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	@Override
	public String toString() {
		return id();
	}

	/**
	 * What must hold.
	 */
	Requirement requirement() {
		return this.requirement;
	}

	/**
	 * What the gateway must be started with.
	 * @return arguments beside those that are there for every fault
	 */
	List<String> arguments() {
		return this.arguments;
	}

	/**
	 * The first segment of the path that the usual load is sent to.
	 */
	String service() {
		return this.service;
	}

	/**
	 * What clients beside the usual load do. They come before the fault as well: the
	 * first of them makes the JVM throw away much of what it has compiled, which is no
	 * matter of the fault.
	 * @return what they do, {@code null} if there are none
	 */
	@Nullable ClientAction action() {
		return this.action;
	}

	/**
	 * Whether the gateway is told to do without the instance that failed.
	 */
	boolean removes() {
		return this == ADDRESS_CHANGE || this == TLS_SILENCE;
	}

	/**
	 * How long the load goes on afterwards.
	 * @param usual how long it does after most faults
	 */
	Duration after(Duration usual) {
		return (this.requirement == Requirement.UNDISTURBED && usual.compareTo(SHORT) > 0) ? SHORT : usual;
	}

	/**
	 * Lets it happen, from the begin to the end.
	 * @param context where it happens
	 * @param length how long most of them last
	 */
	void happen(FaultContext context, Duration length) throws InterruptedException, IOException {
		if (this.happening != null) {
			this.happening.happen(context, length);
			return;
		}
		context.faulty().simulate((this.simulated != null) ? this.simulated : id(), length);
		Thread.sleep(length);
	}

	private interface Happening {

		Duration BETWEEN_REFRESHES = Duration.ofMillis(200);

		Duration BEFORE_IT_IS_KNOWN = Duration.ofSeconds(1);

		Duration REQUESTS_ON_THEIR_WAY = Duration.ofMillis(500);

		// Less than clients wait, and more than a timeout
		Duration STANDSTILL_LENGTH = Duration.ofSeconds(2);

		int BACKLOG = 4096;

		void happen(FaultContext context, Duration length) throws InterruptedException, IOException;

	}

}
