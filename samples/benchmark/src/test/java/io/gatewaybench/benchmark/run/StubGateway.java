package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * Stands in for gateway and backends, so that the runner can be tested in seconds. What
 * it is follows from the name of the jar that would be started.
 */
final class StubGateway {

	private static final Pattern PORT = Pattern.compile("(?m)^server:\\n(?: .*\\n)*? +port: \"?(\\d+)");

	private static volatile double sink;

	private StubGateway() {
	}

	public static void main(String[] args) throws Exception {
		// The JDK's server writes head and body apart, and would wait 40 ms for the
		// client in between
		System.setProperty("sun.net.httpserver.nodelay", "true");
		List<String> arguments = Arrays.asList(args);
		String jar = arguments.get(arguments.indexOf("-jar") + 1);
		if (jar.endsWith("backend-sim.jar")) {
			backends(arguments);
		}
		else {
			gateway(arguments, jar.contains("webflux") ? "WebFlux" : "WebMVC");
		}
	}

	private static void backends(List<String> arguments) throws IOException {
		for (int index = 0; index < arguments.size(); index++) {
			if (arguments.get(index).equals("--instance")) {
				String[] instance = arguments.get(index + 1).split("=");
				HttpServer server = server(Integer.parseInt(instance[1]));
				server.createContext("/sim/stats", (exchange) -> answer(exchange, 200, "{}"));
				server.createContext("/sim/reset", (exchange) -> answer(exchange, 200, "{}"));
				server.createContext("/sim/fault", (exchange) -> answer(exchange, 200, "{}"));
				server.createContext("/api", (exchange) -> {
					exchange.getRequestBody().readAllBytes();
					answer(exchange, 200, "{\"filler\":\"%s\"}".formatted("x".repeat(50_000)));
				});
				server.start();
				System.out.println("READY " + instance[0] + " " + server.getAddress().getPort());
			}
		}
		System.out.println("STARTED");
	}

	private static void gateway(List<String> arguments, String type) throws IOException {
		List<String> behaviour = List.of(value(arguments, "--stub").split(","));
		if (behaviour.contains("port-in-use")) {
			System.out.println("""
					***************************
					APPLICATION FAILED TO START
					***************************

					Description:

					Web server failed to start. Port 8080 was already in use.
					""");
			System.exit(1);
		}
		HttpServer server = server(port(value(arguments, "--spring.config.additional-location")));
		server.createContext("/actuator/health",
				(exchange) -> answer(exchange, behaviour.contains("unhealthy") ? 503 : 200, "{}"));
		server.createContext("/actuator/metrics", (exchange) -> {
			pauseIfSlow(behaviour);
			answer(exchange, 404, "{}");
		});
		server.createContext("/", (exchange) -> {
			exchange.getRequestBody().readAllBytes();
			if (behaviour.contains("busy")) {
				work();
			}
			pauseIfSlow(behaviour);
			answer(exchange, 200,
					"{\"filler\":\"%s\",\"_gateway\":{\"type\":\"%s\",\"timestamp\":%d,\"processed\":true}}".formatted(
							"x".repeat(behaviour.contains("slow") ? 5_000 : 50_000),
							behaviour.contains("wrong-type") ? "Other" : type, System.currentTimeMillis()));
		});
		server.start();
	}

	/**
	 * Enough for Flight Recorder to see.
	 */
	private static void work() {
		ThreadMXBean threads = ManagementFactory.getThreadMXBean();
		long end = threads.getCurrentThreadCpuTime() + 20_000_000;
		while (threads.getCurrentThreadCpuTime() < end) {
			// To ask for the time is native code, which is not sampled
			for (int i = 1; i < 100_000; i++) {
				sink += 1.0 / i;
			}
		}
	}

	/**
	 * Keeps clients that ask again at once from taking all of the machine.
	 */
	private static void pauseIfSlow(List<String> behaviour) {
		if (behaviour.contains("slow")) {
			LockSupport.parkNanos(100_000_000);
		}
	}

	private static HttpServer server(int port) throws IOException {
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
		server.setExecutor(Executors.newCachedThreadPool());
		return server;
	}

	private static void answer(HttpExchange exchange, int status, String body) throws IOException {
		byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
		exchange.sendResponseHeaders(status, bytes.length);
		exchange.getResponseBody().write(bytes);
		exchange.close();
	}

	/**
	 * Without a parser, which would take most of the start.
	 */
	private static int port(String location) throws IOException {
		return PORT.matcher(Files.readString(Path.of(URI.create(location))))
			.results()
			.mapToInt((port) -> Integer.parseInt(port.group(1)))
			.findFirst()
			.orElseThrow();
	}

	private static String value(List<String> arguments, String name) {
		return arguments.stream()
			.filter((argument) -> argument.startsWith(name + "="))
			.map((argument) -> argument.substring(name.length() + 1))
			.findFirst()
			.orElse("");
	}

}
