package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.function.Supplier;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TargetClockTests {

	@Test
	void aClockThatIsBehindIsSeenWithinASecond() throws Exception {
		Map<String, String> seen = compare(() -> ZonedDateTime.now(ZoneOffset.UTC)
			.minus(Duration.ofSeconds(5))
			.format(DateTimeFormatter.RFC_1123_DATE_TIME));
		assertThat(seen).hasSize(1);
		String ahead = seen.values().iterator().next();
		// A single look would be up to a second off, and half of that on average
		assertThat(ahead).startsWith("+").endsWith(" ms");
		assertThat(Integer.parseInt(ahead.replaceAll("[^0-9]", ""))).isBetween(4_900, 5_900);
	}

	@Test
	void aTargetThatDoesNotTellTheTimeIsNotCompared() throws Exception {
		assertThat(compare(() -> "yesterday")).isEmpty();
		assertThat(compare(() -> "Wed, 25 Nov 2026 21:00:00 GMT")).isEmpty();
		try (HttpClient client = HttpClient.newHttpClient()) {
			assertThat(TargetClock.compare(client, URI.create("http://127.0.0.1:1"))).isEmpty();
		}
	}

	// The server of the JDK has a Date of its own
	private static Map<String, String> compare(Supplier<String> date) throws IOException, InterruptedException {
		try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
				HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
			Thread.ofVirtual().start(() -> answer(server, date));
			return TargetClock.compare(client, URI.create("http://127.0.0.1:" + server.getLocalPort()));
		}
	}

	private static void answer(ServerSocket server, Supplier<String> date) {
		while (true) {
			try (Socket client = server.accept()) {
				client.getInputStream().read(new byte[4096]);
				client.getOutputStream()
					.write("HTTP/1.1 204 No Content\r\nDate: %s\r\nConnection: close\r\n\r\n".formatted(date.get())
						.getBytes(StandardCharsets.US_ASCII));
			}
			catch (IOException ex) {
				return;
			}
		}
	}

}
