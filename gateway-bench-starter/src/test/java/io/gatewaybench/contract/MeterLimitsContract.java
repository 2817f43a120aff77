package io.gatewaybench.contract;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How many meters there are, whatever comes.
 */
@ExtendWith(OutputCaptureExtension.class)
class MeterLimitsContract {

	private static final int REQUESTS = Integer.getInteger("gateway-bench.odd-requests", 2_000);

	private static final int CLIENTS = 4;

	private static final Set<String> ENDS = Set.of("error", "exception", "failure", "outcome", "status",
			"http.status_code", "httpStatusCode");

	private static final List<IntFunction<String>> KINDS = List.of(
			(i) -> request("ODD" + i, "/service/x", "Host: gateway"),
			(i) -> request("ODD" + i, "/native/x", "Host: gateway"),
			(i) -> request("ODD" + i, "/nowhere/x", "Host: gateway\r\nConnection: close"),
			(i) -> request("get" + i, "/native/x", "Content-Length: 0\r\nHost: gateway"),
			(i) -> request("GET", "/service/%d?q%d=%d".formatted(i, i, i), "Host: gateway"),
			(i) -> request("GET", "/native/%d?q%d=%d".formatted(i, i, i), "Host: gateway"),
			(i) -> request("GET", "/nowhere/" + i, "Host: gateway\r\nConnection: close"),
			(i) -> request("GET", "/actuator/health/" + i, "Host: gateway"),
			(i) -> request("POST", "/service/x", "Host: host-%d.example:%d\r\nContent-Length: 0".formatted(i, 1 + i)),
			(i) -> request("GET", "/native/x", "Host: host-%d.example:%d".formatted(i, 1 + i)),
			(i) -> request("GET", "/service/x",
					"Host: gateway\r\nForwarded: host=h%d;for=_%d;proto=p%d\r\nX-Forwarded-Proto: p%d".formatted(i, i,
							i, i)),
			(i) -> request("GET", "/native/x",
					"Host: gateway\r\nX-Forwarded-Host: h%d\r\nX-Forwarded-Prefix: /p%d".formatted(i, i)),
			(i) -> request("GET", "/service/x",
					"Host: gateway\r\nX-Odd-%d: v%d\r\nAccept: a/b%d\r\nUser-Agent: u%d\r\nOrigin: http://o%d"
						.formatted(i, i, i, i, i)),
			(i) -> request("GET", "/native/x",
					"Host: gateway\r\nX-HTTP-Method-Override: ODD%d\r\nContent-Type: a/b%d".formatted(i, i)));

	private final Gateway gateway;

	MeterLimitsContract(Gateway gateway) {
		this.gateway = gateway;
	}

	private static String request(String method, String target, String headers) {
		return "%s %s HTTP/1.1\r\n%s\r\n\r\n".formatted(method, target, headers);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void noRequestMakesAMeterOfItsOwn(boolean observed) throws Exception {
		try (RawUpstream upstream = new RawUpstream()) {
			upstream.answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
			try (RunningGateway running = start(upstream, "gateway-bench.observations.enabled=" + observed)) {
				for (String method : List.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "QUERY")) {
					for (String path : List.of("/service/x", "/native/x", "/nowhere/x")) {
						send(running, request(method, path, "Host: gateway"));
					}
				}
				play(running, 0, CLIENTS * KINDS.size());
				Set<String> before = metersOfRequests(running);
				play(running, CLIENTS * KINDS.size(), REQUESTS);
				assertThat(metersOfRequests(running)).containsExactlyInAnyOrderElementsOf(before);
				assertThat(values(running, "method", "http.method", "httpMethod")).contains("GET")
					.noneMatch((method) -> method.toLowerCase().matches("(odd|get)\\d+"));
				// What the starter observes, it observes without a method
				if (!observed) {
					assertThat(values(running, "method", "http.method")).contains("QUERY", "_OTHER");
				}
			}
		}
	}

	@Test
	void statusesHaveALimit(CapturedOutput output) throws Exception {
		AtomicInteger status = new AtomicInteger(205);
		try (RawUpstream upstream = new RawUpstream()) {
			upstream.answer((out) -> out
				.write("HTTP/1.1 %d Odd\r\nContent-Length: 0\r\n\r\n".formatted(status.incrementAndGet())
					.getBytes(StandardCharsets.US_ASCII)));
			try (RunningGateway running = start(upstream)) {
				for (int i = 0; i < 400; i++) {
					send(running, request("GET", "/service/x", "Host: gateway"));
				}
				assertThat(values(running, "status", "http.status_code", "httpStatusCode"))
					.filteredOn((value) -> value.matches("\\d+"))
					.contains("206", "207")
					.hasSize(100);
				assertThat(output).containsOnlyOnce("There are too many statuses");
			}
		}
	}

	private RunningGateway start(RawUpstream upstream, String... properties) {
		List<String> all = Gateway.route(0, "the-route", "service", List.of(upstream.url()));
		all.addAll(this.gateway.nativeRoute(0, "the-native-route", "/native/**", upstream.url(), List.of()));
		all.addAll(List.of(properties));
		return this.gateway.start(all.toArray(String[]::new));
	}

	private static void play(RunningGateway running, int from, int to) {
		IntStream.range(0, CLIENTS).parallel().forEach((client) -> {
			List<String> requests = new ArrayList<>();
			for (int i = from + client; i < to; i += CLIENTS) {
				requests.add(KINDS.get(i / CLIENTS % KINDS.size()).apply(i));
			}
			send(running, requests.toArray(String[]::new));
		});
	}

	/**
	 * Send on one connection, and on a new one after each answer that ends it.
	 */
	private static void send(RunningGateway running, String... requests) {
		int sent = 0;
		while (sent < requests.length) {
			try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), running.port())) {
				socket.setSoTimeout(20_000);
				InputStream in = new BufferedInputStream(socket.getInputStream());
				boolean open = true;
				while (open && sent < requests.length) {
					String request = requests[sent++];
					socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
					Message answer = Message.read(in, request.startsWith("HEAD "), () -> {
					});
					open = !"close".equals(answer.header("Connection"));
				}
			}
			catch (IOException ex) {
				throw new AssertionError(requests[sent - 1], ex);
			}
		}
	}

	/**
	 * The meters by what a request says. How it ends is not a request's to choose: a
	 * client that closes early, or a connection that breaks, may end one in another way.
	 */
	private static Set<String> metersOfRequests(RunningGateway running) {
		return meters(running)
			// Of the garbage collector, as it happens
			.filter((id) -> !id.getName().startsWith("jvm."))
			.map((id) -> id.getName() + id.getTags().stream().filter((tag) -> !ENDS.contains(tag.getKey())).toList())
			.collect(Collectors.toSet());
	}

	private static Stream<Meter.Id> meters(RunningGateway running) {
		return running.context().getBean(MeterRegistry.class).getMeters().stream().map(Meter::getId);
	}

	private static Set<String> values(RunningGateway running, String... tags) {
		Set<String> keys = Set.of(tags);
		return meters(running)
			// Whose status is not known yet
			.filter((id) -> !id.getName().endsWith(".active"))
			.flatMap((id) -> id.getTags().stream())
			.filter((tag) -> keys.contains(tag.getKey()))
			.map((tag) -> tag.getValue())
			.collect(Collectors.toSet());
	}

}
