package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.observe.ProcessSnapshot;
import io.gatewaybench.benchmark.process.Child;
import io.gatewaybench.benchmark.process.Children;
import io.gatewaybench.benchmark.process.FreePort;
import io.gatewaybench.benchmark.process.StartupLog;
import io.gatewaybench.benchmark.suite.Threads;
import io.gatewaybench.benchmark.suite.Variant;
import org.jspecify.annotations.Nullable;

/**
 * One gateway, running and healthy.
 *
 * @param child its process
 * @param address {@code http://host:port}
 * @param command its command line
 * @param startMillis from the start of the process until its health was 200
 * @param flags the flags of its JVM, {@code null} if it does not tell
 * @param affinity the cores it may run on
 */
public record Gateway(Child child, URI address, List<String> command, long startMillis, @Nullable String flags,
		String affinity) implements AutoCloseable {

	private static final Duration POLL = Duration.ofMillis(100);

	/**
	 * What a gateway needs to know beside its variant.
	 *
	 * @param java what starts a JVM
	 * @param jar its jar
	 * @param heap its heap, as in {@code -Xmx}
	 * @param upstreams addresses of the instances, by service
	 * @param directory for its CSV files and its routes
	 * @param log file for its output
	 * @param patience how long it may take to become healthy
	 * @param placement the cores it gets, and among whom it shares them
	 */
	public record Settings(Path java, Path jar, String heap, Map<String, List<URI>> upstreams, Path directory, Path log,
			Duration patience, Placement placement) {

		String withAddresses(String argument) {
			String result = argument;
			for (Map.Entry<String, List<URI>> upstream : this.upstreams.entrySet()) {
				result = result.replace("{" + upstream.getKey() + "}", upstream.getValue().getFirst().toString());
			}
			return result;
		}

	}

	/**
	 * Starts a gateway and waits until it is healthy.
	 * @param children who ends it
	 * @param client what asks for its health
	 * @param variant how it is set up
	 * @param settings what else it needs to know
	 * @return the running gateway
	 * @throws BenchFailure if it does not become healthy in time, with the reason from
	 * its log
	 * @throws InterruptedException if the thread was interrupted
	 */
	public static Gateway start(Children children, HttpClient client, Variant variant, Settings settings)
			throws InterruptedException {
		URI address = URI.create("http://127.0.0.1:" + FreePort.find());
		List<String> command = command(variant, settings, address.getPort());
		String name = "The gateway " + variant.title();
		long start = System.nanoTime();
		Child child = children.start(name, command, settings.log());
		try {
			awaitHealth(child, client, address, start + settings.patience().toNanos());
			return new Gateway(child, address, command, Duration.ofNanos(System.nanoTime() - start).toMillis(), null,
					ProcessSnapshot.affinity(child.pid()));
		}
		catch (BenchFailure | InterruptedException ex) {
			child.close();
			throw ex;
		}
	}

	private static List<String> command(Variant variant, Settings settings, int port) {
		List<String> command = new ArrayList<>(settings.placement().gateway());
		command.add(settings.java().toString());
		command.add("-Xms" + settings.heap());
		command.add("-Xmx" + settings.heap());
		// What the JVM would choose depends on the cores it sees
		command.add("-XX:+UseG1GC");
		command.add("-jar");
		command.add(settings.jar().toString());
		command.add("--server.address=127.0.0.1");
		command.add("--server.port=" + port);
		command.add("--spring.threads.virtual.enabled=" + (variant.threads() == Threads.VIRTUAL));
		command.add("--gateway-bench.metrics.csv.enabled=true");
		command.add("--gateway-bench.metrics.csv.directory=" + settings.directory());
		settings.upstreams().forEach((service, instances) -> {
			for (int index = 0; index < instances.size(); index++) {
				command
					.add("--gateway-bench.upstreams." + service + ".instances[" + index + "]=" + instances.get(index));
			}
		});
		if (variant.routes() > 0) {
			Path file = GeneratedRoutes.write(settings.directory(), variant.routes(),
					settings.upstreams().keySet().iterator().next());
			command.add("--spring.config.additional-location=" + file.toUri());
		}
		variant.arguments().stream().map(settings::withAddresses).forEach((argument) -> put(command, argument));
		return List.copyOf(command);
	}

	// Of a property that is there twice, Spring would take both values
	private static void put(List<String> command, String argument) {
		int nameEnd = argument.indexOf('=') + 1;
		if (nameEnd > 0) {
			command.removeIf((each) -> each.startsWith(argument.substring(0, nameEnd)));
		}
		command.add(argument);
	}

	private static void awaitHealth(Child child, HttpClient client, URI address, long deadline)
			throws InterruptedException {
		HttpRequest health = HttpRequest.newBuilder(address.resolve("/actuator/health"))
			.timeout(Duration.ofSeconds(5))
			.build();
		String last = "it does not listen";
		while (true) {
			if (!child.isAlive()) {
				throw new BenchFailure(child.name() + " did not start: it ended with exit code "
						+ child.exitCode().orElse(-1) + StartupLog.reason(child) + "; see " + child.log());
			}
			try {
				int status = client.send(health, HttpResponse.BodyHandlers.discarding()).statusCode();
				if (status == 200) {
					return;
				}
				last = "its health is " + status;
			}
			catch (IOException ex) {
				last = "it does not listen";
			}
			if (System.nanoTime() > deadline) {
				throw new BenchFailure(child.name() + " is not ready in time: " + last + " on port " + address.getPort()
						+ "; see " + child.log());
			}
			Thread.sleep(POLL);
		}
	}

	/**
	 * Whether its process still runs.
	 * @return {@code false} once it ended
	 */
	public boolean isAlive() {
		return this.child.isAlive();
	}

	Gateway withFlags(@Nullable String newFlags) {
		return new Gateway(this.child, this.address, this.command, this.startMillis, newFlags, this.affinity);
	}

	@Override
	public void close() {
		this.child.close();
	}

}
