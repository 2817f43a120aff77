package io.gatewaybench.benchmark.topology;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.gatewaybench.benchmark.failure.BenchFailure;

/**
 * The simulator of backends, running.
 *
 * @param child its process
 * @param instances addresses of its instances, by name
 */
public record Simulator(Child child, Map<String, URI> instances) implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final Duration POLL = Duration.ofMillis(50);

	private static final int LOG_TAIL = 64 * 1024;

	/**
	 * Starts it and waits until all its instances listen.
	 * @param children who ends it
	 * @param name what messages call it
	 * @param command its command line
	 * @param log the file for its output
	 * @return the running simulator
	 * @throws BenchFailure if it does not start, with the reason from its log
	 * @throws InterruptedException if the thread was interrupted
	 */
	public static Simulator start(Children children, String name, List<String> command, Path log)
			throws InterruptedException {
		return await(children.start(name, command, log), "127.0.0.1");
	}

	/**
	 * Waits until all instances of a simulator listen.
	 * @param child its process
	 * @param address where it is
	 * @return the running simulator
	 * @throws BenchFailure if it does not start, with the reason from its log
	 * @throws InterruptedException if the thread was interrupted
	 */
	public static Simulator await(Child child, String address) throws InterruptedException {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (!child.lastLines(LOG_TAIL).contains("STARTED")) {
			child.checkStarting();
			if (System.nanoTime() > deadline) {
				throw new BenchFailure(
						child.name() + " is not ready after " + PATIENCE.toSeconds() + " s; see " + child.log());
			}
			Thread.sleep(POLL);
		}
		Map<String, URI> instances = new LinkedHashMap<>();
		for (String line : child.lastLines(LOG_TAIL)) {
			String[] words = line.split(" ");
			if (words.length == 3 && words[0].equals("READY")) {
				instances.put(words[1], URI.create("http://" + address + ":" + words[2]));
			}
		}
		return new Simulator(child, instances);
	}

	/**
	 * The address of an instance.
	 * @param name its name
	 * @return where it listens
	 * @throws BenchFailure if the simulator did not tell
	 */
	public URI instance(String name) {
		return Optional.ofNullable(this.instances.get(name))
			.orElseThrow(() -> new BenchFailure(
					this.child.name() + " did not tell the port of " + name + "; see " + this.child.log()));
	}

	@Override
	public void close() {
		this.child.close();
	}

}
