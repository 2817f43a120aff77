package io.gatewaybench.contract;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Clients that reach the gateway over TLS and HTTP/1.1, whether it offers HTTP/2 or not.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TlsClientsContract {

	private final Gateway gateway;

	/**
	 * By whether they offer HTTP/2.
	 */
	private final Map<Boolean, RunningGateway> running = new HashMap<>();

	private Path certificate;

	private RawUpstream upstream;

	private WebSocketUpstream sessions;

	TlsClientsContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start(@TempDir Path directory) throws Exception {
		this.upstream = new RawUpstream();
		this.sessions = new WebSocketUpstream();
		this.certificate = TlsContract.certificate(directory, "ip:127.0.0.1");
		for (boolean http2 : new boolean[] { false, true }) {
			List<String> properties = Gateway.route(0, "the-route", "service", List.of(this.upstream.url()));
			properties.addAll(Gateway.route(1, "sessions-route", "sessions", List.of(this.sessions.url())));
			properties.addAll(List.of("server.http2.enabled=" + http2, "server.ssl.key-store=file:" + this.certificate,
					"server.ssl.key-store-password=" + TlsContract.PASSWORD, "server.ssl.key-store-type=PKCS12",
					"gateway-bench.server.head-timeout=1s"));
			this.running.put(http2, this.gateway.start(properties.toArray(String[]::new)));
		}
	}

	@AfterAll
	void stop() throws IOException {
		this.running.values().forEach(RunningGateway::close);
		this.upstream.close();
		this.sessions.close();
	}

	@BeforeEach
	void startOver() throws IOException {
		this.upstream.startOver();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aHeadThatDoesNotGoOnHasAnEnd(boolean http2) throws Exception {
		try (SSLSocket client = connect(http2, "http/1.1")) {
			send(client, "GET /service/x HTTP/1.1\r\n");
			assertThat(read(client.getInputStream()).status()).isEqualTo(408);
		}
	}

	@Test
	void aHeadOverHttp2ThatDoesNotGoOnHasAnEnd() throws Exception {
		try (SSLSocket client = connect(true, "h2")) {
			client.getOutputStream().write(SlowClientsContract.HTTP2, 0, SlowClientsContract.HTTP2.length - 1);
			SlowClientsContract.assertThatConnectionEnds(client);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void requestsThatAreSentAtOnceAreAllAnswered(boolean http2) throws Exception {
		this.upstream.answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
		try (SSLSocket client = connect(http2, "http/1.1")) {
			send(client, "GET /service/1 HTTP/1.1\r\nHost: gateway\r\n\r\n" + HttpExchange.getRequest("/service/2"));
			assertThat(read(client.getInputStream()).text()).isEqualTo("ok");
			assertThat(read(client.getInputStream()).text()).isEqualTo("ok");
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void webSocketsPass(boolean http2) throws Exception {
		try (WebSocketPeer client = WebSocketPeer.client(connect(http2, "http/1.1"), "/sessions/x")) {
			WebSocketContract.assertEchoes(client);
		}
	}

	private SSLSocket connect(boolean http2, String protocol) throws Exception {
		KeyStore store = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(this.certificate)) {
			store.load(in, TlsContract.PASSWORD.toCharArray());
		}
		TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		trusted.init(store);
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(null, trusted.getTrustManagers(), null);
		SSLSocket client = (SSLSocket) context.getSocketFactory()
			.createSocket(InetAddress.getByName("127.0.0.1"), this.running.get(http2).ownPort());
		client.setSoTimeout(20_000);
		SSLParameters parameters = client.getSSLParameters();
		parameters.setApplicationProtocols(new String[] { protocol });
		client.setSSLParameters(parameters);
		return client;
	}

	private static void send(SSLSocket client, String text) throws IOException {
		client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
		client.getOutputStream().flush();
	}

	private static Message read(InputStream in) throws IOException {
		return Message.read(in, false, () -> {
		});
	}

}
