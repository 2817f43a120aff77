package io.gatewaybench.contract;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.core.env.MapPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the log tells of requests and of upstreams, with all that the starter logs
 * switched on, and the exceptions that Spring answers.
 */
@ExtendWith(OutputCaptureExtension.class)
class LogsContract {

	private static final String SECRET = "planted-secret";

	private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]");

	/**
	 * Tomcat's own words for a line of a header, a target or a parameter that it can't
	 * read.
	 */
	private static final Pattern OF_TOMCAT = Pattern.compile("The HTTP header line \\[.* does not conform"
			+ "|Invalid character found in the request target|Character decoding failed");

	private static final String OK = "HTTP/1.1 200 OK\r\n";

	private static final List<String> RESPONSES = List.of(
			OK + "X-A: planted-secret\r\nContent-Length: 14\r\n\r\nplanted-secret",
			OK + "X-\u001b[31m: planted-secret\r\nContent-Length: 0\r\n\r\n",
			OK + "X-A: \u001b[31mplanted-secret\r\nContent-Length: 0\r\n\r\n",
			OK + "X-\u009b: \u009bplanted-secret\r\nContent-Length: 0\r\n\r\n",
			OK + "X A planted-secret\r\nContent-Length: 0\r\n\r\n", OK + ": planted-secret\r\n\r\n",
			"HTTP/1.1 \u001b planted-secret\r\nContent-Length: 0\r\n\r\n",
			"HTTP/1.1 200 O\u001bplanted-secret\r\nContent-Length: 0\r\n\r\n", "\u001bplanted-secret\r\n\r\n",
			OK + "Content-Length: \u001bplanted-secret\r\n\r\n", OK + "Transfer-Encoding: \u001bplanted-secret\r\n\r\n",
			OK + "Content-Type: \u001bplanted-secret\r\nContent-Length: 0\r\n\r\n",
			OK + "Content-Encoding: \u001bplanted-secret\r\nContent-Length: 0\r\n\r\n",
			OK + "Transfer-Encoding: chunked\r\n\r\n\u001bplanted-secret\r\n",
			OK + "Transfer-Encoding: chunked\r\n\r\n1;\u001bplanted-secret\r\n",
			OK + "Transfer-Encoding: chunked\r\n\r\n0\r\nX-\u001b: planted-secret\r\n\r\n",
			OK + "Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{\"\u001bplanted-secret",
			OK + "Content-Type: text/plain\r\nContent-Length: 99\r\n\r\n\u001bplanted-secret", "");

	private static final List<String> REQUESTS = List.of("GET /service/x?planted-secret|{",
			"GET /service/x?planted-secret#planted-secret", "GET /service/x?planted-secret%zz",
			"GET /service/../x?planted-secret", "GET /service/a%2fb?planted-secret",
			"GET /service/x?a=\u001bplanted-secret", "GET /service/x?a=\"planted-secret\"",
			"GET /nowhere?planted-secret", "GET http://gateway/service/x?planted-secret",
			"P\u001bT /service/x?planted-secret");

	private final Gateway gateway;

	private RawUpstream upstream;

	LogsContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeEach
	void startUpstream() throws IOException {
		this.upstream = new RawUpstream();
	}

	@AfterEach
	void stopUpstream() throws IOException {
		this.upstream.close();
	}

	@Test
	void aResponseOfAnyKindLeavesNothingOfItInTheLog(CapturedOutput output) throws Exception {
		try (RunningGateway running = start("gateway-bench.load-balancing.health-check.enabled=true",
				"gateway-bench.load-balancing.health-check.path=/up",
				"gateway-bench.load-balancing.health-check.interval=20ms")) {
			for (String response : RESPONSES) {
				this.upstream.answer((out) -> {
					out.write(response.getBytes(StandardCharsets.ISO_8859_1));
					out.flush();
					throw new IOException("Closed by the test");
				});
				this.upstream.requestOf("/up");
				tryTo(running, "GET /service/x?" + SECRET + " HTTP/1.1\r\nAuthorization: " + SECRET + "\r\n");
				tryTo(running, "POST /service/x?" + SECRET + " HTTP/1.1\r\nContent-Length: 14\r\n", SECRET);
				this.upstream.requestOf("/up");
			}
		}
		assertThat(output).contains("its health check fails");
		assertNothingIsTold(output);
	}

	@Test
	void aRequestOfAnyKindLeavesNothingOfItInTheLog(CapturedOutput output) throws Exception {
		try (RunningGateway running = start()) {
			for (String request : REQUESTS) {
				tryTo(running, request + " HTTP/1.1\r\nAuthorization: " + SECRET + "\r\nCookie: " + SECRET + "\r\n");
				tryTo(running, request + " HTTP/1.1\r\nX-\u001b: " + SECRET + "\r\n");
				tryTo(running, request + " HTTP/1.1\r\nX-A: \u001b" + SECRET + "\r\n");
			}
		}
		assertNothingIsTold(output);
	}

	@Test
	void aRequestThatFailsLeavesNothingOfItInTheLog(CapturedOutput output) throws Exception {
		CountDownLatch end = new CountDownLatch(1);
		this.upstream.answer((out) -> RawUpstream.await(end));
		try (RunningGateway running = start("gateway-bench.timeouts.response=100ms",
				"gateway-bench.load-balancing.ejection.consecutive-failures=1",
				"gateway-bench.server.body-timeout=100ms")) {
			tryTo(running, "GET /service/x?" + SECRET + " HTTP/1.1\r\n");
			end.countDown();
			tryTo(running, "POST /service/x?" + SECRET + " HTTP/1.1\r\nTransfer-Encoding: chunked\r\n",
					"zz\u001b\r\n" + SECRET);
			this.upstream.close();
			tryTo(running, "GET /service/x?" + SECRET + " HTTP/1.1\r\n");
			tryTo(running, "POST /service/x?" + SECRET + " HTTP/1.1\r\nContent-Length: 99\r\n", SECRET);
		}
		assertNothingIsTold(output);
	}

	/**
	 * A client resets its connection some moments after it has begun, when the gateway
	 * waits for the rest of the body.
	 */
	@Test
	void aClientThatResetsWithinAShortBodyIsNoErrorInTheLog(CapturedOutput output) throws Exception {
		try (RunningGateway running = start()) {
			Queue<Socket> begun = new ArrayDeque<>();
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
				for (Socket client = begun.poll(); client != null; client = begun.poll()) {
					client.close();
				}
				begun.add(beginUpload(running.port()));
				return requests(running) >= 3;
			});
			begun.remove().close();
		}
		assertThat(output).doesNotContain(" ERROR ");
	}

	private static Socket beginUpload(int port) throws IOException {
		Socket client = new Socket(InetAddress.getLoopbackAddress(), port);
		client.setSoLinger(true, 0);
		client.getOutputStream()
			.write("POST /service/x HTTP/1.1\r\nHost: gateway\r\nContent-Length: 10\r\n\r\nabc"
				.getBytes(StandardCharsets.US_ASCII));
		return client;
	}

	private static long requests(RunningGateway running) {
		return running.context()
			.getBean(MeterRegistry.class)
			.find("gateway.bench.requests")
			.timers()
			.stream()
			.mapToLong(Timer::count)
			.sum();
	}

	@Test
	void thePasswordOfAnInstanceThatComesWithARefreshIsNotTold(CapturedOutput output) {
		try (RunningGateway running = start()) {
			String key = "gateway-bench.upstreams.service.instances[0]";
			running.context()
				.getEnvironment()
				.getPropertySources()
				.addFirst(new MapPropertySource("changed", Map.of(key, "http://user:" + SECRET + "@127.0.0.1:1")));
			running.context().publishEvent(new EnvironmentChangeEvent(running.context(), Set.of(key)));
			assertThat(output).contains("It has user info");
		}
		assertNothingIsTold(output);
	}

	private RunningGateway start(String... properties) {
		List<String> all = new ArrayList<>(List.of(properties));
		all.add("logging.level.io.gatewaybench=trace");
		// It tells the exceptions that become responses, at WARN
		all.add("spring.mvc.log-resolved-exception=true");
		return this.gateway.startWithRoute(List.of(this.upstream.url()), all.toArray(String[]::new));
	}

	private static void tryTo(RunningGateway running, String head) {
		tryTo(running, head, "");
	}

	/**
	 * The gateway may break off what it cannot answer.
	 */
	private static void tryTo(RunningGateway running, String head, String body) {
		try {
			HttpExchange.send(running.port(), head + "Host: gateway\r\nConnection: close\r\n\r\n" + body);
		}
		catch (IOException | IllegalStateException ex) {
			// What it logs is what counts
		}
	}

	private static void assertNothingIsTold(CapturedOutput output) {
		assertThat(output.toString()
			.lines()
			.filter((line) -> line.contains(SECRET) || CONTROL.matcher(line.replace("\t", "")).find())
			.filter((line) -> !OF_TOMCAT.matcher(line).find())).isEmpty();
	}

}
