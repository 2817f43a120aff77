package io.gatewaybench.upstream;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.gatewaybench.internal.upstream.HealthCheckSettings;
import io.gatewaybench.metrics.GatewayMetrics;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.Assert;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class HealthChecksTests {

	private static final Duration INTERVAL = Duration.ofMillis(100);

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final CountDownLatch end = new CountDownLatch(1);

	private final Checked checked = new Checked();

	private final Checked other = new Checked();

	private Upstream upstream;

	@BeforeEach
	void createUpstream() {
		this.upstream = Upstream.roundRobin("service", List.of(this.checked.instance(), this.other.instance()));
	}

	@AfterEach
	void stop() {
		this.end.countDown();
		this.checked.server.stop(0);
		this.other.server.stop(0);
		this.threads.shutdownNow();
	}

	@Test
	void anInstanceIsAskedAsConfiguredByWhoeverSaysSo() {
		try (HealthChecks checks = start()) {
			assertThat(this.checked.requests).hasPositiveValue();
			assertThat(this.checked.last).isEqualTo("GET /health?deep=no HTTP/1.1 gateway-bench-health-check");
		}
	}

	@Test
	void whatIsDownWhenItBeginsIsKnownAtOnce() {
		this.checked.server.stop(0);
		try (HealthChecks checks = start()) {
			assertThat(take()).containsOnly(this.other.instance());
		}
	}

	@Test
	void aRedirectIsNoAnswerAndNotFollowed() {
		this.checked.answer = (exchange) -> {
			exchange.getResponseHeaders().add("Location", this.other.instance().target("/elsewhere", null).toString());
			respond(exchange, 302);
		};
		try (HealthChecks checks = start()) {
			assertThat(take()).containsOnly(this.other.instance());
			assertThat(this.other.last).startsWith("GET /health");
		}
	}

	/**
	 * As a look-up of its name may, in the same thread.
	 */
	@Test
	void anInstanceThatHoldsAThreadUpIsNoFaultOfAnother() {
		SSLContext blocking = new SSLContext(new BlockingTls(this.end), null, "blocking") {
		};
		Upstream secured = new Upstream("secured", Map.of(new Instance("https", "127.0.0.1:1"), 1),
				new UpstreamSettings(UpstreamTimeouts.NONE, EjectionSettings.OFF, null, "bundle"));
		Upstreams both = new Upstreams(List.of(secured, this.upstream));
		HealthCheckSettings settings = new HealthCheckSettings(Map.of("secured", "/health", "service", "/health"),
				INTERVAL, Duration.ofMillis(500));
		try (HealthChecks checks = HealthChecks.start(both, settings, GatewayMetrics.disabled(),
				(bundle) -> (bundle != null) ? blocking : null)) {
			eventually(() -> assertThat(secured.status()).first()
				.extracting(InstanceStatus::checkFailure)
				.asString()
				.contains("no answer"));
			int before = this.checked.requests.get();
			eventually(() -> assertThat(this.checked.requests).hasValueGreaterThan(before + 2));
			assertThat(this.upstream.status()).extracting(InstanceStatus::checkFailure).containsOnlyNulls();
		}
	}

	/**
	 * They take all places all the time, so the last ones would never have their turn.
	 */
	@Test
	void manySilentInstancesKeepNoOtherFromBeingChecked() throws Exception {
		this.checked.answer = (exchange) -> respond(exchange, 503);
		try (ServerSocket silent = new ServerSocket(0, 1_000)) {
			Map<Instance, Integer> instances = new LinkedHashMap<>();
			for (int i = 0; i < 300; i++) {
				instances.put(
						new Instance("http", "127.0.%d.%d:%d".formatted(i / 200, i % 200 + 1, silent.getLocalPort())),
						1);
			}
			instances.put(this.checked.instance(), 1);
			Upstream many = new Upstream("service", instances, UpstreamSettings.NONE);
			HealthCheckSettings settings = new HealthCheckSettings(Map.of("service", "/health"), INTERVAL,
					Duration.ofMillis(200));
			try (HealthChecks checks = HealthChecks.start(new Upstreams(List.of(many)), settings,
					GatewayMetrics.disabled(), (bundle) -> null)) {
				eventually(() -> assertThat(this.checked.requests).hasPositiveValue());
			}
		}
	}

	@Test
	void thereIsOneCheckOfAnInstanceAtATime() {
		AtomicInteger most = new AtomicInteger();
		AtomicInteger running = new AtomicInteger();
		try (HealthChecks checks = start()) {
			this.checked.answer = (exchange) -> {
				most.accumulateAndGet(running.incrementAndGet(), Math::max);
				int others = this.other.requests.get();
				eventually(() -> assertThat(this.other.requests).hasValueGreaterThan(others + 2));
				running.decrementAndGet();
				respond(exchange, 200);
			};
			int before = this.checked.requests.get();
			eventually(() -> assertThat(this.checked.requests).hasValueGreaterThan(before + 2));
		}
		assertThat(most).hasValue(1);
	}

	@Test
	void anInstanceThatStartsToFailIsLoggedOnceAndSoIsItsReturn(CapturedOutput output) {
		try (HealthChecks checks = start()) {
			this.checked.answer = (exchange) -> respond(exchange, 503);
			eventually(() -> assertThat(take()).containsOnly(this.other.instance()));
			int before = this.checked.requests.get();
			eventually(() -> assertThat(this.checked.requests).hasValueGreaterThan(before + 3));
			this.checked.answer = (exchange) -> respond(exchange, 204);
			eventually(() -> assertThat(take()).contains(this.checked.instance()));
		}
		String authority = this.checked.instance().authority();
		assertThat(output)
			.containsOnlyOnce("Upstream 'service' ejected instance %s, as its health check fails: status 503"
				.formatted(authority))
			.containsOnlyOnce("Upstream 'service' sends requests to instance %s again".formatted(authority));
	}

	@Test
	void ofTwoThatFailTheLastOneStaysOnlyUntilTheOtherIsBack() {
		this.checked.answer = (exchange) -> respond(exchange, 500);
		this.other.answer = (exchange) -> respond(exchange, 500);
		try (HealthChecks checks = start()) {
			List<Instance> kept = take();
			assertThat(kept).containsOnly(kept.get(0));
			Checked back = kept.contains(this.checked.instance()) ? this.other : this.checked;
			back.answer = (exchange) -> respond(exchange, 200);
			eventually(() -> assertThat(take()).containsOnly(back.instance()));
		}
	}

	@Test
	void anAnswerThatNeverEndsIsGivenUp() throws Exception {
		CountDownLatch released = new CountDownLatch(1);
		this.checked.answer = (exchange) -> {
			try {
				exchange.sendResponseHeaders(200, 0);
				byte[] part = new byte[8192];
				while (true) {
					exchange.getResponseBody().write(part);
				}
			}
			finally {
				released.countDown();
			}
		};
		try (HealthChecks checks = start()) {
			released.await();
			assertThat(take()).contains(this.checked.instance());
		}
	}

	@Test
	void anAnswerThatComesTooSlowlyIsNone() {
		this.checked.answer = (exchange) -> {
			exchange.sendResponseHeaders(200, 10);
			exchange.getResponseBody().write(1);
			exchange.getResponseBody().flush();
			awaitEnd();
		};
		try (HealthChecks checks = start(Duration.ofSeconds(1))) {
			assertThat(take()).containsOnly(this.other.instance());
		}
	}

	@Test
	void instancesThatComeAreCheckedAndThoseThatGoAreNotAnyMore() {
		Checked late = new Checked();
		try (HealthChecks checks = start()) {
			late.answer = (exchange) -> respond(exchange, 503);
			Map<Instance, Integer> changed = new LinkedHashMap<>();
			changed.put(late.instance(), 1);
			changed.put(this.other.instance(), 1);
			this.upstream.replace(changed);
			eventually(() -> assertThat(take()).containsOnly(this.other.instance()));
			int before = this.checked.requests.get();
			int others = this.other.requests.get();
			eventually(() -> assertThat(this.other.requests).hasValueGreaterThan(others + 3));
			assertThat(this.checked.requests.get()).isBetween(before, before + 1);
		}
		finally {
			late.server.stop(0);
		}
	}

	@Test
	void upstreamsThatAreNotToBeCheckedAreNot() {
		try (HealthChecks checks = HealthChecks.start(upstreams(),
				new HealthCheckSettings(Map.of("another", "/health"), INTERVAL, INTERVAL), GatewayMetrics.disabled(),
				HealthChecksTests::noBundle)) {
			assertThat(this.checked.requests).hasValue(0);
		}
	}

	@Test
	void nothingIsLeftOnceItIsClosed() {
		Set<String> before = threadsOfClients();
		closeInTheMiddleOfACheck();
		eventually(() -> {
			// Before Java 21 a client ends only when it is collected
			System.gc();
			assertThat(before).containsAll(threadsOfClients());
		});
	}

	// A method of its own, because a variable of the test would keep the checks reachable
	@Test
	void anErrorCostsOneRoundOfChecks(CapturedOutput output) {
		AtomicInteger errors = new AtomicInteger(3);
		try (HealthChecks checks = HealthChecks.start(upstreams(),
				new HealthCheckSettings(Map.of("service", "/health"), INTERVAL, Duration.ofSeconds(20)),
				GatewayMetrics.disabled(), (bundle) -> {
					if (errors.getAndDecrement() > 0) {
						throw new OutOfMemoryError("By the test");
					}
					return noBundle(bundle);
				})) {
			eventually(() -> assertThat(this.checked.requests).hasPositiveValue());
			assertThat(output).containsOnlyOnce("A health check failed. It goes on.");
		}
	}

	private void closeInTheMiddleOfACheck() {
		HealthChecks checks = start();
		int answered = this.checked.requests.get();
		this.checked.answer = (exchange) -> awaitEnd();
		eventually(() -> assertThat(this.checked.requests).hasValueGreaterThan(answered));
		assertThat(threadsOfClients()).contains(HealthChecks.THREAD_NAME);
		checks.close();
		checks.close();
	}

	private HealthChecks start() {
		return start(Duration.ofSeconds(20));
	}

	private HealthChecks start(Duration timeout) {
		return HealthChecks.start(upstreams(),
				new HealthCheckSettings(Map.of("service", "/health?deep=no"), INTERVAL, timeout),
				GatewayMetrics.disabled(), HealthChecksTests::noBundle);
	}

	private static SSLContext noBundle(String name) {
		Assert.isNull(name, "Nobody needs a bundle");
		return null;
	}

	private Upstreams upstreams() {
		return new Upstreams(List.of(this.upstream));
	}

	private List<Instance> take() {
		return Stream.generate(() -> this.upstream.next(InstanceChooser.Request.NONE).instance()).limit(4).toList();
	}

	private static Set<String> threadsOfClients() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("HttpClient-") || name.equals(HealthChecks.THREAD_NAME))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static void eventually(ThrowingRunnable assertion) {
		Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(assertion);
	}

	private void awaitEnd() throws IOException {
		try {
			this.end.await();
		}
		catch (InterruptedException ex) {
			throw new IOException(ex);
		}
	}

	private static void respond(HttpExchange exchange, int status) throws IOException {
		exchange.sendResponseHeaders(status, -1);
	}

	/**
	 * An instance that is asked.
	 */
	private final class Checked {

		private final AtomicInteger requests = new AtomicInteger();

		private final HttpServer server;

		private volatile Answer answer = (exchange) -> respond(exchange, 200);

		private volatile String last;

		Checked() {
			try {
				this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
			}
			catch (IOException ex) {
				throw new IllegalStateException(ex);
			}
			this.server.setExecutor(HealthChecksTests.this.threads);
			this.server.createContext("/", this::handle);
			this.server.start();
		}

		Instance instance() {
			return new Instance("http", "127.0.0.1:" + this.server.getAddress().getPort());
		}

		private void handle(HttpExchange exchange) throws IOException {
			try (exchange) {
				this.last = "%s %s %s %s".formatted(exchange.getRequestMethod(), exchange.getRequestURI(),
						exchange.getProtocol(), exchange.getRequestHeaders().getFirst("User-Agent"));
				this.requests.incrementAndGet();
				this.answer.to(exchange);
			}
		}

	}

	/**
	 * Makes whoever opens a connection wait.
	 */
	private static final class BlockingTls extends SSLContextSpi {

		private final CountDownLatch end;

		BlockingTls(CountDownLatch end) {
			this.end = end;
		}

		@Override
		protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random) {
		}

		@Override
		protected SSLEngine engineCreateSSLEngine() {
			try {
				this.end.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			throw new IllegalStateException("The test has ended");
		}

		@Override
		protected SSLEngine engineCreateSSLEngine(String host, int port) {
			return engineCreateSSLEngine();
		}

		@Override
		protected SSLParameters engineGetDefaultSSLParameters() {
			return new SSLParameters();
		}

		@Override
		protected SSLParameters engineGetSupportedSSLParameters() {
			return new SSLParameters();
		}

		@Override
		protected SSLSocketFactory engineGetSocketFactory() {
			throw new UnsupportedOperationException();
		}

		@Override
		protected SSLServerSocketFactory engineGetServerSocketFactory() {
			throw new UnsupportedOperationException();
		}

		@Override
		protected SSLSessionContext engineGetServerSessionContext() {
			throw new UnsupportedOperationException();
		}

		@Override
		protected SSLSessionContext engineGetClientSessionContext() {
			throw new UnsupportedOperationException();
		}

	}

	private interface Answer {

		void to(HttpExchange exchange) throws IOException;

	}

}
