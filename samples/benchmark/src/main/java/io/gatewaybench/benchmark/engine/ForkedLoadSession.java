package io.gatewaybench.benchmark.engine;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.gatewaybench.benchmark.plan.LoadPlan;
import io.gatewaybench.benchmark.plan.Stage;
import tools.jackson.core.JacksonException;

/**
 * A session in a process of its own: a line on its standard input for every stage, lines
 * on its standard output until the stage is over. The end of its standard input ends it.
 */
final class ForkedLoadSession implements LoadSession {

	private static final long STOP_SECONDS = 10;

	private static final int LOG_LINES = 10;

	private final LoadPlan plan;

	private final LoadFiles files;

	private final Process process;

	// Empty at the end
	private final BlockingQueue<Optional<GeneratorLine>> lines = new LinkedBlockingQueue<>();

	private final GeneratorLine.Ready ready;

	private boolean over;

	private boolean closed;

	private ForkedLoadSession(LoadPlan plan, LoadFiles files, Process process) throws InterruptedException {
		this.plan = plan;
		this.files = files;
		this.process = process;
		Thread reader = new Thread(this::readLines, "generator-lines");
		reader.setDaemon(true);
		reader.start();
		GeneratorLine.Ready first = next(false).ready();
		if (first == null) {
			throw new LoadEngineException("the load generator is not ready; see %s".formatted(files.log()), null);
		}
		this.ready = first;
	}

	/**
	 * Starts a process and waits until it is ready.
	 * @param command what starts it, without plan and directory
	 * @param plan the plan
	 * @param files where its files go
	 * @return the session
	 * @throws IOException if the files can't be written
	 */
	static ForkedLoadSession start(List<String> command, LoadPlan plan, LoadFiles files)
			throws IOException, InterruptedException {
		Files.createDirectories(files.directory());
		Files.deleteIfExists(files.result());
		Files.deleteIfExists(files.log());
		files.writePlan(plan);
		List<String> full = new ArrayList<>(command);
		full.add(files.plan().toString());
		full.add(files.directory().toString());
		Process process;
		try {
			process = new ProcessBuilder(full).redirectError(ProcessBuilder.Redirect.appendTo(files.log().toFile()))
				.start();
		}
		catch (IOException ex) {
			throw new LoadEngineException("the load generator cannot be started by '%s': %s"
				.formatted(String.join(" ", command), ex.getMessage()), ex);
		}
		try {
			return new ForkedLoadSession(plan, files, process);
		}
		catch (InterruptedException | RuntimeException ex) {
			process.destroyForcibly();
			throw ex;
		}
	}

	@Override
	public String engine() {
		return this.ready.engine();
	}

	@Override
	public Long pid() {
		return this.ready.pid();
	}

	@Override
	public StageResult run(Stage stage, Consumer<Progress> progress) throws InterruptedException {
		this.plan.check(stage);
		if (this.over) {
			throw LoadEngineException.over(this.plan);
		}
		// Until it is known that this one went well
		this.over = true;
		request(stage);
		boolean interrupted = false;
		while (true) {
			try {
				GeneratorLine line = next(interrupted);
				if (line.progress() != null) {
					progress.accept(line.progress());
				}
				else if (line.result() != null) {
					this.over = interrupted;
					if (interrupted) {
						Thread.currentThread().interrupt();
					}
					return line.result();
				}
			}
			catch (InterruptedException ex) {
				if (interrupted) {
					throw ex;
				}
				interrupted = true;
				endRequests();
			}
		}
	}

	private void request(Stage stage) {
		try {
			this.process.outputWriter(StandardCharsets.UTF_8).append(LoadFiles.line(stage)).append('\n').flush();
		}
		catch (IOException ex) {
			// It is about to end, which the end of its output will tell
		}
	}

	private void endRequests() {
		try {
			this.process.getOutputStream().close();
		}
		catch (IOException ex) {
			// It has ended already
		}
	}

	/**
	 * The next line.
	 * @param interrupted whether the generator was told to end, and has to answer soon
	 */
	private GeneratorLine next(boolean interrupted) throws InterruptedException {
		Optional<GeneratorLine> line = interrupted ? this.lines.poll(STOP_SECONDS, TimeUnit.SECONDS)
				: this.lines.take();
		if (line != null && line.isPresent()) {
			return line.get();
		}
		if (interrupted) {
			throw new InterruptedException("the load generator was stopped and left no result");
		}
		throw dead();
	}

	private void readLines() {
		try (BufferedReader reader = this.process.inputReader(StandardCharsets.UTF_8)) {
			String line = reader.readLine();
			while (line != null) {
				read(line);
				line = reader.readLine();
			}
		}
		catch (IOException ex) {
			// The process was killed, which its missing result tells
		}
		finally {
			this.lines.add(Optional.empty());
		}
	}

	private void read(String line) throws IOException {
		try {
			this.lines.add(Optional.of(LoadFiles.parse(line, GeneratorLine.class)));
		}
		catch (JacksonException ex) {
			// Not the generator, but something in its JVM has written
			Files.writeString(this.files.log(), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
		}
	}

	private LoadEngineException dead() throws InterruptedException {
		this.process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
		String code = this.process.isAlive() ? "no exit code" : "exit code " + this.process.exitValue();
		return new LoadEngineException("the load generator ended with %s and left no result; see %s%s".formatted(code,
				this.files.log(), lastLines()), null);
	}

	private String lastLines() {
		try {
			List<String> all = Files.readAllLines(this.files.log());
			return all.isEmpty() ? ""
					: ":\n" + String.join("\n", all.subList(Math.max(0, all.size() - LOG_LINES), all.size()));
		}
		catch (IOException ex) {
			return "";
		}
	}

	/**
	 * Lets the process write its files and end, and kills it if it does not.
	 */
	@Override
	public void close() {
		if (this.closed) {
			return;
		}
		this.closed = true;
		this.over = true;
		endRequests();
		boolean interrupted = Thread.interrupted();
		try {
			this.process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			// Asked twice, so there is no time to save anything
			interrupted = true;
		}
		finally {
			this.process.destroyForcibly();
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
		if (!Files.exists(this.files.result())) {
			throw new LoadEngineException("the load generator left no %s; see %s%s".formatted(this.files.result(),
					this.files.log(), lastLines()), null);
		}
	}

}
