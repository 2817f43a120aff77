package io.gatewaybench.benchmark.observe;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

class ActuatorTests {

	private final Map<String, String> answers = new TreeMap<>();

	private HttpServer server;

	private HttpClient client;

	private Actuator actuator;

	@BeforeEach
	void start() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/", (exchange) -> {
			String body = this.answers.get(exchange.getRequestURI().toString());
			byte[] bytes = ((body != null) ? body : "none").getBytes(StandardCharsets.UTF_8);
			exchange.sendResponseHeaders((body == null) ? 404 : body.equals("down") ? 503 : 200, bytes.length);
			exchange.getResponseBody().write(bytes);
			exchange.close();
		});
		this.server.start();
		this.client = HttpClient.newHttpClient();
		this.actuator = new Actuator(this.client,
				URI.create("http://127.0.0.1:" + this.server.getAddress().getPort() + "/actuator"));
	}

	@AfterEach
	void stop() {
		this.client.close();
		this.server.stop(0);
	}

	@Test
	void cpuTimeIsToldWithThatOfTheCompilers() {
		meter("process.cpu.time", "COUNT", 5e9);
		meter("jvm.compilation.time", "COUNT", 1_000);
		ProcessSnapshot earlier = this.actuator.look();
		meter("process.cpu.time", "COUNT", 7.5e9);
		meter("jvm.compilation.time", "COUNT", 1_200);
		ProcessUse use = this.actuator.look().since(earlier);
		assertThat(use.cpuSeconds()).isCloseTo(2.5, within(1e-9));
		assertThat(use.cpuSeconds(ThreadGroup.JIT)).isCloseTo(0.2, within(1e-9));
		assertThat(use.cpuSeconds(ThreadGroup.OTHER)).isCloseTo(2.3, within(1e-9));
		assertThat(use.cpuSeconds(ThreadGroup.ENDED)).isZero();
	}

	@Test
	void theJvmTellsWhatItAllocatedAndCollected() {
		meter("jvm.gc.memory.allocated", "COUNT", 1e6);
		JvmUse earlier = this.actuator.lookAtJvm();
		meter("jvm.gc.memory.allocated", "COUNT", 4e6);
		meter("jvm.memory.used?tag=area:heap", "VALUE", 2e6);
		meter("jvm.memory.committed?tag=area:heap", "VALUE", 8e6);
		meter("jvm.threads.live", "VALUE", 30);
		meter("jvm.threads.peak", "VALUE", 31);
		answer("metrics/jvm.gc.pause", """
				{"measurements": [{"statistic": "COUNT", "value": 3}, {"statistic": "TOTAL_TIME", "value": 0.021}]}""");
		assertThat(this.actuator.lookAtJvm().since(earlier))
			.isEqualTo(new JvmUse(3_000_000, 2_000_000, 8_000_000, 3, 21, 30, 31));
	}

	@Test
	void whatItDoesNotTellIsUnknown() throws Exception {
		assertThat(this.actuator.look()).isNull();
		assertThat(this.actuator.lookAtJvm()).isNull();
		assertThat(this.actuator.settings()).isNull();
		assertThat(this.actuator.figure("a", "COUNT")).isEmpty();
		answer("info", "{}");
		assertThat(this.actuator.settings()).isNull();
		answer("info", "{\"java\": {\"version\": \"25\"}}");
		answer("gatewaybench", "down");
		assertThat(this.actuator.settings()).isEqualTo("{\"info\":{\"java\":{\"version\":\"25\"}}}");
	}

	@Test
	void anAnswerThatIsNoMeterIsTold() {
		answer("metrics/a", "down");
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.actuator.figure("a", "COUNT"))
			.withMessageContaining("/actuator/metrics/a answers 503");
		answer("metrics/a", "<html>");
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.actuator.figure("a", "COUNT"))
			.withMessageContaining("answers no JSON");
		meter("a", "VALUE", 1);
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.actuator.figure("a", "COUNT"))
			.withMessage("its meter a has no COUNT");
		answer("metrics/process.cpu.time", "<html>");
		assertThat(this.actuator.look()).isNull();
		this.server.stop(0);
		assertThat(this.actuator.look()).isNull();
	}

	private void meter(String name, String statistic, double value) {
		answer("metrics/" + name,
				"{\"measurements\": [{\"statistic\": \"%s\", \"value\": %s}]}".formatted(statistic, value));
	}

	private void answer(String path, String body) {
		this.answers.put("/actuator/" + path, body);
	}

}
