package io.gatewaybench.benchmark.topology;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.gatewaybench.benchmark.failure.BenchFailure;
import org.jspecify.annotations.Nullable;

/**
 * The child processes of one run. Closing ends those still alive, the youngest first.
 */
public final class Children implements AutoCloseable {

	// The child may begin only when the reaper knows it, or it could be orphaned in
	// between
	private static final List<String> GATE = List.of("/bin/sh", "-c", "read -r go && exec \"$@\"", "sh");

	private final List<String> prefix;

	private final Reaper reaper;

	private final List<Child> started = new CopyOnWriteArrayList<>();

	/**
	 * No children yet.
	 * @param groups makes a control group for each of them, or {@code null} if they stay
	 * in that of the runner
	 * @throws BenchFailure if there is no {@code /bin/sh}
	 */
	public Children(@Nullable ControlGroups groups) {
		this.prefix = (groups != null) ? groups.command() : List.of();
		this.reaper = new Reaper(groups);
	}

	/**
	 * Starts a process whose output goes to a file.
	 * @param name what messages call it
	 * @param command the program and its arguments
	 * @param log the file for standard output and standard error, created with its
	 * directory
	 * @return the running child
	 * @throws BenchFailure if the program can't be started
	 */
	public Child start(String name, List<String> command, Path log) {
		List<String> gated = new ArrayList<>(this.prefix);
		gated.addAll(GATE);
		gated.addAll(command);
		try {
			if (log.getParent() != null) {
				Files.createDirectories(log.getParent());
			}
			Process process = new ProcessBuilder(gated).redirectErrorStream(true)
				.redirectOutput(log.toFile())
				.directory(new File(System.getProperty("user.dir")))
				.start();
			Child child = new Child(name, process, log, () -> this.reaper.release(process.pid()));
			this.started.add(child);
			this.reaper.guard(process.pid());
			process.getOutputStream().write('\n');
			process.getOutputStream().flush();
			return child;
		}
		catch (IOException ex) {
			throw new BenchFailure(name + " can't be started: " + ex.getMessage() + "; see " + log, ex);
		}
	}

	@Override
	public void close() {
		for (Child child : this.started.reversed()) {
			child.close();
		}
		this.reaper.close();
	}

}
