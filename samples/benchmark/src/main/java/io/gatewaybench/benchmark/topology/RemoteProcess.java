package io.gatewaybench.benchmark.topology;

import org.jspecify.annotations.Nullable;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.observe.ProcessSnapshot;

/**
 * A process on another host.
 *
 * @param host the host
 * @param pid its id there
 * @param cores how many cores the host has
 */
record RemoteProcess(RemoteHost host, long pid, int cores) {

	/**
	 * Looks at it and at all that it started.
	 * @return {@code null} if it is gone
	 */
	@Nullable ProcessSnapshot look() {
		try {
			return ProcessSnapshot.parse(this.host.name(), this.host.run(ProcessSnapshot.script(this.pid)));
		}
		catch (BenchFailure ex) {
			// Its end is noticed by its connection
			return null;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return null;
		}
	}

}
