package io.gatewaybench.benchmark.faults;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.topology.Running;

/**
 * Where a fault happens.
 *
 * @param gateway the gateway
 * @param faulty the instance that fails
 * @param healthy the other one
 * @param upstreams tells the gateway which instances there are
 * @param extraClients clients beside the load
 * @param client for all else
 */
record FaultContext(Running gateway, Instance faulty, Instance healthy, UpstreamsFile upstreams,
		ExtraClients extraClients, HttpClient client) {

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private static final int OK = 200;

	/**
	 * Tells the gateway which instances there are from now on.
	 * @param instances their addresses
	 */
	void tell(List<URI> instances) throws IOException, InterruptedException {
		this.upstreams.write(instances);
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
