package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.load.Arrivals;
import io.gatewaybench.benchmark.load.Expectation;
import io.gatewaybench.benchmark.load.GatewayField;
import io.gatewaybench.benchmark.load.LoadPlan;
import io.gatewaybench.benchmark.load.LoadSession;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.NettyLoadSession;
import io.gatewaybench.benchmark.load.RequestType;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.StageResult;
import io.gatewaybench.benchmark.load.Timeouts;
import io.gatewaybench.benchmark.load.Workload;
import io.gatewaybench.benchmark.topology.Running;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends every request of a mix once and looks at each answer closely, before anything is
 * measured.
 *
 * @param client what sends them
 */
record FunctionalCheck(HttpClient client) {

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private static final int EXCERPT = 160;

	private static final JsonMapper MAPPER = JsonMapper.shared();

	/**
	 * Checks every path of every type.
	 * @throws BenchFailure naming the first answer that is not right
	 */
	void check(Running target, List<RequestType> mix) throws InterruptedException {
		for (RequestType type : mix.stream().map(RequestType::filled).toList()) {
			for (String path : type.paths()) {
				String problem = type.expect().webSocket() ? socketProblem(target.address(), path, type)
						: problem(target.address().resolve(path), type);
				if (problem != null) {
					throw new BenchFailure(target.name() + " does not answer as it must: " + type.method() + " " + path
							+ ": " + problem + "; see " + target.log());
				}
			}
		}
	}

	// The engine looks at a WebSocket as closely as it can be
	private static @Nullable String socketProblem(URI target, String path, RequestType type)
			throws InterruptedException {
		RequestType one = new RequestType(type.name(), 1, type.method(), List.of(path), type.headers(), null,
				type.expect());
		LoadPlan plan = new LoadPlan("check", target, new Workload(Model.CLOSED, List.of(one), 1, Duration.ZERO),
				new Timeouts(TIMEOUT, TIMEOUT), 1);
		Stage once = new Stage("check", Stage.Kind.WARMUP, Duration.ZERO, TIMEOUT, 0, Arrivals.CONSTANT, List.of(), 0,
				1, List.of());
		try (LoadSession session = new NettyLoadSession(plan)) {
			StageResult result = session.run(once);
			if (!result.complete()) {
				throw new InterruptedException();
			}
			return result.total()
				.failures()
				.stream()
				.findFirst()
				.map((failure) -> failure.split(": ", 2)[1])
				.orElse(null);
		}
	}

	private @Nullable String problem(URI uri, RequestType type) throws InterruptedException {
		HttpRequest.Builder request = HttpRequest.newBuilder(uri)
			.timeout(TIMEOUT)
			.method(type.method(), (type.body() != null) ? HttpRequest.BodyPublishers.ofString(type.body())
					: HttpRequest.BodyPublishers.noBody());
		type.headers().forEach(request::header);
		try {
			HttpResponse<byte[]> response = this.client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
			return problem(response.statusCode(), response.body(), type.expect());
		}
		catch (IOException ex) {
			return "no answer (" + ex.getClass().getSimpleName()
					+ ((ex.getMessage() != null) ? ": " + ex.getMessage() : "") + ")";
		}
	}

	static @Nullable String problem(int status, byte[] body, Expectation expect) {
		if (status != expect.status()) {
			return "status " + status + " instead of " + expect.status() + excerpt(body);
		}
		if (body.length < expect.minBytes()) {
			return body.length + " bytes, expected at least " + expect.minBytes() + excerpt(body);
		}
		if (expect.gatewayType() == null) {
			return null;
		}
		try {
			MAPPER.readTree(body);
		}
		catch (JacksonException ex) {
			return "the body is not JSON (" + ex.getOriginalMessage() + ")" + excerpt(body);
		}
		String problem = GatewayField.problem(new String(body, StandardCharsets.UTF_8), expect.gatewayType(),
				System.currentTimeMillis());
		return (problem != null) ? problem + excerpt(body) : null;
	}

	private static String excerpt(byte[] body) {
		String text = new String(body, 0, Math.min(body.length, EXCERPT), StandardCharsets.UTF_8).replaceAll("\\s+",
				" ");
		return text.isEmpty() ? "" : ": " + text;
	}

}
