package io.gatewaybench.benchmark.topology;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.suite.Host;

/**
 * The hosts on which components of a run are started.
 */
public final class RemoteHosts implements AutoCloseable {

	private static final int BEAT_SECONDS = 5;

	private final Children children;

	private final Function<String, Path> log;

	private final Map<String, There> hosts = new LinkedHashMap<>();

	private final List<Child> programs = new CopyOnWriteArrayList<>();

	private @Nullable Path sockets;

	private @Nullable ScheduledExecutorService beats;

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
	 * A host that is connected.
	 */
	static final class There {

		private final RemoteHost host;

		private final int cores;

		private final String jars;

		private final String directory;

		private final List<Long> started = new CopyOnWriteArrayList<>();

		private int nextPort;

		private There(RemoteHost host, Host wanted, int cores) {
			this.host = host;
			this.cores = cores;
			this.jars = wanted.directory();
			this.directory = wanted.directory() + "/run-" + UUID.randomUUID();
			this.nextPort = wanted.firstPort();
		}

		RemoteHost host() {
			return this.host;
		}

		/**
		 * A directory of this run.
		 */
		String directory() {
			return this.directory;
		}

		int port() {
			return this.nextPort++;
		}

		/**
		 * A process that a child has started there.
		 */
		RemoteProcess process(Child child) throws InterruptedException {
			RemoteProcess process = new RemoteProcess(this.host, this.host.pid(child), this.cores);
			this.started.add(process.pid());
			return process;
		}

		/**
		 * Removes the directory of this run. A program that still ends might write into
		 * it again, so this waits for it.
		 */
		void clean() throws InterruptedException {
			String groups = this.started.stream().map((pid) -> "-" + pid).collect(Collectors.joining(" "));
			this.host.run("""
					for group in %s; do
						while kill -0 $group 2> /dev/null; do sleep 0.1; done
					done
					rm -rf %s
					""".formatted(groups, this.directory));
		}

		/**
		 * The path of a jar there, which stays for the next run. Its name has the hash,
		 * as jars of reproducible builds have one time and may have one size.
		 */
		String jar(Path jar) throws InterruptedException {
			String path = "%s/jars/%s/%s".formatted(this.jars, EnvironmentProbe.sha256(jar),
					jar.getFileName().toString().replaceAll("[^A-Za-z0-9._-]", "_"));
			if (this.host.run("test -e '" + path + "' || echo missing").startsWith("missing")) {
				this.host.send(jar, path);
			}
			return path;
		}

		/**
		 * Sends the files of a component.
		 * @param files the directory that has them, if there are any
		 * @param directory the directory there
		 */
		void send(Path files, String directory) throws InterruptedException {
			this.host.run("mkdir -p '" + directory + "'");
			if (!Files.isDirectory(files)) {
				return;
			}
			try (Stream<Path> all = Files.list(files)) {
				for (Path file : all.filter(Files::isRegularFile).toList()) {
					this.host.send(file, directory + "/" + file.getFileName());
				}
			}
			catch (IOException ex) {
				throw new BenchFailure(files + " can't be read: " + ex.getMessage(), ex);
			}
		}

	}

	/**
	 * Connects to a host, unless that is done.
	 * @param host the host
	 * @throws InterruptedException if the thread was interrupted
	 */
	public void connect(Host host) throws InterruptedException {
		connected(host);
	}

	/**
	 * A host, connected.
	 * @param wanted the host
	 */
	synchronized There connected(Host wanted) throws InterruptedException {
		There there = this.hosts.get(wanted.id());
		if (there == null) {
			RemoteHost host = RemoteHost.connect(this.children, wanted.id(), wanted.ssh(), wanted.options(),
					sockets().resolve(Integer.toString(this.hosts.size())), this.log.apply("host-" + wanted.id()));
			there = new There(host, wanted, Integer.parseInt(host.run("nproc").strip()));
			host.run("mkdir -p " + there.directory());
			this.hosts.put(wanted.id(), there);
		}
		return there;
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
	 * Sends signs of life to a program until it or the run ends.
	 * @param program the child that runs it
	 */
	synchronized void keepAlive(Child program) {
		this.programs.add(program);
		if (this.beats == null) {
			this.beats = Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());
			this.beats.scheduleAtFixedRate(() -> this.programs.forEach(Child::beat), 0, BEAT_SECONDS, TimeUnit.SECONDS);
		}
	}

	/**
	 * What the hosts are, and how far their clocks are from this one's.
	 * @return a line for each host
	 * @throws InterruptedException if the thread was interrupted
	 */
	public Map<String, String> details() throws InterruptedException {
		Map<String, String> details = new LinkedHashMap<>();
		for (Map.Entry<String, There> entry : this.hosts.entrySet()) {
			long before = System.currentTimeMillis();
			List<String> lines = new ArrayList<>(
					entry.getValue().host().run("date +%s%3N; uname -srm").lines().toList());
			long after = System.currentTimeMillis();
			// Not every date knows milliseconds
			String clock = lines.getFirst().matches("\\d+")
					? String.format(Locale.ROOT, "clock %+.0f ms (±%.0f ms)",
							Long.parseLong(lines.getFirst()) - (before + after) / 2.0, (after - before) / 2.0)
					: "clock unknown";
			details.put("host " + entry.getKey(),
					"%s, %d cores, %s".formatted(lines.get(1), entry.getValue().cores, clock));
		}
		return details;
	}

	@Override
	public synchronized void close() {
		if (this.beats != null) {
			this.beats.shutdownNow();
		}
		this.programs.forEach(Child::close);
		for (There there : this.hosts.values()) {
			try {
				there.clean();
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
