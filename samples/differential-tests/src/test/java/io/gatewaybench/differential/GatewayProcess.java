package io.gatewaybench.differential;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A gateway in a process of its own, which ends with this one.
 */
final class GatewayProcess implements AutoCloseable {

	/**
	 * How long each gateway waits for an upstream, whatever it waits for. A busy machine
	 * stands still for some seconds, and a shorter time would tell that as a finding.
	 */
	static final Duration TIMEOUT = Duration.ofSeconds(8);

	/**
	 * Longer than a gateway waits for all its attempts together.
	 */
	static final Duration PATIENCE = TIMEOUT.multipliedBy(4);

	private static final Duration START = Duration.ofMinutes(2);

	/**
	 * What Spring, Tomcat and Reactor Netty say of a response that breaks off after it
	 * has begun, or of a client that resets its connection, and Spring where Reactor
	 * Netty has answered malformed chunks itself.
	 */
	private static final List<String> EXPECTED_ERRORS = List.of("io.gatewaybench.upstream.UpstreamException",
			"Error finishing response", "threw exception", "500 Server Error for HTTP",
			"r.netty.transport.ServerTransport");

	/**
	 * Reactor Netty lets a connection read on in the thread of the client, while its own
	 * thread closes it. The exchange has ended by then, and the error is dropped.
	 */
	private static final List<String> EXPECTED_RACE = List.of("onErrorDropped",
			"channel not registered to an event loop", "HttpClientOperations.onOutboundComplete");

	private static final String LEAK_DETECTION = System.getProperty("gateway-bench.differential.leak-detection",
			"paranoid");

	/**
	 * A gateway takes its port itself. One that was free when it was looked for may
	 * belong to somebody else when the gateway is ready for it.
	 */
	private static final Pattern PORT = Pattern.compile(" started on port (\\d+).*: Started ", Pattern.DOTALL);

	private final String name;

	private final Path log;

	private final Process process;

	private final Thread hook;

	private final int port;

	private GatewayProcess(String name, Path log, List<String> command, IntSupplier port)
			throws IOException, InterruptedException {
		this.name = name;
		this.log = log;
		this.process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
		this.hook = new Thread(this.process::destroyForcibly);
		Runtime.getRuntime().addShutdownHook(this.hook);
		this.port = awaitStart(port);
	}

	/**
	 * Start one of the sample gateways.
	 * @param name name of the variant
	 * @param flavour {@code webflux} or {@code webmvc}
	 * @param virtualThreads whether requests are served on virtual threads
	 * @param upstreams instances of the upstream
	 */
	static GatewayProcess start(String name, String flavour, boolean virtualThreads, List<String> upstreams)
			throws IOException, InterruptedException {
		Path jar = Path.of("..", "gateway-" + flavour, "target", "gateway-" + flavour + ".jar");
		Path log = Files.createDirectories(Path.of("target", "differential")).resolve(name + ".log");
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of("-Xmx256m", "-Dio.netty.leakDetection.level=" + LEAK_DETECTION, "-jar", jar.toString()));
		command.add("--spring.config.location=optional:classpath:/no-configuration/");
		command.add("--spring.application.name=differential");
		command.add("--server.port=0");
		command.add("--server.http2.enabled=true");
		command.add("--spring.threads.virtual.enabled=" + virtualThreads);
		command.add("--gateway-bench.upstreams.scripted.instances=" + String.join(",", upstreams));
		command.add("--gateway-bench.routes[0].id=rewrite");
		command.add("--gateway-bench.routes[0].path=/rewrite/**");
		command.add("--gateway-bench.routes[0].upstream=scripted");
		String gateway = "--spring.cloud.gateway.server.%s.".formatted(flavour);
		command.addAll(route(gateway + "routes[0].", "plain"));
		command.addAll(route(gateway + "routes[1].", "query"));
		// On WebMVC, who asks for a parameter reads the parts of a body
		command.add(gateway + "routes[1].predicates[1]=Query=q");
		command.add("--spring.servlet.multipart.enabled=true");
		// No client is trusted to say who it is
		command.add(gateway + "trusted-proxies=10\\.9\\..*");
		command.add("--server.compression.enabled=true");
		// One script is not to change what becomes of the next
		command.add("--gateway-bench.load-balancing.ejection.enabled=false");
		command.add("--gateway-bench.timeouts.connect=" + TIMEOUT.toSeconds() + "s");
		command.add("--gateway-bench.timeouts.response=" + TIMEOUT.toSeconds() + "s");
		command.add("--gateway-bench.timeouts.read=" + TIMEOUT.toSeconds() + "s");
		command.add("--gateway-bench.http-client.max-idle-time=1s");
		return new GatewayProcess(name, log, command, () -> {
			Matcher port = PORT.matcher(read(log));
			return port.find() ? Integer.parseInt(port.group(1)) : 0;
		});
	}

	private static List<String> route(String property, String name) {
		return List.of(property + "id=" + name, property + "uri=rr://scripted",
				property + "predicates[0]=Path=/%s/**".formatted(name), property + "filters[0]=StripGatewayPrefix",
				property + "filters[1]=AddGatewayHeaders", property + "filters[2]=RecordGatewayMetrics");
	}

	/**
	 * Start nginx in front of the same upstreams.
	 * @return {@code null} if it is not installed
	 */
	static GatewayProcess startNginx(List<String> upstreams) throws IOException, InterruptedException {
		Path program = Path.of("/usr/sbin/nginx");
		if (!Files.isExecutable(program)) {
			return null;
		}
		Path directory = Files.createDirectories(Path.of("target", "differential", "nginx").toAbsolutePath());
		int port = freePort();
		Path configuration = Files.writeString(directory.resolve("nginx.conf"),
				"""
						daemon off; master_process off; pid nginx.pid; error_log error.log crit;
						events { worker_connections 4096; }
						http {
							access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
							uwsgi_temp_path uwsgi; scgi_temp_path scgi;
							underscores_in_headers on; merge_slashes off; client_max_body_size 0;
							upstream scripted { %2$s keepalive 32; keepalive_timeout 1s; }
							server {
								listen 127.0.0.1:%3$d;
								location / {
									proxy_pass http://scripted; proxy_http_version 1.1;
									proxy_set_header Host $http_host; proxy_set_header Connection "";
									proxy_request_buffering off; proxy_buffering off; proxy_next_upstream off;
									proxy_buffer_size 16k; proxy_buffers 8 16k; proxy_connect_timeout %1$ds; proxy_read_timeout %1$ds; proxy_pass_header Server;
								}
							}
						}
						"""
					.formatted(TIMEOUT.toSeconds(),
							upstreams.stream()
								.map((url) -> "server %s max_fails=0;".formatted(url.substring("http://".length())))
								.collect(Collectors.joining(" ")),
							port));
		Path listening = directory.resolve("nginx.pid");
		Files.deleteIfExists(listening);
		return new GatewayProcess("nginx", directory.resolve("nginx.log"),
				List.of(program.toString(), "-p", directory.toString(), "-c", configuration.toString()),
				() -> Files.exists(listening) ? port : 0);
	}

	/**
	 * Not one of those that the system gives to others meanwhile.
	 */
	private static int freePort() throws IOException {
		while (true) {
			int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
			try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
				return free.getLocalPort();
			}
			catch (BindException ex) {
				// It is taken
			}
		}
	}

	/**
	 * Wait until the gateway listens.
	 * @param port where, or 0 as long as it does not
	 */
	private int awaitStart(IntSupplier port) throws InterruptedException {
		long until = System.nanoTime() + START.toNanos();
		int started = port.getAsInt();
		while (started == 0) {
			if (!this.process.isAlive() || System.nanoTime() > until) {
				close();
				throw new IllegalStateException("The gateway %s did not start, see %s".formatted(this.name, this.log));
			}
			TimeUnit.MILLISECONDS.sleep(100);
			started = port.getAsInt();
		}
		return started;
	}

	String name() {
		return this.name;
	}

	int port() {
		return this.port;
	}

	/**
	 * Entries of the log that tell of an error or a leak, without most of their traces.
	 */
	List<String> complaints() {
		return Pattern.compile("^(?=\\d{4}-\\d\\d-\\d\\dT)", Pattern.MULTILINE)
			.splitAsStream(read(this.log))
			.filter(GatewayProcess::isComplaint)
			.map((entry) -> entry.lines().limit(20).collect(Collectors.joining("\n")))
			.toList();
	}

	private static String read(Path log) {
		try {
			return Files.readString(log, StandardCharsets.ISO_8859_1);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static boolean isComplaint(String entry) {
		String head = entry.lines().findFirst().orElse("");
		boolean unexpected = head.contains(" ERROR ") && EXPECTED_ERRORS.stream().noneMatch(head::contains)
				&& !EXPECTED_RACE.stream().allMatch(entry::contains);
		return unexpected || entry.contains("LEAK:") || entry.contains("OutOfMemoryError");
	}

	@Override
	public void close() throws InterruptedException {
		this.process.destroy();
		if (!this.process.waitFor(10, TimeUnit.SECONDS)) {
			this.process.destroyForcibly().waitFor();
		}
		Runtime.getRuntime().removeShutdownHook(this.hook);
	}

}
