package io.gatewaybench.benchmark.topology;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.dataformat.yaml.YAMLMapper;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.load.SelfSigned;
import io.gatewaybench.benchmark.observe.Actuator;
import io.gatewaybench.benchmark.suite.Component;
import io.gatewaybench.benchmark.suite.Host;
import io.gatewaybench.benchmark.suite.References;

/**
 * Starts components, and waits until they are ready.
 *
 * @param installation the programs of this project
 * @param children what ends their processes
 * @param client what asks whether they are ready
 * @param heap the heap of every JVM, as in {@code -Xmx}
 * @param patience how long a component may take to become ready
 * @param hosts the hosts on which components may run
 */
public record Launcher(Installation installation, Children children, HttpClient client, String heap, Duration patience,
		RemoteHosts hosts) {

	/**
	 * How long a component may take to become ready. Four gateways that start together on
	 * two slow cores take a minute.
	 */
	public static final Duration PATIENCE = Duration.ofMinutes(3);

	private static final Duration POLL = Duration.ofMillis(100);

	private static final Duration ANSWER = Duration.ofSeconds(5);

	private static final String CERTIFICATE = "tls.pem";

	private static final YAMLMapper YAML = YAMLMapper.shared();

	/**
	 * Where a component runs, and what it leaves.
	 *
	 * @param prefix what its command line begins with
	 * @param directory its directory; made if needed
	 * @param log the file for its output
	 * @param tls whether it speaks TLS, for which it gets a certificate
	 */
	public record Place(List<String> prefix, Path directory, Path log, boolean tls) {

		URI origin(String authority) {
			return URI.create((this.tls ? "https://" : "http://") + authority);
		}

	}

	/**
	 * What a command line says of the machine it is for.
	 *
	 * @param address what to listen on
	 * @param port the port to listen on
	 * @param directory where the files of the component are
	 * @param java the command that starts Java
	 * @param jar the path of the jar, empty if there is none
	 */
	private record Site(String address, int port, String directory, String java, String jar) {

		String authority() {
			return this.address + ":" + this.port;
		}

	}

	/**
	 * A client that asks components whether they are ready, and what they see. It trusts
	 * every certificate, as load does.
	 * @return a client, closed by the caller
	 */
	public static HttpClient newClient() {
		try {
			SSLContext trusting = SSLContext.getInstance("TLS");
			trusting.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
			return HttpClient.newBuilder()
				.version(HttpClient.Version.HTTP_1_1)
				.connectTimeout(Duration.ofSeconds(2))
				.sslContext(trusting)
				.build();
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("this JDK can't speak TLS", ex);
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
			URI origin = place.origin(address.getAuthority());
			Actuator actuator = (remote.actuator() != null)
					? new Actuator(this.client, origin.resolve(remote.actuator())) : null;
			Running running = new Running(name, origin, null, false, List.of(origin.toString()), 0, "", null, actuator);
			awaitReady(running, component.ready(), System.nanoTime());
			if (actuator != null && actuator.look() == null) {
				throw new BenchFailure(name + " does not tell its CPU time: " + actuator.address() + "/metrics/"
						+ Actuator.CPU_TIME
						+ " has no figure; expose the endpoint 'metrics' there, correct 'actuator' in the suite, or remove it");
			}
			return running;
		}
		long start = System.nanoTime();
		Running started = launch(name, component, references, place);
		try {
			awaitReady(started, component.ready(), start);
			return started.ready(Duration.ofNanos(System.nanoTime() - start));
		}
		catch (BenchFailure | InterruptedException ex) {
			started.close();
			throw ex;
		}
	}

	/**
	 * Starts the process of a component, here or on its host.
	 * @param name what it is called in messages
	 * @param component what runs
	 * @param references what its texts refer to
	 * @param place where its files go
	 * @return the process, which may not be ready yet
	 * @throws InterruptedException if the thread was interrupted
	 */
	public Running launch(String name, Component component, References references, Place place)
			throws InterruptedException {
		if (place.tls()) {
			write(place.directory(), CERTIFICATE, SelfSigned.pem());
		}
		if (component instanceof Component.OnHost(Component program, Host host)) {
			return launch(name, program, host, references, place);
		}
		Path jar = jar(component);
		Site site = new Site("127.0.0.1", FreePort.find(), place.directory().toString(),
				this.installation.java().toString(), (jar != null) ? jar.toString() : "");
		List<String> command = new ArrayList<>(place.prefix());
		command.addAll(command(component, site, references, place.directory()));
		if (component instanceof Component.Simulator) {
			command.add("--exit-with-parent");
		}
		Child child = this.children.start(name, command, place.log());
		return new Running(name, place.origin(site.authority()), child, component instanceof Component.Jar, command, 0,
				"", null, null);
	}

	private Running launch(String name, Component component, Host host, References references, Place place)
			throws InterruptedException {
		RemoteHost there = this.hosts.connect(host);
		Path jar = jar(component);
		Site site = new Site(host.address(), there.port(), there.directory() + "/" + place.directory().getFileName(),
				host.java(), (jar != null) ? there.jar(jar) : "");
		List<String> command = command(component, site, references, place.directory());
		there.sendAll(place.directory(), site.directory());
		List<String> guarded = there.guarded(site.directory(), command);
		Child child = this.children.start(name, guarded, place.log());
		try {
			this.hosts.keepAlive(child);
			return new Running(name, place.origin(site.authority()), child, false, guarded, 0, "", there.program(child),
					null);
		}
		catch (BenchFailure | InterruptedException ex) {
			child.close();
			throw ex;
		}
	}

	private @Nullable Path jar(Component component) {
		return switch (component) {
			case Component.Jar jar -> this.installation.jar(jar.jar());
			case Component.Simulator simulator -> this.installation.backends();
			default -> null;
		};
	}

	private List<String> command(Component component, Site site, References references, Path files) {
		References own = references.withOwn(site.address(), Integer.toString(site.port()), site.directory());
		return switch (component) {
			case Component.Jar jar -> command(jar, site, own, files);
			case Component.Program program -> {
				program.files().forEach((file, content) -> write(files, file, own.resolve(content)));
				yield program.command().stream().map(own::resolve).toList();
			}
			case Component.Simulator simulator -> command(simulator, site, files);
			default -> throw new IllegalArgumentException("what runs already is not started");
		};
	}

	private List<String> command(Component.Jar jar, Site site, References own, Path files) {
		// What the JVM would choose depends on the cores it sees
		List<String> command = new ArrayList<>(
				List.of(site.java(), "-Xms" + this.heap, "-Xmx" + this.heap, "-XX:+UseG1GC"));
		jar.jvm().forEach((option) -> command.add(own.resolve(option)));
		command.addAll(List.of("-jar", site.jar()));
		if (!jar.config().isEmpty()) {
			Path file = write(files, "application.yml", YAML.writeValueAsString(own.resolve(jar.config())));
			command.add("--spring.config.additional-location="
					+ Path.of(site.directory()).resolve(file.getFileName()).toUri());
		}
		jar.arguments().forEach((argument) -> command.add(own.resolve(argument)));
		return command;
	}

	private static List<String> command(Component.Simulator simulator, Site site, Path files) {
		List<String> command = new ArrayList<>(List.of(site.java(), "-Xms256m", "-Xmx512m", "-XX:+UseSerialGC", "-jar",
				site.jar(), "--host", site.address()));
		if (simulator.zeroDelay()) {
			command.add("--zero-delay");
		}
		if (!simulator.profile().isEmpty()) {
			Path file = write(files, "profile.yml", YAML.writeValueAsString(simulator.profile()));
			command.addAll(List.of("--profile", site.directory() + "/" + file.getFileName()));
		}
		simulator.simulator()
			.forEach((service, instances) -> IntStream.rangeClosed(1, instances)
				.forEach((instance) -> command.addAll(List.of("--instance", service + "-" + instance + "=0"))));
		return command;
	}

	/**
	 * Writes a file of a component.
	 * @param directory where; made if needed
	 * @param name the name of the file
	 * @param content what it says
	 * @return its path
	 */
	public static Path write(Path directory, String name, String content) {
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
			if (child != null) {
				child.checkStarting();
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
				int port = (address.getPort() >= 0) ? address.getPort()
						: address.getScheme().equals("https") ? 443 : 80;
				return answers(address.getHost(), port) ? null : "it does not listen";
			}
			HttpRequest request = HttpRequest.newBuilder(address).timeout(ANSWER).build();
			int status = this.client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
			return (status == 200) ? null : address.getPath() + " answers " + status;
		}
		catch (IOException ex) {
			return "it does not listen";
		}
	}

	/**
	 * Whether something accepts connections at an address.
	 * @param host its host
	 * @param port its port
	 * @return whether a connection can be opened
	 * @throws InterruptedException if the thread was interrupted
	 */
	public static boolean answers(String host, int port) throws InterruptedException {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress(host, port), (int) ANSWER.toMillis());
			return true;
		}
		catch (IOException ex) {
			// An interrupt closes the socket of a virtual thread
			if (Thread.interrupted()) {
				throw new InterruptedException();
			}
			return false;
		}
	}

}
