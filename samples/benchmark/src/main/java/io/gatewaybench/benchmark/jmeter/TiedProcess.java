package io.gatewaybench.benchmark.jmeter;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A process that ends with this one, also if this one is killed.
 */
final class TiedProcess implements AutoCloseable {

	// The end of the standard input is the sign that its parent is gone. Ctrl-C in a
	// terminal would reach it before its parent, which then could not end it in order
	private static final List<String> TIE = List.of("/bin/sh", "-c", """
			trap '' INT
			exec 3<&0
			"$@" < /dev/null 3<&- &
			child=$!
			{ read -r line <&3; kill -KILL $child; } &
			watcher=$!
			wait $child
			code=$?
			kill $watcher
			exit $code
			""", "gateway-bench-tied");

	private static final int STOP_SECONDS = 5;

	private final Process process;

	private TiedProcess(Process process) {
		this.process = process;
	}

	/**
	 * Starts a process.
	 * @param command what starts it
	 * @param directory where it runs
	 * @param output the file for all that it says
	 * @throws IOException if it can't be started
	 */
	static TiedProcess start(List<String> command, Path directory, Path output) throws IOException {
		List<String> tied = new ArrayList<>(TIE);
		tied.addAll(command);
		return new TiedProcess(new ProcessBuilder(tied).directory(directory.toFile())
			.redirectErrorStream(true)
			.redirectOutput(output.toFile())
			.start());
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	boolean waitFor(long millis) throws InterruptedException {
		return this.process.waitFor(millis, TimeUnit.MILLISECONDS);
	}

	int waitFor() throws InterruptedException {
		return this.process.waitFor();
	}

	int exitCode() {
		return this.process.exitValue();
	}

	/**
	 * The CPU time that it has had.
	 */
	Duration cpuTime() {
		return this.process.descendants()
			.map((each) -> each.info().totalCpuDuration())
			.flatMap(Optional::stream)
			.reduce(Duration.ZERO, Duration::plus);
	}

	/**
	 * Ends it by force. Does not return before it is gone.
	 */
	@Override
	public void close() {
		boolean interrupted = Thread.interrupted();
		try {
			this.process.getOutputStream().close();
		}
		catch (IOException ex) {
			// It has ended
		}
		try {
			if (!this.process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
				this.process.descendants().forEach(ProcessHandle::destroyForcibly);
			}
		}
		catch (InterruptedException ex) {
			interrupted = true;
			this.process.descendants().forEach(ProcessHandle::destroyForcibly);
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

}
