package io.gatewaybench.internal.exchange;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.util.List;

import com.sun.net.httpserver.HttpServer;
import io.gatewaybench.internal.upstream.DeadlineTimer;
import io.gatewaybench.upstream.Instance;
import io.gatewaybench.upstream.Upstream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.http.HttpHeaders;

import static org.assertj.core.api.Assertions.assertThat;

class MirrorTests {

	@Test
	void aProxyOfTheJvmGetsNoRequest() throws IOException {
		HttpServer server = server();
		HttpServer proxy = server();
		ProxySelector usual = ProxySelector.getDefault();
		ProxySelector.setDefault(ProxySelector.of(proxy.getAddress()));
		try (DeadlineTimer timer = new DeadlineTimer()) {
			Instance instance = Instance.of(URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
			server.createContext("/x", (exchange) -> {
				exchange.sendResponseHeaders(204, -1);
				exchange.close();
			});
			Mirror mirror = new Mirror(Upstream.roundRobin("other", List.of(instance)), 1, timer, () -> null);
			mirror.send("GET", URI.create("http://original/x?a=1"), new HttpHeaders(), false, null);
			Awaitility.await().untilAsserted(() -> assertThat(mirror.sent() + mirror.failed()).isEqualTo(1));
			assertThat(mirror.sent()).isEqualTo(1);
		}
		finally {
			ProxySelector.setDefault(usual);
			server.stop(0);
			proxy.stop(0);
		}
	}

	private static HttpServer server() throws IOException {
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.createContext("/", (exchange) -> exchange.close());
		server.start();
		return server;
	}

}
