package io.gatewaybench.benchmark.topology;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.load.ForkedLoadEngine;
import io.gatewaybench.benchmark.suite.Suites;

/**
 * The programs that take part in a run.
 *
 * @param java what starts a JVM: the one that runs this program
 * @param home the root of the project, where the jars are
 */
public record Installation(Path java, Path home) {

	/**
	 * The installation this program belongs to.
	 * @return the JDK that runs it, and the directory in the system property
	 * {@code gateway-bench.home}, which the launcher sets, or else the current directory
	 */
	public static Installation current() {
		return new Installation(Path.of(System.getProperty("java.home"), "bin", "java"),
				Path.of(System.getProperty("gateway-bench.home", "")).toAbsolutePath().normalize());
	}

	/**
	 * The jar of a component.
	 * @param jar a module of this project, or a path
	 * @return the file
	 */
	public Path jar(String jar) {
		return Suites.MODULES.contains(jar) ? jar("samples/" + jar, jar) : Path.of(jar);
	}

	/**
	 * The simulator of backends.
	 * @return its jar
	 */
	public Path backends() {
		return jar("backend-sim", "backend-sim");
	}

	/**
	 * This program.
	 * @return its jar
	 */
	public Path runner() {
		return jar("samples/benchmark", "benchmark");
	}

	/**
	 * What starts a load generator in a JVM of its own.
	 * @param prefix what the command begins with
	 * @return the command, to which plan and directory are to be added
	 */
	public List<String> generatorCommand(List<String> prefix) {
		return Stream
			.of(prefix, List.of(this.java.toString()), ForkedLoadEngine.JVM_FLAGS,
					List.of("-jar", runner().toString(), "generate"))
			.flatMap(List::stream)
			.toList();
	}

	/**
	 * Checks that the programs are there.
	 * @param jars what a run starts beside simulator and generator
	 * @throws BenchFailure if one is missing
	 */
	public void check(List<Path> jars) {
		List<Path> missing = Stream.concat(jars.stream(), Stream.of(backends(), runner()))
			.filter((jar) -> !Files.isReadable(jar))
			.toList();
		if (!missing.isEmpty()) {
			throw new BenchFailure("Missing: " + String.join(", ", missing.stream().map(Path::toString).toList())
					+ ". Start the benchmark with ./bench, which builds what is missing, or build with: mvn -DskipTests package");
		}
	}

	private Path jar(String module, String name) {
		return this.home.resolve(module).resolve("target").resolve(name + ".jar");
	}

}
