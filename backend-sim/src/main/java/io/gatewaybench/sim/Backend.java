package io.gatewaybench.sim;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import tools.jackson.databind.json.JsonMapper;

/**
 * One instance: its name, its endpoints and its statistics, shared by its connections.
 */
final class Backend {

	private static final String STATS_PATH = "/sim/stats";

	private static final String RESET_PATH = "/sim/reset";

	private final JsonMapper mapper = JsonMapper.shared();

	private final Map<String, Answer.Service> services = new HashMap<>();

	private final AtomicInteger openConnections = new AtomicInteger();

	private final AtomicInteger inFlight = new AtomicInteger();

	private final String name;

	private final ResponseHead reportHead;

	private volatile BackendStats stats = new BackendStats();

	Backend(String name, Profile profile, Contents contents) {
		this.name = name;
		this.reportHead = ResponseHead.of(HttpResponseStatus.OK, name, "application/json");
		for (Endpoint endpoint : Endpoint.values()) {
			EndpointSettings settings = profile.settings(name, endpoint);
			this.services.put(endpoint.path(),
					Answer.Service.of(name, endpoint, settings, contents.get(endpoint, settings)));
		}
	}

	/**
	 * Decides what to do about a request.
	 * @param method method of the request
	 * @param path path of the request, without query
	 */
	Answer answer(HttpMethod method, String path) {
		Answer.Service service = this.services.get(path);
		if (service != null) {
			return service.endpoint().allows(method) ? service
					: Answer.Refusal.notAllowed(path, service.endpoint().allow());
		}
		return switch (path) {
			case STATS_PATH -> (HttpMethod.GET.equals(method) || HttpMethod.HEAD.equals(method))
					? new Answer.Report(false) : Answer.Refusal.notAllowed(path, "GET, HEAD");
			case RESET_PATH ->
				HttpMethod.POST.equals(method) ? new Answer.Report(true) : Answer.Refusal.notAllowed(path, "POST");
			default -> new Answer.Refusal(HttpResponseStatus.NOT_FOUND,
					"No such path, there are /api/hello, /api/data, /api/process, /api/heavy, " + STATS_PATH + " and "
							+ RESET_PATH);
		};
	}

	/**
	 * Returns the statistics as JSON.
	 * @param reset whether counting starts again
	 */
	byte[] report(boolean reset) {
		BackendStats reported = this.stats;
		if (reset) {
			this.stats = new BackendStats();
		}
		return this.mapper
			.writeValueAsBytes(reported.report(this.name, this.openConnections.get(), this.inFlight.get()));
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

	void connected() {
		this.openConnections.incrementAndGet();
	}

	void disconnected() {
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

	private record Problem(String title, int status, String detail) {
	}

}
