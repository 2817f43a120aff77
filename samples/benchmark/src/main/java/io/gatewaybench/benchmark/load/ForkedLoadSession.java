package io.gatewaybench.benchmark.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

import io.gatewaybench.benchmark.failure.BenchFailure;

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

	private final Duration patience;

	// Empty at the end
	private final BlockingQueue<Optional<GeneratorLine>> lines = new LinkedBlockingQueue<>();

	private final GeneratorLine.Ready ready;

	private boolean over;

	private boolean closed;

	/**
	 * Waits until a process is ready.
	 * @param plan its plan
	 * @param files where its files go
	 * @param process the process
	 * @param patience how long it may say nothing, besides what it waits for
	 */
	ForkedLoadSession(LoadPlan plan, LoadFiles files, Process process, Duration patience) throws InterruptedException {
		this.plan = plan;
		this.files = files;
		this.process = process;
		this.patience = patience;
		Thread reader = new Thread(this::readLines, "generator-lines");
		reader.setDaemon(true);
		reader.start();
		GeneratorLine.Ready first = next(this.patience, false).ready();
		if (first == null) {
			throw new BenchFailure("the load generator is not ready; see %s".formatted(files.log()));
		}
		this.ready = first;
	}

	@Override
	public String engine() {
		return this.ready.engine();
	}

	@Override
	public long pid() {
		return this.ready.pid();
	}

	@Override
	public StageResult run(Stage stage, IntConsumer progress) throws InterruptedException {
		this.plan.check(stage);
		if (this.over) {
			throw new BenchFailure(
					"the session of plan '%s' is over and takes no further stage".formatted(this.plan.id()));
		}
		// Until it is known that this one went well
		this.over = true;
		Duration limit = limit(stage);
		request(stage);
		boolean interrupted = false;
		while (true) {
			try {
				GeneratorLine line = next(limit, interrupted);
				if (line.second() != null) {
					progress.accept(line.second());
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

	// It tells every second, but not while it opens connections
	private Duration limit(Stage stage) {
		int batches = this.plan.total(stage) / OpeningTraffic.AT_A_TIME + 1;
		return this.patience.plus(this.plan.timeouts().connect().multipliedBy(batches))
			.plus(this.plan.timeouts().response());
	}

	/**
	 * The next line.
	 * @param limit how long to wait for it
	 * @param interrupted whether the generator was told to end, and has to answer soon
	 */
	private GeneratorLine next(Duration limit, boolean interrupted) throws InterruptedException {
		Optional<GeneratorLine> line = this.lines.poll(interrupted ? STOP_SECONDS : limit.toSeconds(),
				TimeUnit.SECONDS);
		if (line != null && line.isPresent()) {
			return line.get();
		}
		if (interrupted) {
			throw new InterruptedException("the load generator was stopped and left no result");
		}
		if (line == null) {
			// It would not end when asked
			this.process.destroyForcibly();
			throw new BenchFailure("the load generator stands still: it said nothing for %d s; see %s%s"
				.formatted(limit.toSeconds(), this.files.log(), lastLines()));
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

	private BenchFailure dead() throws InterruptedException {
		this.process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
		String code = this.process.isAlive() ? "no exit code" : "exit code " + this.process.exitValue();
		return new BenchFailure("the load generator ended with %s and left no result; see %s%s".formatted(code,
				this.files.log(), lastLines()));
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
			throw new BenchFailure("the load generator left no %s; see %s%s".formatted(this.files.result(),
					this.files.log(), lastLines()));
		}
	}

}
