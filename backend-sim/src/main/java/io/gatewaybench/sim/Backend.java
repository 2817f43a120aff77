package io.gatewaybench.sim;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * One instance: its name, its endpoints and its statistics, shared by its connections.
 */
final class Backend {

	private static final String STATS_PATH = "/sim/stats";

	private static final String RESET_PATH = "/sim/reset";

	private static final String FAULT_PATH = "/sim/fault";

	private static final String PATHS = Stream
		.concat(Arrays.stream(Endpoint.values()).map(Endpoint::path), Stream.of(STATS_PATH, RESET_PATH, FAULT_PATH))
		.collect(Collectors.joining(", "));

	private final JsonMapper mapper = JsonMapper.shared();

	private final Map<String, Answer.Service> healthy;

	private final AtomicInteger openConnections = new AtomicInteger();

	private final AtomicInteger inFlight = new AtomicInteger();

	private final String name;

	private final ResponseHead reportHead;

	private final InstancePort instancePort;

	private volatile BackendStats stats = new BackendStats();

	// Replaced as a whole during an outage, so that requests look for none
	private volatile Map<String, Answer.Service> services;

	private @Nullable Future<?> recovery;

	/**
	 * An instance.
	 * @param name its name
	 * @param profile how its endpoints behave
	 * @param contents makes bodies
	 * @param instancePort where its clients come in
	 */
	Backend(String name, Profile profile, Contents contents, InstancePort instancePort) {
		this.name = name;
		this.instancePort = instancePort;
		this.reportHead = ResponseHead.of(HttpResponseStatus.OK, name, "application/json");
		Map<String, Answer.Service> own = new HashMap<>();
		for (Endpoint endpoint : Endpoint.values()) {
			EndpointSettings settings = profile.settings(name, endpoint);
			own.put(endpoint.path(), Answer.Service.of(name, endpoint, settings, contents.get(endpoint, settings)));
		}
		this.healthy = Map.copyOf(own);
		this.services = this.healthy;
	}

	/**
	 * Decides what to do about a request.
	 * @param method method of the request
	 * @param target target of the request
	 */
	Answer answer(HttpMethod method, String target) {
		String path = RequestTarget.path(target);
		Answer.Service service = this.services.get(path);
		if (service != null) {
			return service.endpoint().allows(method) ? service
					: Answer.Refusal.notAllowed(path, service.endpoint().allow());
		}
		return switch (path) {
			case STATS_PATH -> (HttpMethod.GET.equals(method) || HttpMethod.HEAD.equals(method)) ? new Answer.Report()
					: Answer.Refusal.notAllowed(path, "GET, HEAD");
			case RESET_PATH -> HttpMethod.POST.equals(method) ? reset(target) : Answer.Refusal.notAllowed(path, "POST");
			case FAULT_PATH ->
				HttpMethod.POST.equals(method) ? failure(target) : Answer.Refusal.notAllowed(path, "POST");
			default -> new Answer.Refusal(HttpResponseStatus.NOT_FOUND, "No such path, there are " + PATHS);
		};
	}

	private static Answer reset(String target) {
		String seed = RequestTarget.parameter(target, "seed");
		try {
			return new Answer.Reset((seed != null) ? Long.parseLong(seed) : 0);
		}
		catch (NumberFormatException ex) {
			return new Answer.Refusal(HttpResponseStatus.BAD_REQUEST, "seed takes a whole number, not " + seed);
		}
	}

	private static Answer failure(String target) {
		try {
			return new Answer.Failure(Outage.of(target));
		}
		catch (IllegalArgumentException ex) {
			return new Answer.Refusal(HttpResponseStatus.BAD_REQUEST, String.valueOf(ex.getMessage()));
		}
	}

	/**
	 * Begins an outage, in the place of one that is not over.
	 * @param outage what is wrong from now on
	 * @param messenger the connection that told so, which survives
	 * @return what begins, as JSON
	 */
	synchronized byte[] fail(Outage outage, Channel messenger) {
		if (this.recovery != null) {
			this.recovery.cancel(false);
		}
		this.services = outage.kind().spoil(this.healthy);
		if (outage.kind() == Outage.Kind.REFUSE) {
			this.instancePort.shut(messenger);
		}
		else {
			this.instancePort.open();
		}
		this.recovery = messenger.eventLoop()
			.schedule(this::recover, outage.length().toMillis(), TimeUnit.MILLISECONDS);
		return this.mapper.writeValueAsBytes(new Begun(this.name, outage.kind().key(), outage.length().toMillis()));
	}

	private synchronized void recover() {
		this.services = this.healthy;
		this.instancePort.open();
	}

	/**
	 * Returns the statistics as JSON.
	 */
	byte[] report() {
		return report(this.stats);
	}

	/**
	 * Lets counting and the delays start again.
	 * @param seed what is added to the seed of the delays
	 * @return the statistics until now, as JSON
	 */
	byte[] reset(long seed) {
		BackendStats before = this.stats;
		this.stats = new BackendStats();
		this.healthy.values().forEach((service) -> {
			service.delays().random().restart(seed);
			service.faults().requests().set(0);
		});
		return report(before);
	}

	private byte[] report(BackendStats reported) {
		return this.mapper
			.writeValueAsBytes(reported.report(this.name, this.openConnections.get(), this.inFlight.get()));
	}

	String name() {
		return this.name;
	}

	ResponseHead reportHead() {
		return this.reportHead;
	}

	/**
	 * Returns a problem (RFC 9457) as JSON.
	 * @param refusal what is wrong
	 */
	byte[] problem(Answer.Refusal refusal) {
		return this.mapper
			.writeValueAsBytes(new Problem(refusal.status().reasonPhrase(), refusal.status().code(), refusal.detail()));
	}

	ResponseHead problemHead(Answer.Refusal refusal) {
		return ResponseHead.of(refusal.status(), this.name, "application/problem+json", refusal.fields());
	}

	void connected(Channel connection) {
		this.instancePort.entered(connection);
		this.openConnections.incrementAndGet();
	}

	void disconnected(Channel connection) {
		this.instancePort.left(connection);
		this.openConnections.decrementAndGet();
	}

	void started() {
		this.inFlight.incrementAndGet();
	}

	void answered(Endpoint endpoint, long intendedNanos, long achievedNanos) {
		this.inFlight.decrementAndGet();
		this.stats.endpoint(endpoint).answered(intendedNanos, achievedNanos);
	}

	void aborted(Endpoint endpoint) {
		this.inFlight.decrementAndGet();
		this.stats.endpoint(endpoint).aborted();
	}

	void refused() {
		this.stats.refused();
	}

	private record Begun(String instance, String fault, long millis) {
	}

	private record Problem(String title, int status, String detail) {
	}

}
