package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.dataformat.yaml.YAMLMapper;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.observe.ProcessSnapshot;
import io.gatewaybench.benchmark.process.Child;
import io.gatewaybench.benchmark.process.Children;
import io.gatewaybench.benchmark.process.FreePort;
import io.gatewaybench.benchmark.process.StartupLog;
import io.gatewaybench.benchmark.suite.Component;
import io.gatewaybench.benchmark.suite.References;

/**
 * Starts components, and waits until they are ready.
 *
 * @param installation the programs of this project
 * @param children what ends their processes
 * @param client what asks whether they are ready
 * @param heap the heap of every JVM, as in {@code -Xmx}
 * @param patience how long a component may take to become ready
 */
public record Launcher(Installation installation, Children children, HttpClient client, String heap,
		Duration patience) {

	private static final Duration POLL = Duration.ofMillis(100);

	private static final Duration ANSWER = Duration.ofSeconds(5);

	private static final YAMLMapper YAML = YAMLMapper.shared();

	/**
	 * Where a component runs, and what it leaves.
	 *
	 * @param prefix what its command line begins with
	 * @param directory its directory; made if needed
	 * @param log the file for its output
	 */
	public record Place(List<String> prefix, Path directory, Path log) {

		/**
		 * Copies the list.
		 */
		public Place {
			prefix = List.copyOf(prefix);
		}

	}

	/**
	 * Starts a component, unless it runs elsewhere, and waits until it is ready.
	 * @param name what messages call it
	 * @param component what is started
	 * @param references what its texts refer to
	 * @param place where it runs
	 * @return the running component
	 * @throws BenchFailure if it does not become ready in time, with the reason from its
	 * log
	 * @throws InterruptedException if the thread was interrupted
	 */
	public Running start(String name, Component component, References references, Place place)
			throws InterruptedException {
		if (component instanceof Component.Remote remote) {
			URI address = URI.create(references.resolve(remote.url())).resolve("/");
			URI origin = URI.create("http://" + address.getAuthority());
			Running running = new Running(name, origin, null, false, List.of(origin.toString()), 0, "");
			awaitReady(running, component.ready(), System.nanoTime());
			return running;
		}
		int port = FreePort.find();
		References own = references.withOwn(Integer.toString(port), place.directory().toString());
		List<String> command = new ArrayList<>(place.prefix());
		command.addAll(switch (component) {
			case Component.Jar jar -> command(jar, own, place.directory());
			case Component.Program program -> command(program, own, place.directory());
			default -> throw new IllegalArgumentException("a simulator is started by its backends");
		});
		long start = System.nanoTime();
		Child child = this.children.start(name, command, place.log());
		Running started = new Running(name, URI.create("http://127.0.0.1:" + port), child,
				component instanceof Component.Jar, command, 0, "");
		try {
			awaitReady(started, component.ready(), start);
			return new Running(name, started.address(), child, started.jvm(), command,
					Duration.ofNanos(System.nanoTime() - start).toMillis(), ProcessSnapshot.affinity(child.pid()));
		}
		catch (BenchFailure | InterruptedException ex) {
			child.close();
			throw ex;
		}
	}

	private List<String> command(Component.Jar jar, References own, Path directory) {
		// What the JVM would choose depends on the cores it sees
		List<String> command = new ArrayList<>(
				List.of(this.installation.java().toString(), "-Xms" + this.heap, "-Xmx" + this.heap, "-XX:+UseG1GC"));
		jar.jvm().forEach((option) -> command.add(own.resolve(option)));
		command.addAll(List.of("-jar", this.installation.jar(jar.jar()).toString()));
		if (!jar.config().isEmpty()) {
			Path file = write(directory, "application.yml", YAML.writeValueAsString(own.resolve(jar.config())));
			command.add("--spring.config.additional-location=" + file.toUri());
		}
		jar.arguments().forEach((argument) -> command.add(own.resolve(argument)));
		return command;
	}

	private static List<String> command(Component.Program program, References own, Path directory) {
		program.files().forEach((file, content) -> write(directory, file, own.resolve(content)));
		return program.command().stream().map(own::resolve).toList();
	}

	/**
	 * Writes a file of a component.
	 * @param directory where; made if needed
	 * @param name the name of the file
	 * @param content what it says
	 * @return its path
	 */
	static Path write(Path directory, String name, String content) {
		Path file = directory.resolve(name);
		try {
			Files.createDirectories(directory);
			return Files.writeString(file, content);
		}
		catch (IOException ex) {
			throw new BenchFailure(file + " can't be written: " + ex.getMessage(), ex);
		}
	}

	private void awaitReady(Running running, @Nullable String path, long start) throws InterruptedException {
		long deadline = start + this.patience.toNanos();
		while (true) {
			Child child = running.child();
			if (child != null && !child.isAlive()) {
				throw new BenchFailure(running.name() + " did not start: it ended with exit code "
						+ child.exitCode().orElse(-1) + StartupLog.reason(child) + "; see " + child.log());
			}
			String problem = (path != null) ? problem(running.address().resolve(path)) : problem(running.address());
			if (problem == null) {
				return;
			}
			if (System.nanoTime() > deadline) {
				throw new BenchFailure(running.name() + " is not ready in time: " + problem + " on port "
						+ running.address().getPort() + "; see " + running.log());
			}
			Thread.sleep(POLL);
		}
	}

	private @Nullable String problem(URI address) throws InterruptedException {
		try {
			if (address.getPath().isEmpty()) {
				connect(address);
				return null;
			}
			HttpRequest request = HttpRequest.newBuilder(address).timeout(ANSWER).build();
			int status = this.client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
			return (status == 200) ? null : address.getPath() + " answers " + status;
		}
		catch (IOException ex) {
			return "it does not listen";
		}
	}

	private static void connect(URI address) throws IOException {
		try (Socket socket = new Socket()) {
			int port = (address.getPort() >= 0) ? address.getPort() : 80;
			socket.connect(new InetSocketAddress(address.getHost(), port), (int) ANSWER.toMillis());
		}
	}

}
