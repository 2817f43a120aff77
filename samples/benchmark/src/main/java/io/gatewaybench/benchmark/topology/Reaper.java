package io.gatewaybench.benchmark.topology;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.failure.Resource;
import org.jspecify.annotations.Nullable;

/**
 * A shell beside the runner that ends the children when the runner is gone, even if it
 * was killed with SIGKILL. It is told the process ids of the children on its standard
 * input, whose end is the sign that the runner is gone. It also removes the control
 * groups of processes that ended, those of an earlier run among them. POSIX shell only,
 * so that it works alike on Linux and macOS.
 */
final class Reaper implements AutoCloseable {

	private static final String SCRIPT = Resource.text(Reaper.class, "reaper.sh");

	private final Process shell;

	private final Writer orders;

	/**
	 * Starts the shell.
	 * @param groups the control groups of the children, or {@code null} if they have none
	 * @throws BenchFailure if there is no {@code /bin/sh}
	 */
	Reaper(@Nullable ControlGroups groups) {
		try {
			this.shell = new ProcessBuilder("/bin/sh", "-c", SCRIPT, "gateway-bench-reaper",
					(groups != null) ? groups.parent().toString() : "")
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.redirectError(ProcessBuilder.Redirect.DISCARD)
				.start();
			this.orders = this.shell.outputWriter(StandardCharsets.US_ASCII);
		}
		catch (IOException ex) {
			throw new BenchFailure("/bin/sh can't be started, but the runner needs it to end its children: "
					+ ex.getMessage() + ". The benchmark runs on Linux and macOS.", ex);
		}
	}

	synchronized void guard(long pid) {
		order('+', pid);
	}

	synchronized void release(long pid) {
		order('-', pid);
	}

	private void order(char sign, long pid) {
		try {
			this.orders.write(sign + " " + pid + '\n');
			this.orders.flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("the reaper process " + this.shell.pid() + " is gone", ex);
		}
	}

	/**
	 * Lets the shell go, which ends every child that is still guarded.
	 */
	@Override
	public void close() {
		try {
			this.orders.close();
		}
		catch (IOException ignored) {
			// It is gone already, and so is the need to tell it anything
		}
	}

}
