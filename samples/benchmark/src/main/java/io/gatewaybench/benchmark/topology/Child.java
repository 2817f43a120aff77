package io.gatewaybench.benchmark.topology;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.gatewaybench.benchmark.failure.BenchFailure;

/**
 * One supervised process: its log, its life, what it costs.
 */
public final class Child implements AutoCloseable {

	private static final Duration GRACE = Duration.ofSeconds(5);

	private final String name;

	private final Process process;

	private final Path log;

	private final Runnable release;

	private final AtomicBoolean released = new AtomicBoolean();

	Child(String name, Process process, Path log, Runnable release) {
		this.name = name;
		this.process = process;
		this.log = log;
		this.release = release;
	}

	/**
	 * What messages call this process.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * The file that has its output.
	 * @return the path of the log
	 */
	public Path log() {
		return this.log;
	}

	/**
	 * The process id.
	 * @return the process id
	 */
	public long pid() {
		return this.process.pid();
	}

	/**
	 * Whether the process still runs.
	 * @return {@code false} once it ended
	 */
	public boolean isAlive() {
		return this.process.isAlive();
	}

	/**
	 * Waits for the process to end.
	 * @param longest how long at most
	 * @return whether it has ended
	 * @throws InterruptedException if the thread was interrupted
	 */
	public boolean awaitEnd(Duration longest) throws InterruptedException {
		return this.process.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS);
	}

	/**
	 * How the process ended.
	 * @return the exit code, empty while it runs
	 */
	public OptionalInt exitCode() {
		return this.process.isAlive() ? OptionalInt.empty() : OptionalInt.of(this.process.exitValue());
	}

	/**
	 * User and system time of all threads of the process since its start, in the
	 * resolution of the kernel's clock tick (10 ms on Linux).
	 * @return the CPU time, zero when the process is gone or the platform doesn't tell
	 */
	public Duration cpuTime() {
		return this.process.info().totalCpuDuration().orElse(Duration.ZERO);
	}

	/**
	 * The end of the log, for a reader who looks for a reason or a sign.
	 * @param bytes how much of it at most
	 * @return its lines, the first one possibly cut
	 */
	public List<String> lastLines(int bytes) {
		try (InputStream in = Files.newInputStream(this.log)) {
			in.skipNBytes(Math.max(0, Files.size(this.log) - bytes));
			return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
		}
		catch (IOException ex) {
			return List.of();
		}
	}

	/**
	 * Checks that the process did not end before it was ready.
	 * @throws BenchFailure if it did, with the reason in the words of its log
	 */
	void checkStarting() {
		if (!isAlive()) {
			throw new BenchFailure(this.name + " did not start: it ended with exit code " + this.process.exitValue()
					+ reason() + "; see " + this.log);
		}
	}

	/**
	 * Why the program did not start.
	 * @return the reason after a colon and a space, or nothing if the log is empty
	 */
	String reason() {
		List<String> lines = lastLines(32 * 1024).stream()
			.map(String::strip)
			.filter((line) -> !line.isEmpty())
			.toList();
		// What Spring Boot's failure analysis begins with
		int description = lines.lastIndexOf("Description:");
		if (description >= 0 && description + 1 < lines.size()) {
			return ": " + lines.get(description + 1);
		}
		return lines.stream()
			.filter((line) -> line.startsWith("Error") || line.startsWith("Exception in thread")
					|| line.contains(" ERROR ") || line.startsWith("Caused by:"))
			.reduce((first, second) -> second)
			.or(() -> lines.isEmpty() ? Optional.empty() : Optional.of(lines.getLast()))
			.map((line) -> ": " + line)
			.orElse("");
	}

	/**
	 * Stops the process where it is, as a debugger or a starved machine does.
	 * @throws BenchFailure if it can't be told
	 */
	public void freeze() {
		signal("-STOP");
	}

	/**
	 * Lets a frozen process go on.
	 * @throws BenchFailure if it can't be told
	 */
	public void resume() {
		signal("-CONT");
	}

	private void signal(String signal) {
		if (!isAlive()) {
			return;
		}
		try {
			new ProcessBuilder("kill", signal, Long.toString(pid())).start().waitFor();
		}
		catch (IOException ex) {
			throw new BenchFailure(this.name + " can't be sent " + signal + ": " + ex.getMessage(), ex);
		}
		catch (InterruptedException ex) {
			// The signal is on its way
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * A sign of life for a program on another host, see {@link RemoteHost}.
	 */
	public void beat() {
		try {
			this.process.getOutputStream().write('.');
			this.process.getOutputStream().flush();
		}
		catch (IOException ex) {
			// It has ended, which others see
		}
	}

	/**
	 * Ends the process by force, as a crash does. Does not return before it is gone.
	 */
	public void kill() {
		this.process.destroyForcibly();
		close();
	}

	/**
	 * Ends the process: politely first, by force after five seconds. Does not return
	 * before it is gone.
	 */
	@Override
	public void close() {
		boolean interrupted = false;
		this.process.destroy();
		long deadline = System.nanoTime() + GRACE.toNanos();
		while (this.process.isAlive()) {
			try {
				if (!this.process.waitFor(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS)) {
					this.process.destroyForcibly();
					this.process.waitFor();
				}
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (this.released.compareAndSet(false, true)) {
			this.release.run();
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

}
