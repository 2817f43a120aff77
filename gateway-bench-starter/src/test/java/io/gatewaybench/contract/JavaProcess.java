package io.gatewaybench.contract;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A program in a JVM of its own, with the class path of the tests. It ends with the test
 * at the latest.
 */
final class JavaProcess implements AutoCloseable {

	private static final Duration START = Duration.ofSeconds(90);

	private static final Duration END = Duration.ofSeconds(10);

	// Tomcat takes requests before the gateway on WebMVC has the filters of its headers,
	// and answers them with 500
	private static final Pattern PORT = Pattern.compile("started on ports? (\\d+).*?Started \\w+ in ", Pattern.DOTALL);

	private final Process process;

	private final Path log;

	private JavaProcess(Process process, Path log) {
		this.process = process;
		this.log = log;
	}

	/**
	 * The directory that comes first in the class path.
	 */
	static Path classes(Path directory) {
		return directory.resolve("classes");
	}

	static String classPath(Path directory) {
		return classes(directory) + File.pathSeparator + System.getProperty("java.class.path");
	}

	/**
	 * Start a program.
	 * @param directory where it runs, and leaves its log
	 * @param options options of the JVM
	 */
	static JavaProcess start(Path directory, Class<?> main, List<String> options, List<String> arguments)
			throws IOException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
						"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classPath(directory)));
		command.addAll(options);
		command.add(main.getName());
		command.addAll(arguments);
		Path log = directory.resolve("log");
		return new JavaProcess(new ProcessBuilder(command).directory(directory.toFile())
			.redirectErrorStream(true)
			.redirectOutput(log.toFile())
			.start(), log);
	}

	/**
	 * Wait until the application has started so often.
	 * @return where it listens now
	 */
	int awaitStart(int times) throws IOException {
		Awaitility.await().atMost(START).until(() -> !this.process.isAlive() || ports().size() == times);
		List<Integer> ports = ports();
		assertThat(ports).as("%s", log()).hasSize(times);
		return ports.get(times - 1);
	}

	private List<Integer> ports() throws IOException {
		return PORT.matcher(log()).results().map((port) -> Integer.valueOf(port.group(1))).toList();
	}

	/**
	 * Wait for its end.
	 * @return whether it ended in time, without an error
	 */
	boolean succeeds(Duration patience) throws InterruptedException {
		return this.process.waitFor(patience.toSeconds(), TimeUnit.SECONDS) && this.process.exitValue() == 0;
	}

	String log() throws IOException {
		return Files.readString(this.log);
	}

	@Override
	public void close() {
		this.process.destroy();
		try {
			this.process.waitFor(END.toSeconds(), TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.process.destroyForcibly();
	}

}
