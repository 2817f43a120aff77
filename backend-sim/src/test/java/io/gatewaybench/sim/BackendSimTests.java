package io.gatewaybench.sim;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.netty.util.LeakPresenceDetector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

class BackendSimTests {

	private final StringWriter err = new StringWriter();

	private final StringWriter out = new StringWriter();

	@Test
	void everyInstanceIsAnnouncedInOrderAndAnswersAsItself() throws Exception {
		Process process = launch("--instance=b-2=0", "--instance=a-1=0", "--zero-delay", "--exit-with-parent");
		try (BufferedReader reader = process.inputReader(); HttpClient client = HttpClient.newHttpClient()) {
			for (String name : List.of("b-2", "a-1")) {
				String[] ready = reader.readLine().split(" ");
				assertThat(ready).hasSize(3).startsWith("READY", name);
				HttpResponse<String> response = client.send(
						HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ready[2] + "/api/hello")).build(),
						BodyHandlers.ofString());
				assertThat(response.headers().firstValue("X-Backend-Instance")).hasValue(name);
			}
			assertThat(reader.readLine()).isEqualTo("STARTED");
			process.getOutputStream().close();
			assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
			assertThat(process.exitValue()).isZero();
			assertThat(reader.readLine()).isNull();
			assertThat(process.errorReader().lines()).isEmpty();
		}
		finally {
			process.destroyForcibly();
		}
	}

	@Test
	void aTerminatedProcessClosesItsConnections() throws Exception {
		Process process = launch("--instance=a=0", "--threads=2");
		try (BufferedReader reader = process.inputReader()) {
			int port = Integer.parseInt(reader.readLine().split(" ")[2]);
			assertThat(reader.readLine()).isEqualTo("STARTED");
			try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
				socket.getOutputStream().write("GET /api/hello?delay=0 HTTP/1.1\r\n\r\n".getBytes());
				assertThat(socket.getInputStream().read()).isEqualTo('H');
				process.toHandle().destroy();
				assertThat(socket.getInputStream().readAllBytes()).isNotEmpty();
			}
			assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
			assertThat(process.errorReader().lines()).isEmpty();
		}
		finally {
			process.destroyForcibly();
		}
	}

	@Test
	void aPortInUseIsOneClearLine() throws IOException {
		try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			assertThat(execute("--instance=a=0", "--instance=b=" + taken.getLocalPort())).isEqualTo(1);
			assertThat(this.err.toString())
				.isEqualToNormalizingNewlines("backend-sim: cannot listen on 127.0.0.1:" + taken.getLocalPort()
						+ " for b: the port is in use, stop the process that has it or choose another\n");
		}
		assertThat(this.out.toString()).isEmpty();
		LeakPresenceDetector.check();
	}

	@Test
	void anUnknownHostIsOneClearLine() {
		assertThat(execute("--instance=a=0", "--host=no-such-host.invalid")).isEqualTo(1);
		assertThat(this.err.toString().lines()).singleElement()
			.asString()
			.startsWith("backend-sim: cannot listen on no-such-host.invalid:0 for a: ");
	}

	@Test
	void aWrongProfileIsOneClearLine(@TempDir Path directory) throws IOException {
		Path profile = Files.writeString(directory.resolve("slow.yml"), "seed: 1\npayload: cached\n");
		assertThat(execute("--instance=a=0", "--profile=" + profile)).isEqualTo(2);
		assertThat(this.err.toString()).isEqualToNormalizingNewlines(
				"backend-sim: " + profile + ":2: payload: 'cached', expected one of prepared, generated\n");
		assertThat(this.out.toString()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			--zero-delay                     | Missing required option: '--instance=NAME=PORT'
			--instance=a                     | 'a' is no instance, expected name=port such as service-a-1=8081
			--instance=a=65536               | 'a=65536' is no instance, expected name=port
			--instance=a b=1                 | 'a b=1' is no instance, expected name=port
			--instance=a=1 --instance=a=2    | --instance: the name a is there twice
			--instance=a=1 --instance=b=1    | --instance: the port 1 is there twice
			--instance=a=0 --threads=0       | --threads=0: expected a number of 1 or more
			--instance=a=0 --threads=many    | Invalid value for option '--threads'
			--instance=a=0 --fast            | Unknown option: '--fast'
			""")
	void wrongOptionsAreNamed(String options, String message) {
		assertThat(execute(options.split(" (?=--)"))).isEqualTo(2);
		assertThat(this.err.toString()).contains(message);
		assertThat(this.out.toString()).isEmpty();
	}

	@Test
	void helpListsTheOptions() {
		assertThat(execute("--help")).isZero();
		assertThat(this.out.toString()).contains("--instance", "--host", "--profile", "--zero-delay", "--threads",
				"--exit-with-parent");
	}

	private int execute(String... options) {
		CommandLine commandLine = BackendSim.commandLine();
		commandLine.setErr(new PrintWriter(this.err, true));
		commandLine.setOut(new PrintWriter(this.out, true));
		return commandLine.execute(options);
	}

	private static Process launch(String... options) throws IOException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
						"--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-cp",
						System.getProperty("java.class.path"), BackendSim.class.getName()));
		command.addAll(List.of(options));
		return new ProcessBuilder(command).start();
	}

}
