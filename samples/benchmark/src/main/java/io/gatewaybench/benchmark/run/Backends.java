package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.process.Child;
import io.gatewaybench.benchmark.process.Children;
import io.gatewaybench.benchmark.suite.Suite;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The services behind the gateways: one process with all instances, for the whole run.
 *
 * @param child the process
 * @param client what asks the instances
 * @param upstreams addresses of the instances, by service
 * @param command its command line
 */
record Backends(Child child, HttpClient client, Map<String, List<URI>> upstreams, List<String> command) {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final Duration POLL = Duration.ofMillis(50);

	private static final int LOG_TAIL = 64 * 1024;

	private static final JsonMapper MAPPER = JsonMapper.shared();

	static Backends start(Children children, HttpClient client, Installation installation, Suite.Backends wanted,
			Path log) throws InterruptedException {
		List<String> command = new ArrayList<>(List.of(installation.java().toString(), "-Xms256m", "-Xmx512m",
				"-XX:+UseSerialGC", "-jar", installation.backends().toString(), "--exit-with-parent"));
		for (String service : wanted.services()) {
			for (int instance = 1; instance <= wanted.instances(); instance++) {
				command.add("--instance");
				command.add(service + "-" + instance + "=0");
			}
		}
		Child child = children.start("The backend process", command, log);
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (!child.lastLines(LOG_TAIL).contains("STARTED")) {
			if (!child.isAlive()) {
				throw new BenchFailure(child.name() + " did not start: it ended with exit code "
						+ child.exitCode().orElse(-1) + StartupLog.reason(child) + "; see " + log);
			}
			if (System.nanoTime() > deadline) {
				throw new BenchFailure(child.name() + " is not ready after " + PATIENCE.toSeconds() + " s; see " + log);
			}
			Thread.sleep(POLL);
		}
		return new Backends(child, client, upstreams(child, wanted), List.copyOf(command));
	}

	private static Map<String, List<URI>> upstreams(Child child, Suite.Backends wanted) {
		Map<String, URI> ready = new HashMap<>();
		for (String line : child.lastLines(LOG_TAIL)) {
			String[] words = line.split(" ");
			if (words.length == 3 && words[0].equals("READY")) {
				ready.put(words[1], URI.create("http://127.0.0.1:" + words[2]));
			}
		}
		Map<String, List<URI>> upstreams = new LinkedHashMap<>();
		for (String service : wanted.services()) {
			List<URI> instances = new ArrayList<>();
			for (int instance = 1; instance <= wanted.instances(); instance++) {
				URI address = ready.get(service + "-" + instance);
				if (address == null) {
					throw new BenchFailure(child.name() + " did not tell the port of " + service + "-" + instance
							+ "; see " + child.log());
				}
				instances.add(address);
			}
			upstreams.put(service, List.copyOf(instances));
		}
		return upstreams;
	}

	/**
	 * Asks every instance what it did so far.
	 * @return the sum, empty if an instance can't be asked
	 */
	BackendStats stats() throws InterruptedException {
		BackendStats sum = BackendStats.NONE;
		for (List<URI> instances : this.upstreams.values()) {
			for (URI instance : instances) {
				HttpRequest request = HttpRequest.newBuilder(instance.resolve("/sim/stats"))
					.timeout(Duration.ofSeconds(5))
					.build();
				try {
					sum = sum.plus(parse(this.client.send(request, HttpResponse.BodyHandlers.ofString()).body()));
				}
				catch (IOException | JacksonException ex) {
					// A figure is missing then, and the verdict of the measurement says
					// so
					return BackendStats.NONE;
				}
			}
		}
		return sum;
	}

	static BackendStats parse(String json) {
		Map<String, BackendStats.Tally> endpoints = new HashMap<>();
		JsonNode tree = MAPPER.readTree(json).path("endpoints");
		for (JsonNode endpoint : tree) {
			long count = endpoint.path("requests").asLong(0);
			double meanMs = endpoint.path("achievedMs").path("mean").asDouble(0);
			endpoints.put(endpoint.path("path").asString(""), new BackendStats.Tally(count, count * meanMs));
		}
		return new BackendStats(endpoints);
	}

}
