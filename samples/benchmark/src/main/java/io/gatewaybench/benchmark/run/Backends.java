package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.process.Child;
import io.gatewaybench.benchmark.process.Children;
import io.gatewaybench.benchmark.process.Simulator;
import io.gatewaybench.benchmark.suite.Suite;

/**
 * The services behind the gateways: one process with all instances, for the whole run.
 *
 * @param child the process
 * @param client what asks the instances
 * @param upstreams addresses of the instances, by service
 * @param command its command line
 */
record Backends(Child child, HttpClient client, Map<String, List<URI>> upstreams, List<String> command) {

	static Backends start(Children children, HttpClient client, Installation installation, Suite.Backends wanted,
			Path log, Placement placement) throws InterruptedException {
		List<String> command = new ArrayList<>(placement.others());
		command.addAll(List.of(installation.java().toString(), "-Xms256m", "-Xmx512m", "-XX:+UseSerialGC", "-jar",
				installation.backends().toString(), "--exit-with-parent"));
		if (wanted.zeroDelay()) {
			command.add("--zero-delay");
		}
		for (String service : wanted.services()) {
			for (int instance = 1; instance <= wanted.instances(); instance++) {
				command.add("--instance");
				command.add(service + "-" + instance + "=0");
			}
		}
		Simulator simulator = Simulator.start(children, "The backend process", command, log);
		return new Backends(simulator.child(), client, upstreams(simulator, wanted), simulator.command());
	}

	private static Map<String, List<URI>> upstreams(Simulator simulator, Suite.Backends wanted) {
		Map<String, List<URI>> upstreams = new LinkedHashMap<>();
		for (String service : wanted.services()) {
			List<URI> instances = new ArrayList<>();
			for (int instance = 1; instance <= wanted.instances(); instance++) {
				URI address = simulator.instances().get(service + "-" + instance);
				if (address == null) {
					throw new BenchFailure(simulator.child().name() + " did not tell the port of " + service + "-"
							+ instance + "; see " + simulator.child().log());
				}
				instances.add(address);
			}
			upstreams.put(service, List.copyOf(instances));
		}
		return upstreams;
	}

	/**
	 * Lets the delays of every instance start again, so that what is measured next meets
	 * the same ones as all others with this seed.
	 * @param seed what is added to the seeds of the instances
	 */
	void restart(long seed) throws InterruptedException {
		for (List<URI> instances : this.upstreams.values()) {
			for (URI instance : instances) {
				HttpRequest request = HttpRequest.newBuilder(instance.resolve("/sim/reset?seed=" + seed))
					.POST(HttpRequest.BodyPublishers.noBody())
					.timeout(Duration.ofSeconds(5))
					.build();
				try {
					this.client.send(request, HttpResponse.BodyHandlers.discarding());
				}
				catch (IOException ex) {
					throw new BenchFailure("The backend " + instance + " does not start its delays again: "
							+ ex.getMessage() + "; see " + this.child.log(), ex);
				}
			}
		}
	}

}
