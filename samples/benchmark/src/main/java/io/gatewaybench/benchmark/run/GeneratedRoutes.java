package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.gatewaybench.benchmark.failure.BenchFailure;

/**
 * The file of a gateway that gets many routes, too many for a command line.
 */
final class GeneratedRoutes {

	private GeneratedRoutes() {
	}

	/**
	 * Writes routes {@code /r0/**}, {@code /r1/**} and so on.
	 * @param directory where the file goes; made if needed
	 * @param number how many routes
	 * @param upstream where all of them lead
	 * @return the file, to be given to the gateway as an additional location
	 */
	static Path write(Path directory, int number, String upstream) {
		StringBuilder yaml = new StringBuilder("gateway-bench:\n  routes:\n");
		for (int i = 0; i < number; i++) {
			yaml.append("    - {id: r%1$d, path: \"/r%1$d/**\", upstream: %2$s}%n".formatted(i, upstream));
		}
		Path file = directory.resolve("routes.yml");
		try {
			Files.createDirectories(directory);
			return Files.writeString(file, yaml);
		}
		catch (IOException ex) {
			throw new BenchFailure("The routes of a gateway can't be written to " + file + ": " + ex.getMessage(), ex);
		}
	}

}
