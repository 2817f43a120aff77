package io.gatewaybench.benchmark.faults;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.topology.Running;

/**
 * Where a fault happens.
 *
 * @param gateway the gateway
 * @param faulty the instance that fails
 * @param healthy the other one
 * @param upstreams the file that tells the gateway its instances. It is read again on
 * {@code /actuator/refresh}, as arguments are not
 * @param extraClients clients beside the load
 * @param client for all else
 */
record FaultContext(Running gateway, Instance faulty, Instance healthy, Path upstreams, ExtraClients extraClients,
		HttpClient client) {

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private static final int OK = 200;

	/**
	 * Replaces the file of the instances as a whole.
	 * @param file the file
	 * @param broken the only instance of the route with a circuit breaker
	 * @param fallback the only instance of the route that it falls back to
	 * @param instances the instances of {@code service-a}
	 */
	static void write(Path file, Instance broken, Instance fallback, List<URI> instances) {
		// YAML has all of JSON
		ResultsFile.write(file,
				Map.of("gateway-bench",
						Map.of("upstreams",
								Map.of(Loads.SERVICE, Map.of("instances", instances), "breaker",
										Map.of("instances", List.of(broken.address())), "fallback",
										Map.of("instances", List.of(fallback.address()))))));
	}

	/**
	 * Tells the gateway which instances there are from now on.
	 * @param instances their addresses
	 */
	void tell(List<URI> instances) throws IOException, InterruptedException {
		write(this.upstreams, this.faulty, this.healthy, instances);
		HttpRequest request = HttpRequest.newBuilder(this.gateway.address().resolve("/actuator/refresh"))
			.timeout(TIMEOUT)
			.POST(HttpRequest.BodyPublishers.noBody())
			.build();
		HttpResponse<String> response = this.client.send(request, HttpResponse.BodyHandlers.ofString());
		if (response.statusCode() != OK) {
			throw new BenchFailure(this.gateway.name() + " does not take other instances: " + response.statusCode()
					+ "; see " + this.gateway.log());
		}
	}

	/**
	 * Connections to both instances.
	 */
	long connections() throws IOException, InterruptedException {
		return this.faulty.connections() + this.healthy.connections();
	}

}
