package io.gatewaybench.benchmark.faults;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.suite.Flavour;

/**
 * The file that tells a gateway its instances, and the routes beside those of the sample.
 * It is read again on {@code /actuator/refresh}, as arguments are not.
 *
 * @param path the file
 * @param flavour what the routes are for
 * @param broken the only instance of the route with a circuit breaker
 * @param fallback the only instance of the route that it falls back to
 */
record UpstreamsFile(Path path, Flavour flavour, URI broken, URI fallback) {

	// The same filter has its name in 'name' or in 'id'
	private static final String CONTENT = """
			gateway-bench:
			  upstreams:
			    service-a:
			      instances: [%s]
			    breaker:
			      instances: ["%s"]
			    fallback:
			      instances: ["%s"]
			spring.cloud.gateway.server.%s.routes:
			  - id: breaker
			    uri: rr://breaker
			    predicates: [Path=/breaker/**]
			    filters:
			      - name: CircuitBreaker
			        args: {%s: breaker, fallbackUri: "forward:/fallback/api/data", statusCodes: ["500"]}
			      - StripGatewayPrefix
			      - InjectGatewayMetadata
			  - id: fallback
			    uri: rr://fallback
			    predicates: [Path=/fallback/**]
			    filters: [StripGatewayPrefix, InjectGatewayMetadata]
			  - id: retries
			    uri: rr://service-a
			    predicates: [Path=/retries/**]
			    filters: [Retry=3, StripGatewayPrefix, InjectGatewayMetadata]
			""";

	/**
	 * Replaces it as a whole.
	 * @param instances the instances of {@code service-a}
	 */
	void write(List<URI> instances) {
		String list = String.join(", ", instances.stream().map((instance) -> "\"" + instance + "\"").toList());
		String content = CONTENT.formatted(list, this.broken, this.fallback,
				this.flavour.name().toLowerCase(Locale.ROOT), (this.flavour == Flavour.WEBFLUX) ? "name" : "id");
		Path temporary = this.path.resolveSibling(this.path.getFileName() + ".tmp");
		try {
			Files.createDirectories(this.path.getParent());
			Files.writeString(temporary, content);
			Files.move(temporary, this.path, StandardCopyOption.ATOMIC_MOVE);
		}
		catch (IOException ex) {
			throw new BenchFailure("The instances can't be written to " + this.path + ": " + ex.getMessage(), ex);
		}
	}

}
