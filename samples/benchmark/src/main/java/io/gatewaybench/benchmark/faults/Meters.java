package io.gatewaybench.benchmark.faults;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a gateway counts.
 *
 * @param client what asks
 * @param gateway its address
 */
record Meters(HttpClient client, URI gateway) {

	private static final String PATH = "/actuator/metrics/gateway.bench.upstream.";

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private static final int OK = 200;

	private static final int UNKNOWN = 404;

	/**
	 * What was counted about all instances.
	 */
	Rotation rotation() throws IOException, InterruptedException {
		return new Rotation(count("ejections"), count("recoveries"));
	}

	Rotation rotation(Instance instance) throws IOException, InterruptedException {
		String query = "?tag=instance:" + instance.authority();
		return new Rotation(count("ejections" + query), count("recoveries" + query));
	}

	/**
	 * Requests that were sent once more, to whatever instance.
	 */
	long retries() throws IOException, InterruptedException {
		return count("retries");
	}

	/**
	 * How often an instance was sent a request.
	 */
	long attempts() throws IOException, InterruptedException {
		return count("requests");
	}

	private long count(String meter) throws IOException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(this.gateway.resolve(PATH + meter)).timeout(TIMEOUT).build();
		HttpResponse<String> response = this.client.send(request, HttpResponse.BodyHandlers.ofString());
		// A meter is there when it has counted something
		if (response.statusCode() == UNKNOWN) {
			return 0;
		}
		if (response.statusCode() != OK) {
			throw new IOException("its meters answer " + response.statusCode());
		}
		return count(meter, response.body());
	}

	private static long count(String meter, String json) throws IOException {
		try {
			return (long) JsonMapper.shared().readTree(json).at("/measurements/0/value").asDouble();
		}
		catch (JacksonException ex) {
			throw new IOException("its meter " + meter + " is no number: " + ex.getOriginalMessage(), ex);
		}
	}

}
