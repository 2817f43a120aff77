package io.gatewaybench.benchmark.report;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import io.gatewaybench.benchmark.failure.BenchFailure;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ReportServerTests {

	@TempDir
	private Path directory;

	private Path run;

	private ReportServer server;

	@BeforeEach
	void start() throws IOException {
		Files.writeString(this.directory.resolve("secret.json"), "secret");
		Files.createDirectory(this.directory.resolve("run-2"));
		Files.writeString(this.directory.resolve("run-2/secret.json"), "secret");
		this.run = Files.createDirectories(this.directory.resolve("run"));
		Files.createDirectories(this.run.resolve("raw"));
		Files.writeString(this.run.resolve("report.html"), "<p>µ");
		Files.writeString(this.run.resolve("results.json"), "{}");
		Files.writeString(this.run.resolve("raw/a file.log"), "of the log");
		Files.writeString(this.run.resolve("raw/flight.jfr"), "recorded");
		Files.createSymbolicLink(this.run.resolve("outside.json"), this.directory.resolve("secret.json"));
		Files.createSymbolicLink(this.run.resolve("outside"), this.directory.resolve("run-2"));
		Files.createSymbolicLink(this.run.resolve("inside.json"), Path.of("results.json"));
		// As bench-results/latest is
		Path latest = Files.createSymbolicLink(this.directory.resolve("latest"), Path.of("run"));
		this.server = ReportServer.start(latest, 0);
	}

	@AfterEach
	void stop() {
		this.server.close();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "/ | text/html; charset=utf-8 | <p>µ",
			"/report.html | text/html; charset=utf-8 | <p>µ", "/results.json | application/json | {}",
			"/results.json?a=b | application/json | {}", "/inside.json | application/json | {}",
			"/raw/a%20file.log | text/plain; charset=utf-8 | of the log",
			"/raw/../results.json | application/json | {}", "/raw/flight.jfr | application/octet-stream | recorded" })
	void aFileOfTheRunIsServedWithItsType(String path, String type, String content) throws IOException {
		String response = get(path);
		assertThat(response).startsWith("HTTP/1.1 200 OK\r\n").contains("\r\nContent-type: " + type + "\r\n");
		assertThat(body(response)).contains(content);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "/results.json", "/absent", "/outside.json" })
	void everyResponseForbidsWhatAPageDoesNotNeed(String path) throws IOException {
		assertThat(get(path)).contains("X-content-type-options: nosniff", "Cache-control: no-store",
				"Content-security-policy: default-src 'none'; ", "frame-ancestors 'none'",
				"Cross-origin-resource-policy: same-origin", "Referrer-policy: no-referrer");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/../secret.json", "/raw/../../secret.json", "/%2e%2e/secret.json", "/..%2fsecret.json",
			"/%2e%2e%2frun-2/secret.json", "/../run-2/secret.json", "/outside.json", "/outside/secret.json", "/outside",
			"//etc/passwd", "/%2fetc/passwd", "/..%5csecret.json", "/raw", "/raw/", "/absent", "/report.html%00.json",
			"/../run/results.json%00", "/%2e%2e", "/.." })
	void nothingElseIsServed(String path) throws IOException {
		assertThat(get(path)).startsWith("HTTP/1.1 404 Not Found\r\n");
		assertThat(body(get(path))).isEqualTo("There is no such file\n");
	}

	@ParameterizedTest
	@ValueSource(strings = { "localhost", "LOCALHOST", "127.0.0.1", "[::1]" })
	void namesOfThisMachineAreAnswered(String name) throws IOException {
		assertThat(ask("GET / HTTP/1.1", "Host: " + name + ":" + port())).startsWith("HTTP/1.1 200 ");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Host: evil.example:%d", "Host: localhost", "Host: 127.0.0.1:1", "Host: localhost.:%d",
			"Host: localhost:%d.evil.example", "Host: evil.example@localhost:%d", "Host:", "X-No-Host: localhost:%d",
			"Host: localhost:%1$d\r\nHost: evil.example:%1$d" })
	void aPageOfAnotherSiteReadsNothing(String header) throws IOException {
		String response = ask("GET /results.json HTTP/1.1", header.formatted(port()));
		assertThat(response).startsWith("HTTP/1.1 403 Forbidden\r\n").doesNotContain("{}");
	}

	@ParameterizedTest
	@CsvSource({ "/report.html, 200, 5", "/absent, 404, ", "/../secret.json, 404, " })
	void headHasTheHeadersAndNoBody(String path, int status, String length) throws IOException {
		String response = ask("HEAD " + path + " HTTP/1.1", "Host: localhost:" + port());
		assertThat(response).startsWith("HTTP/1.1 " + status).endsWith("\r\n\r\n");
		assertThat(body(response)).isEmpty();
		if (length != null) {
			assertThat(response).contains("\r\nContent-length: " + length + "\r\n");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH" })
	void nothingCanBeChanged(String method) throws IOException {
		assertThat(ask(method + " /results.json HTTP/1.1", "Host: localhost:" + port()))
			.startsWith("HTTP/1.1 405 Method Not Allowed\r\n")
			.contains("\r\nAllow: GET, HEAD\r\n");
		assertThat(this.run.resolve("results.json")).hasContent("{}");
	}

	@Test
	void theAddressIsThatOfTheLoopbackDevice() throws IOException {
		assertThat(this.server.address().toString()).isEqualTo("http://127.0.0.1:" + port() + "/");
		// It would be in use if the server listened on every address
		try (ServerSocket other = new ServerSocket()) {
			other.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.2"), port()));
			assertThat(other.isBound()).isTrue();
		}
	}

	@Test
	void thePageOverAllStudiesIsTheFirstOneOfItsDirectory() throws IOException {
		Path all = Files.createDirectory(this.directory.resolve("all"));
		Files.writeString(all.resolve("index.html"), "all studies");
		this.server.close();
		this.server = ReportServer.start(all, 0);
		assertThat(body(get("/"))).contains("all studies");
	}

	@Test
	void aDirectoryWithoutAReportIsNamed() {
		assertThatExceptionOfType(BenchFailure.class)
			.isThrownBy(() -> ReportServer.start(this.directory.resolve("absent"), 0))
			.withMessageContaining(this.directory.resolve("absent").toString())
			.withMessageContaining("./bench report");
	}

	@Test
	void aPortThatIsInUseIsNamed() {
		assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> ReportServer.start(this.run, port()))
			.withMessageContaining("port " + port())
			.withMessageContaining("--port");
	}

	private int port() {
		return this.server.address().getPort();
	}

	private String get(String path) throws IOException {
		return ask("GET " + path + " HTTP/1.1", "Host: localhost:" + port());
	}

	private static String body(String response) {
		return response.substring(response.indexOf("\r\n\r\n") + 4);
	}

	// A client of HTTP would mend what is wrong on purpose
	private String ask(String request, String header) throws IOException {
		try (Socket socket = new Socket("127.0.0.1", port())) {
			socket.getOutputStream()
				.write((request + "\r\n" + header + "\r\nConnection: close\r\n\r\n").getBytes(StandardCharsets.UTF_8));
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
	}

}
