package io.gatewaybench.contract;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslStoreBundle;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Upstreams with {@code https}, each with certificates of its own.
 */
class TlsContract {

	static final String PASSWORD = "password";

	private static final String BUNDLE = "spring.ssl.bundle.jks.orders.";

	private static final String UPSTREAM = "gateway-bench.upstreams.service.";

	private final Gateway gateway;

	@TempDir
	private static Path directory;

	private RawUpstream upstream;

	TlsContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@AfterEach
	void stopUpstream() throws IOException {
		if (this.upstream != null) {
			this.upstream.close();
		}
	}

	@Test
	void theBundleOfAnUpstreamSaysWhomToTrust() throws Exception {
		Path certificate = certificate("ip:127.0.0.1");
		start(certificate, false);
		try (RunningGateway running = start(trust(certificate))) {
			for (int i = 0; i < 3; i++) {
				assertThat(get(running).text()).startsWith("{\"a\":1,\"_gateway\":");
			}
		}
	}

	@Test
	void anUpstreamWithoutABundleHasToHaveACertificateThatEveryoneTrusts() throws Exception {
		start(certificate("ip:127.0.0.1"), false);
		try (RunningGateway running = start(List.of())) {
			assertThat(get(running).status()).isEqualTo(502);
			assertThat(this.upstream.pendingRequests()).isZero();
		}
	}

	@Test
	void aCertificateForAnotherHostIsRefused() throws Exception {
		Path certificate = certificate("ip:127.0.0.2");
		start(certificate, false);
		try (RunningGateway running = start(trust(certificate))) {
			assertThat(get(running).status()).isEqualTo(502);
			assertThat(this.upstream.pendingRequests()).isZero();
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void theBundleSaysWhichCertificateToShow(boolean shown) throws Exception {
		Path certificate = certificate("ip:127.0.0.1");
		start(certificate, true);
		List<String> properties = new ArrayList<>(trust(certificate));
		if (shown) {
			properties.addAll(show(certificate));
		}
		try (RunningGateway running = start(properties)) {
			assertThat(get(running).status()).isEqualTo(shown ? 200 : 502);
		}
	}

	@Test
	void healthChecksUseTheBundle() throws Exception {
		Path certificate = certificate("ip:127.0.0.1");
		start(certificate, false);
		List<String> properties = new ArrayList<>(trust(certificate));
		properties.add(UPSTREAM + "health-check.enabled=true");
		try (RunningGateway running = start(properties)) {
			assertThat(this.upstream.requestOf("/actuator/health").startLine()).startsWith("GET ");
			assertThat(get(running).status()).isEqualTo(200);
		}
	}

	/**
	 * The bundle of the client, for upstreams that have none.
	 */
	@Test
	void healthChecksTrustWhomTheClientForUpstreamsTrusts() throws Exception {
		Path certificate = certificate("ip:127.0.0.1");
		start(certificate, true);
		List<String> properties = new ArrayList<>(trust(certificate));
		properties.set(0,
				(this.gateway.flavour() == Flavour.WEBFLUX)
						? this.gateway.nativePrefix() + ".httpclient.ssl.ssl-bundle=orders"
						: "spring.http.clients.ssl.bundle=orders");
		properties.addAll(show(certificate));
		properties.add(UPSTREAM + "health-check.enabled=true");
		try (RunningGateway running = start(properties)) {
			assertThat(get(running).status()).isEqualTo(200);
			assertThat(this.upstream.requestOf("/actuator/health").startLine()).startsWith("GET ");
		}
	}

	private static Message get(RunningGateway running) throws IOException {
		return HttpExchange.get(running.port(), "/service/x");
	}

	private void start(Path certificate, boolean asksForCertificate) throws Exception {
		KeyStore store = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(certificate)) {
			store.load(in, PASSWORD.toCharArray());
		}
		SslBundle bundle = SslBundle.of(SslStoreBundle.of(store, PASSWORD, store), SslBundleKey.of(PASSWORD));
		this.upstream = new RawUpstream(bundle.createSslContext(), asksForCertificate);
		this.upstream.answer(TwoInstances.OBJECT);
	}

	private RunningGateway start(List<String> properties) {
		return this.gateway.startWithRoute(List.of(this.upstream.url().replace("http:", "https:")),
				properties.toArray(String[]::new));
	}

	private static List<String> trust(Path certificate) {
		return List.of(UPSTREAM + "ssl.bundle=orders", BUNDLE + "truststore.location=file:" + certificate,
				BUNDLE + "truststore.password=" + PASSWORD, BUNDLE + "truststore.type=PKCS12");
	}

	private static List<String> show(Path certificate) {
		return List.of(BUNDLE + "keystore.location=file:" + certificate, BUNDLE + "keystore.password=" + PASSWORD,
				BUNDLE + "keystore.type=PKCS12");
	}

	private static Path certificate(String name) throws Exception {
		return certificate(directory, name);
	}

	/**
	 * A key and a certificate that nobody has signed, as the JDK's tool makes them. That
	 * takes seconds, so those that are there are taken again.
	 * @param directory where to put them
	 * @param name whom the certificate is for
	 */
	static Path certificate(Path directory, String name) throws Exception {
		Path store = directory.resolve(name.replace(':', '-') + ".p12");
		if (Files.exists(store)) {
			return store;
		}
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
