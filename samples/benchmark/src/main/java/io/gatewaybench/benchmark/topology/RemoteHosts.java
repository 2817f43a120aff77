package io.gatewaybench.benchmark.topology;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.suite.Host;

/**
 * The hosts on which components of a run are started.
 */
public final class RemoteHosts implements AutoCloseable {

	private static final Duration BEAT = Duration.ofSeconds(5);

	private final Children children;

	private final Function<String, Path> log;

	private final Map<String, RemoteHost> hosts = new LinkedHashMap<>();

	private final List<Child> programs = new CopyOnWriteArrayList<>();

	private @Nullable Path sockets;

	/**
	 * No host is connected yet.
	 * @param children what ends the connections
	 * @param log the file for what the client says, by the name of the host
	 */
	public RemoteHosts(Children children, Function<String, Path> log) {
		this.children = children;
		this.log = log;
	}

	/**
	 * Connects to a host, unless that is done.
	 * @param wanted the host
	 * @return the host, connected
	 * @throws InterruptedException if the thread was interrupted
	 */
	public synchronized RemoteHost connect(Host wanted) throws InterruptedException {
		RemoteHost host = this.hosts.get(wanted.id());
		if (host == null) {
			host = RemoteHost.connect(this.children, wanted, sockets().resolve(Integer.toString(this.hosts.size())),
					this.log.apply("host-" + wanted.id()));
			host.run("mkdir -p " + host.directory());
			this.hosts.put(wanted.id(), host);
		}
		return host;
	}

	// The path of a socket has 108 bytes at most, so not in the directory of the run
	private Path sockets() {
		if (this.sockets == null) {
			try {
				this.sockets = Files.createTempDirectory("bench");
			}
			catch (IOException ex) {
				throw new BenchFailure("There can't be a temporary directory: " + ex.getMessage(), ex);
			}
		}
		return this.sockets;
	}

	/**
	 * Sends signs of life to a program until it ends.
	 * @param program the child that runs it
	 */
	void keepAlive(Child program) {
		this.programs.add(program);
		Thread.ofPlatform().daemon().start(() -> {
			while (program.isAlive()) {
				program.beat();
				LockSupport.parkNanos(BEAT.toNanos());
			}
		});
	}

	/**
	 * What the hosts are, and how far their clocks are from this one's.
	 * @return a line for each host
	 * @throws InterruptedException if the thread was interrupted
	 */
	public Map<String, String> details() throws InterruptedException {
		Map<String, String> details = new LinkedHashMap<>();
		for (RemoteHost host : this.hosts.values()) {
			long before = System.currentTimeMillis();
			List<String> lines = host.run("date +%s%3N; uname -srm; nproc").lines().toList();
			long after = System.currentTimeMillis();
			// Not every date knows milliseconds
			String clock = lines.getFirst().matches("\\d+")
					? String.format(Locale.ROOT, "clock %+.0f ms (±%.0f ms)",
							Long.parseLong(lines.getFirst()) - (before + after) / 2.0, (after - before) / 2.0)
					: "clock unknown";
			details.put("host " + host.name(), "%s, %s cores, %s".formatted(lines.get(1), lines.get(2), clock));
		}
		return details;
	}

	@Override
	public synchronized void close() {
		this.programs.forEach(Child::close);
		for (RemoteHost host : this.hosts.values()) {
			try {
				host.clean();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			catch (BenchFailure ex) {
				// The host is gone, or a program there does not end. No figure is lost by
				// that
			}
		}
		if (this.sockets != null) {
			this.sockets.toFile().deleteOnExit();
		}
	}

}
