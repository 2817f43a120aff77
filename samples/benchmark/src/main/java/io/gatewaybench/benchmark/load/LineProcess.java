package io.gatewaybench.benchmark.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.gatewaybench.benchmark.failure.BenchFailure;
import org.jspecify.annotations.Nullable;

/**
 * A process that does what lines on its standard input say, tells of it by lines on its
 * standard output, and ends with its standard input.
 */
public final class LineProcess implements AutoCloseable {

	private static final int LOG_LINES = 10;

	private final String name;

	private final Process process;

	private final Path log;

	private final Duration stop;

	// Empty at the end
	private final BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();

	/**
	 * Starts a process.
	 * @param name what messages call it
	 * @param command its command line
	 * @param log the file for its standard error
	 * @param stop how long it may take to end when it is told to
	 * @throws IOException if it can't be started
	 */
	public LineProcess(String name, List<String> command, Path log, Duration stop) throws IOException {
		this.name = name;
		this.log = log;
		this.stop = stop;
		this.process = new ProcessBuilder(command).redirectError(log.toFile()).start();
		Thread reader = new Thread(this::read, name + "-lines");
		reader.setDaemon(true);
		reader.start();
	}

	private void read() {
		try (BufferedReader reader = this.process.inputReader(StandardCharsets.UTF_8)) {
			reader.lines().map(Optional::of).forEach(this.lines::add);
		}
		catch (IOException | UncheckedIOException ex) {
			// It was killed, which is told by whoever misses its next line
		}
		finally {
			this.lines.add(Optional.empty());
		}
	}

	/**
	 * The process.
	 * @return its handle
	 */
	public ProcessHandle handle() {
		return this.process.toHandle();
	}

	/**
	 * Says what to do.
	 * @param line the line
	 */
	public void tell(String line) {
		try {
			this.process.outputWriter(StandardCharsets.UTF_8).append(line).append('\n').flush();
		}
		catch (IOException ex) {
			// It has ended, which the end of its output tells
		}
	}

	/**
	 * Waits for its next line.
	 * @param longest how long at most
	 * @return the line, {@code null} if none came
	 * @throws BenchFailure if it has ended
	 * @throws InterruptedException if the thread was interrupted
	 */
	public @Nullable String hear(Duration longest) throws InterruptedException {
		Optional<String> line = this.lines.poll(longest.toMillis(), TimeUnit.MILLISECONDS);
		if (line != null && line.isEmpty()) {
			// Stays, for the next call
			this.lines.add(line);
			boolean ended = this.process.waitFor(this.stop.toMillis(), TimeUnit.MILLISECONDS);
			throw new BenchFailure("%s ended with %s and left no result%s".formatted(this.name,
					ended ? "exit code " + this.process.exitValue() : "no exit code", lastWords()));
		}
		return (line != null) ? line.get() : null;
	}

	/**
	 * What it said last, for messages.
	 * @return the name of its log, and the end of it
	 */
	public String lastWords() {
		try {
			List<String> all = Files.readAllLines(this.log);
			return "; see " + this.log + (all.isEmpty() ? ""
					: ":\n" + String.join("\n", all.subList(Math.max(0, all.size() - LOG_LINES), all.size())));
		}
		catch (IOException ex) {
			return "; see " + this.log;
		}
	}

	/**
	 * Tells it to end, and waits for nothing.
	 */
	void end() {
		try {
			this.process.getOutputStream().close();
		}
		catch (IOException ex) {
			// It has ended already
		}
	}

	/**
	 * Ends it at once.
	 */
	public void kill() {
		this.process.destroyForcibly();
	}

	/**
	 * Lets it end, and kills it if it does not. To close it again does nothing.
	 */
	@Override
	public void close() {
		end();
		boolean interrupted = Thread.interrupted();
		try {
			this.process.waitFor(this.stop.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			// Asked twice, so there is no time to save anything
			interrupted = true;
		}
		this.process.destroyForcibly().onExit().join();
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

}
