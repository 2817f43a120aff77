package io.gatewaybench.benchmark.report;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.gatewaybench.benchmark.failure.BenchFailure;

/**
 * Serves the files of a run to the browsers of this machine, and nothing else: not to
 * other machines, not to pages of other sites, and no file outside of the directory.
 */
public final class ReportServer implements AutoCloseable {

	// The report allows only its own scripts, by their hashes. A script in any other
	// file of the directory can run, but can send nothing to another server
	private static final String POLICY = "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; "
			+ "script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

	private static final Map<String, String> HEADERS = Map.of("X-Content-Type-Options", "nosniff", "Cache-Control",
			"no-store", "Content-Security-Policy", POLICY, "Referrer-Policy", "no-referrer",
			"Cross-Origin-Resource-Policy", "same-origin");

	private static final String TEXT = "text/plain; charset=utf-8";

	private static final String BYTES = "application/octet-stream";

	private static final Map<String, String> TYPES = Map.ofEntries(Map.entry("html", "text/html; charset=utf-8"),
			Map.entry("md", "text/markdown; charset=utf-8"), Map.entry("json", "application/json"),
			Map.entry("csv", "text/csv; charset=utf-8"), Map.entry("svg", "image/svg+xml"),
			Map.entry("png", "image/png"), Map.entry("log", TEXT), Map.entry("txt", TEXT), Map.entry("yml", TEXT),
			Map.entry("yaml", TEXT), Map.entry("conf", TEXT), Map.entry("lua", TEXT), Map.entry("hlog", TEXT));

	// The page of one run, and the page over all studies
	private static final List<String> PAGES = List.of(RawFiles.HTML, StudiesReport.NAME);

	private final Path root;

	private final HttpServer server;

	private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

	private ReportServer(Path root, HttpServer server) {
		this.root = root;
		this.server = server;
	}

	/**
	 * Starts a server on the loopback address.
	 * @param directory the directory of a run
	 * @param port the port, 0 for any that is free
	 * @return the server, to be closed
	 * @throws BenchFailure if the directory is not there, has no report, or the port is
	 * in use
	 */
	public static ReportServer start(Path directory, int port) {
		if (PAGES.stream().noneMatch((page) -> Files.isRegularFile(directory.resolve(page)))) {
			throw new BenchFailure("There is no report in " + directory
					+ ". Name the directory of a run, such as bench-results/latest, or write its report with ./bench report.");
		}
		try {
			// The directory may be a link itself, such as latest; links in it are refused
			Path root = directory.toRealPath();
			HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
			ReportServer started = new ReportServer(root, server);
			server.setExecutor(started.executor);
			server.createContext("/", started::answer);
			server.start();
			return started;
		}
		catch (IOException ex) {
			throw new BenchFailure("The report can't be served on port " + port + ": " + ex.getMessage()
					+ ". Choose another one with --port, or leave it out.", ex);
		}
	}

	/**
	 * Where the report is.
	 * @return the address for a browser of this machine
	 */
	public URI address() {
		return URI.create("http://127.0.0.1:" + port() + "/");
	}

	private int port() {
		return this.server.getAddress().getPort();
	}

	private void answer(HttpExchange exchange) throws IOException {
		try (exchange) {
			HEADERS.forEach(exchange.getResponseHeaders()::set);
			String method = exchange.getRequestMethod();
			if (!isOurs(exchange.getRequestHeaders())) {
				refuse(exchange, 403, "Ask for " + address());
			}
			else if (!method.equals("GET") && !method.equals("HEAD")) {
				exchange.getResponseHeaders().set("Allow", "GET, HEAD");
				refuse(exchange, 405, "Only GET and HEAD");
			}
			else {
				Optional<Path> file = file(exchange.getRequestURI());
				if (file.isPresent()) {
					send(exchange, file.get());
				}
				else {
					refuse(exchange, 404, "There is no such file");
				}
			}
		}
	}

	/**
	 * Whether the browser knows that it asks this machine. The page of another site may
	 * have a name that was made to point here, and then reads what it gets.
	 */
	private boolean isOurs(Headers headers) {
		List<String> hosts = headers.getOrDefault("Host", List.of());
		return hosts.size() == 1 && Stream.of("localhost", "127.0.0.1", "[::1]")
			.anyMatch((name) -> (name + ":" + port()).equalsIgnoreCase(hosts.getFirst()));
	}

	private Optional<Path> file(URI uri) {
		String path = uri.getPath();
		if (path == null || !path.startsWith("/")) {
			return Optional.empty();
		}
		return path.equals("/") ? PAGES.stream().flatMap((page) -> file(page).stream()).findFirst()
				: file(path.substring(1));
	}

	private Optional<Path> file(String name) {
		try {
			// Without links and dots, so that it shows where it is
			Path file = this.root.resolve(name).toRealPath();
			return (file.startsWith(this.root) && Files.isRegularFile(file) && Files.isReadable(file))
					? Optional.of(file) : Optional.empty();
		}
		catch (IOException | InvalidPathException ex) {
			return Optional.empty();
		}
	}

	private static void send(HttpExchange exchange, Path file) throws IOException {
		String name = file.getFileName().toString();
		String ending = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
		exchange.getResponseHeaders().set("Content-Type", TYPES.getOrDefault(ending, BYTES));
		if (exchange.getRequestMethod().equals("HEAD")) {
			exchange.getResponseHeaders().set("Content-Length", Long.toString(Files.size(file)));
			exchange.sendResponseHeaders(200, -1);
			return;
		}
		// Without a length, as the files of a run that goes on may grow
		exchange.sendResponseHeaders(200, 0);
		try (OutputStream body = exchange.getResponseBody()) {
			Files.copy(file, body);
		}
	}

	private static void refuse(HttpExchange exchange, int status, String reason) throws IOException {
		byte[] text = (reason + "\n").getBytes(StandardCharsets.UTF_8);
		exchange.getResponseHeaders().set("Content-Type", TEXT);
		if (exchange.getRequestMethod().equals("HEAD")) {
			exchange.sendResponseHeaders(status, -1);
			return;
		}
		exchange.sendResponseHeaders(status, text.length);
		exchange.getResponseBody().write(text);
	}

	/**
	 * Stops. Requests that are under way are broken off.
	 */
	@Override
	public void close() {
		this.server.stop(0);
		this.executor.shutdownNow();
	}

}
