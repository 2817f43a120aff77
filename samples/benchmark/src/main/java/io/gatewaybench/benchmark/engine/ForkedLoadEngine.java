package io.gatewaybench.benchmark.engine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.gatewaybench.benchmark.plan.LoadPlan;
import tools.jackson.core.JacksonException;

/**
 * Runs each plan in a JVM of its own, so that the generator shares nothing but the
 * machine with the runner. A plan's files go to a directory named by its id:
 * {@code plan.json}, {@code load.json}, {@code <type>-<view>.hlog} and
 * {@code generator.log}.
 */
public final class ForkedLoadEngine implements LoadEngine {

	/**
	 * JVM flags that suit the generator: a small heap of which little is used, and a
	 * collector without threads of its own.
	 */
	public static final List<String> JVM_FLAGS = List.of("-Xms256m", "-Xmx512m", "-XX:+UseSerialGC",
			"-XX:+DisplayVMOutputToStderr", "--enable-native-access=ALL-UNNAMED");

	private static final long STOP_SECONDS = 5;

	private static final int LOG_LINES = 10;

	private final List<String> command;

	private final Path directory;

	/**
	 * Creates an engine.
	 * @param command the command that starts a generator, to which the path of the plan
	 * and the directory of the results are appended; such as
	 * {@code [java, -Xmx512m, -jar, benchmark.jar, generate]} or
	 * {@code [java, -cp, ..., io.gatewaybench.benchmark.engine.GeneratorMain]}
	 * @param directory under which each plan gets its directory
	 */
	public ForkedLoadEngine(List<String> command, Path directory) {
		this.command = List.copyOf(command);
		this.directory = directory;
	}

	@Override
	public String name() {
		return "embedded, own process";
	}

	@Override
	public LoadResult run(LoadPlan plan, ProgressListener progress) throws InterruptedException {
		LoadFiles files = new LoadFiles(this.directory.resolve(plan.id()));
		try {
			Process process = start(plan, files);
			boolean interrupted = false;
			try {
				follow(process, files, progress);
			}
			catch (InterruptedException ex) {
				interrupted = true;
				stop(process);
			}
			finally {
				process.destroyForcibly();
			}
			return result(process, files, interrupted);
		}
		catch (IOException ex) {
			throw new LoadEngineException(
					"the load generator's files in %s cannot be used: %s".formatted(files.directory(), ex.getMessage()),
					ex);
		}
	}

	private Process start(LoadPlan plan, LoadFiles files) throws IOException {
		Files.createDirectories(files.directory());
		Files.deleteIfExists(files.result());
		Files.deleteIfExists(files.log());
		files.writePlan(plan);
		List<String> full = new ArrayList<>(this.command);
		full.add(files.plan().toString());
		full.add(files.directory().toString());
		try {
			return new ProcessBuilder(full).redirectError(ProcessBuilder.Redirect.appendTo(files.log().toFile()))
				.start();
		}
		catch (IOException ex) {
			throw new LoadEngineException("the load generator cannot be started by '%s': %s"
				.formatted(String.join(" ", this.command), ex.getMessage()), ex);
		}
	}

	/**
	 * Passes on events until the process has said all it has to say.
	 */
	private static void follow(Process process, LoadFiles files, ProgressListener progress)
			throws IOException, InterruptedException {
		BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();
		Thread reader = new Thread(() -> readLines(process, lines), "generator-events");
		reader.setDaemon(true);
		reader.start();
		Optional<String> line = lines.take();
		while (line.isPresent()) {
			try {
				progress.on(LoadFiles.event(line.get()));
				if (progress.enough()) {
					tellEnough(process);
				}
			}
			catch (JacksonException ex) {
				Files.writeString(files.log(), line.get() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
			}
			line = lines.take();
		}
		process.waitFor();
	}

	private static void tellEnough(Process process) {
		try {
			process.getOutputStream().write('\n');
			process.getOutputStream().flush();
		}
		catch (IOException ex) {
			// It is about to end, which the end of its output will tell
		}
	}

	private static void readLines(Process process, BlockingQueue<Optional<String>> lines) {
		try (BufferedReader reader = new BufferedReader(
				new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
			String line = reader.readLine();
			while (line != null) {
				lines.add(Optional.of(line));
				line = reader.readLine();
			}
		}
		catch (IOException ex) {
			// The process was killed, which its missing result tells
		}
		finally {
			lines.add(Optional.empty());
		}
	}

	/**
	 * Asks the process to end by the end of its standard input, as if this process were
	 * gone, and kills it if it does not.
	 */
	private static void stop(Process process) throws IOException {
		process.getOutputStream().close();
		try {
			process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			// Asked twice, so there is no time to save anything
			process.destroyForcibly();
		}
	}

	private static LoadResult result(Process process, LoadFiles files, boolean interrupted)
			throws IOException, InterruptedException {
		if (Files.exists(files.result())) {
			LoadResult result = files.readResult();
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
			return result;
		}
		if (interrupted) {
			throw new InterruptedException("the load generator was stopped and left no result");
		}
		throw new LoadEngineException("the load generator ended with exit code %d and left no result; see %s%s"
			.formatted(process.waitFor(), files.log(), lastLines(files.log())), null);
	}

	private static String lastLines(Path log) throws IOException {
		List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of();
		return lines.isEmpty() ? ""
				: ":\n" + String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
	}

}
