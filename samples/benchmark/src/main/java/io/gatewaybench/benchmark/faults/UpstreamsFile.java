package io.gatewaybench.benchmark.faults;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

import io.gatewaybench.benchmark.failure.BenchFailure;

/**
 * The file that tells a gateway its instances. It is read again on
 * {@code /actuator/refresh}, as arguments are not.
 *
 * @param path the file
 * @param broken the only instance of the route with a circuit breaker
 * @param fallback the only instance of the route that it falls back to
 */
record UpstreamsFile(Path path, URI broken, URI fallback) {

	private static final String CONTENT = """
			gateway-bench:
			  upstreams:
			    service-a:
			      instances: [%s]
			    breaker:
			      instances: ["%s"]
			    fallback:
			      instances: ["%s"]
			""";

	/**
	 * Replaces it as a whole.
	 * @param instances the instances of {@code service-a}
	 */
	void write(List<URI> instances) {
		String list = String.join(", ", instances.stream().map((instance) -> "\"" + instance + "\"").toList());
		String content = CONTENT.formatted(list, this.broken, this.fallback);
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
