package io.gatewaybench.sim;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;

import io.netty.util.LeakPresenceDetector;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A running simulator with one instance; closing it fails if a buffer is still held.
 */
final class TestServer implements AutoCloseable {

	static final String NAME = "service-a-1";

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final SimServer server;

	TestServer(String profile) throws IOException, ProfileException {
		this.server = SimServer.start("127.0.0.1", 1, List.of(new InstanceAddress(NAME, 0)),
				ProfileReader.read("profile.yml", profile));
	}

	static TestServer withoutDelay() throws IOException {
		return new TestServer(Profile.defaults().withoutDelay());
	}

	TestServer(Profile profile) throws IOException {
		this.server = SimServer.start("127.0.0.1", 1, List.of(new InstanceAddress(NAME, 0)), profile);
	}

	Socket connect() throws IOException {
		Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.server.ports().get(0));
		socket.setSoTimeout(10_000);
		return socket;
	}

	HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + this.server.ports().get(0) + path))
			.timeout(Duration.ofSeconds(10));
	}

	HttpResponse<String> get(String path) throws IOException, InterruptedException {
		return send(request(path).GET());
	}

	HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
		return send(request(path).POST(BodyPublishers.ofString(body)));
	}

	HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
		return this.client.send(request.build(), BodyHandlers.ofString());
	}

	JsonNode stats() {
		try {
			return json(get("/sim/stats"));
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static JsonNode json(HttpResponse<String> response) {
		return JsonMapper.shared().readTree(response.body());
	}

	@Override
	public void close() {
		this.client.shutdownNow();
		this.server.close();
		LeakPresenceDetector.check();
	}

}
