package io.gatewaybench.benchmark.topology;

import java.net.URI;
import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.observe.Actuator;
import io.gatewaybench.benchmark.observe.ProcessSnapshot;

/**
 * A component that is ready.
 *
 * @param name what messages call it
 * @param address {@code http://host:port}
 * @param child its process, {@code null} if somebody else started it
 * @param jvm whether the process is a JVM
 * @param command its command line, or where it is
 * @param startMillis from the start of the process until it was ready
 * @param affinity the cores it may run on, empty if that is not known
 * @param remote what it is on another host, where the child is its connection only;
 * {@code null} if it runs here
 * @param actuator what tells of it where somebody else started it, {@code null} if
 * nothing does
 */
public record Running(String name, URI address, @Nullable Child child, boolean jvm, List<String> command,
		long startMillis, String affinity, RemoteHost.@Nullable Program remote,
		@Nullable Actuator actuator) implements AutoCloseable {

	/**
	 * What it and all that it started have used since they began.
	 * @return {@code null} if that is not known
	 */
	public @Nullable ProcessSnapshot look() {
		if (this.remote != null) {
			return this.remote.look();
		}
		if (this.actuator != null) {
			return this.actuator.look();
		}
		return (this.child != null) ? ProcessSnapshot.takeFamily(this.child.pid()) : null;
	}

	/**
	 * Whether {@link #look} can tell something.
	 * @return whether it can
	 */
	public boolean isVisible() {
		return this.child != null || this.actuator != null;
	}

	/**
	 * Its process.
	 * @return the process
	 * @throws BenchFailure if somebody else started it
	 */
	public Child process() {
		if (this.child == null) {
			throw new BenchFailure(this.name + " has no process here");
		}
		return this.child;
	}

	/**
	 * The same, ready.
	 * @param startup from the start of the process until then
	 * @return a copy
	 */
	Running ready(Duration startup) {
		boolean here = this.child != null && this.remote == null;
		return new Running(this.name, this.address, this.child, this.jvm, this.command, startup.toMillis(),
				here ? ProcessSnapshot.affinity(process().pid()) : "", this.remote, this.actuator);
	}

	/**
	 * Whether it still runs, as far as that is known.
	 * @return {@code false} once its process ended
	 */
	public boolean isAlive() {
		return this.child == null || this.child.isAlive();
	}

	/**
	 * The host that it runs on, if the connection to it was lost.
	 * @return {@code null} also where that is not known yet
	 */
	public @Nullable String lostHost() {
		return (this.remote != null && process().exitCode().orElse(0) == RemoteHost.LOST) ? this.remote.host().name()
				: null;
	}

	/**
	 * Where to look for a reason.
	 * @return its log, or its address if it has none here
	 */
	public String log() {
		return (this.child != null) ? this.child.log().toString() : this.address.toString();
	}

	@Override
	public void close() {
		if (this.child != null) {
			this.child.close();
		}
	}

}
