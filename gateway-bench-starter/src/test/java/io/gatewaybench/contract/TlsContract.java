package io.gatewaybench.contract;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslStoreBundle;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Upstreams with {@code https}, each with certificates of its own.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TlsContract {

	static final String PASSWORD = "password";

	private final Gateway gateway;

	/**
	 * By the names of their routes.
	 */
	private final Map<String, RawUpstream> upstreams = new HashMap<>();

	private WebSocketUpstream sessions;

	private Path certificate;

	private RunningGateway running;

	TlsContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start(@TempDir Path directory) throws Exception {
		this.certificate = certificate(directory, "ip:127.0.0.1");
		Path another = certificate(directory, "ip:127.0.0.2");
		List<String> properties = new ArrayList<>();
		properties.addAll(trust("trusting", this.certificate));
		properties.addAll(trust("other", another));
		properties.addAll(trust("showing", this.certificate));
		properties.addAll(show("showing", this.certificate));
		properties.addAll(route("trusted", this.certificate, false, "ssl.bundle=trusting"));
		properties.addAll(route("unknown", this.certificate, false));
		properties.addAll(route("other", another, false, "ssl.bundle=other"));
		properties.addAll(route("shown", this.certificate, true, "ssl.bundle=showing"));
		properties.addAll(route("hidden", this.certificate, true, "ssl.bundle=trusting"));
		properties
			.addAll(route("checked", this.certificate, false, "ssl.bundle=trusting", "health-check.enabled=true"));
		this.sessions = new WebSocketUpstream(
				bundle(this.certificate).createSslContext().getServerSocketFactory().createServerSocket());
		properties.addAll(Gateway.route(this.upstreams.size(), "sessions-route", "sessions",
				List.of("https://127.0.0.1:" + this.sessions.port())));
		properties.add("gateway-bench.upstreams.sessions.ssl.bundle=trusting");
		this.running = this.gateway.start(properties.toArray(String[]::new));
	}

	private List<String> route(String name, Path certificate, boolean asksForCertificate, String... settings)
			throws Exception {
		int index = this.upstreams.size();
		this.upstreams.put(name, upstream(certificate, asksForCertificate));
		List<String> all = Gateway.route(index, name + "-route", name, List.of(url(name)));
		Arrays.stream(settings).map((setting) -> "gateway-bench.upstreams." + name + "." + setting).forEach(all::add);
		return all;
	}

	@AfterAll
	void stop() throws IOException {
		this.running.close();
		for (RawUpstream upstream : this.upstreams.values()) {
			upstream.close();
		}
		this.sessions.close();
	}

	@Test
	void theBundleOfAnUpstreamSaysWhomToTrust() throws Exception {
		for (int i = 0; i < 3; i++) {
			assertThat(get("trusted").text()).startsWith("{\"a\":1,\"_gateway\":");
		}
	}

	@Test
	void anUpstreamWithoutABundleHasToHaveACertificateThatEveryoneTrusts() throws Exception {
		assertThat(get("unknown").status()).isEqualTo(502);
		assertThat(this.upstreams.get("unknown").pendingRequests()).isZero();
	}

	@Test
	void aCertificateForAnotherHostIsRefused() throws Exception {
		assertThat(get("other").status()).isEqualTo(502);
		assertThat(this.upstreams.get("other").pendingRequests()).isZero();
	}

	@Test
	void theBundleSaysWhichCertificateToShow() throws Exception {
		assertThat(get("shown").status()).isEqualTo(200);
		assertThat(get("hidden").status()).isEqualTo(502);
	}

	@Test
	void webSocketsUseTheBundle() throws Exception {
		try (WebSocketPeer client = WebSocketPeer.client(this.running.port(), "/sessions/x")) {
			WebSocketContract.assertEchoes(client);
		}
		try (WebSocketPeer client = WebSocketPeer.client(this.running.port(), "/unknown/x")) {
			assertThat(client.readMessage().status()).isEqualTo(502);
		}
	}

	@Test
	void healthChecksUseTheBundle() throws Exception {
		assertThat(this.upstreams.get("checked").requestOf("/actuator/health").startLine()).startsWith("GET ");
		assertThat(get("checked").status()).isEqualTo(200);
	}

	/**
	 * The bundle of the client, for upstreams that have none.
	 */
	@Test
	void healthChecksTrustWhomTheClientForUpstreamsTrusts() throws Exception {
		List<String> properties = new ArrayList<>(trust("orders", this.certificate));
		properties.addAll(show("orders", this.certificate));
		properties.add((this.gateway.flavour() == Flavour.WEBFLUX)
				? this.gateway.nativePrefix() + ".httpclient.ssl.ssl-bundle=orders"
				: "spring.http.clients.ssl.bundle=orders");
		properties.add("gateway-bench.upstreams.service.health-check.enabled=true");
		try (RawUpstream upstream = upstream(this.certificate, true);
				RunningGateway running = this.gateway.startWithRoute(List.of(upstream.url().replace("http:", "https:")),
						properties.toArray(String[]::new))) {
			assertThat(HttpExchange.get(running.port(), "/service/x").status()).isEqualTo(200);
			assertThat(upstream.requestOf("/actuator/health").startLine()).startsWith("GET ");
		}
	}

	private Message get(String route) throws IOException {
		return HttpExchange.get(this.running.port(), "/" + route + "/x");
	}

	private String url(String name) {
		return this.upstreams.get(name).url().replace("http:", "https:");
	}

	private static RawUpstream upstream(Path certificate, boolean asksForCertificate) throws Exception {
		RawUpstream upstream = new RawUpstream(bundle(certificate).createSslContext(), asksForCertificate);
		upstream.answer(TwoInstances.OBJECT);
		return upstream;
	}

	private static SslBundle bundle(Path certificate) throws Exception {
		KeyStore store = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(certificate)) {
			store.load(in, PASSWORD.toCharArray());
		}
		return SslBundle.of(SslStoreBundle.of(store, PASSWORD, store), SslBundleKey.of(PASSWORD));
	}

	private static List<String> trust(String bundle, Path certificate) {
		return store(bundle, "truststore", certificate);
	}

	private static List<String> show(String bundle, Path certificate) {
		return store(bundle, "keystore", certificate);
	}

	private static List<String> store(String bundle, String kind, Path certificate) {
		String store = "spring.ssl.bundle.jks.%s.%s.".formatted(bundle, kind);
		return List.of(store + "location=file:" + certificate, store + "password=" + PASSWORD, store + "type=PKCS12");
	}

	/**
	 * A key and a certificate that nobody has signed, as the JDK's tool makes them. That
	 * takes a second.
	 * @param directory where to put them
	 * @param name whom the certificate is for
	 */
	static Path certificate(Path directory, String name) throws Exception {
		Path store = directory.resolve(name.replace(':', '-') + ".p12");
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
		command.addAll(Arrays.asList("-genkeypair", "-alias", "upstream", "-keyalg", "EC", "-dname", "CN=upstream",
				"-ext", "san=" + name, "-validity", "30", "-storetype", "PKCS12", "-storepass", PASSWORD, "-keystore",
				store.toString()));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes());
		assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
		assertThat(process.exitValue()).as(output).isZero();
		return store;
	}

}
