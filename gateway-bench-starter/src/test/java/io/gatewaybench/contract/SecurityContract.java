package io.gatewaybench.contract;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A gateway behind Spring Security as Spring Boot configures it: HTTP Basic and forms
 * with a CSRF token.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SecurityContract {

	private static final String CREDENTIALS = "Authorization: Basic dXNlcjpzZWNyZXQ=\r\n";

	private static final String FORM = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n";

	private final Gateway gateway;

	private RawUpstream service;

	private ClosedPort closed;

	private RunningGateway running;

	SecurityContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.service = new RawUpstream();
		this.closed = new ClosedPort();
		this.running = start(Gateway.route(1, "closed", "closed", List.of(this.closed.url())).toArray(String[]::new));
	}

	@AfterAll
	void stop() throws IOException {
		this.running.close();
		this.closed.close();
		this.service.close();
	}

	@BeforeEach
	void startOver() throws IOException {
		this.service.startOver();
		this.service.answer("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nETag: \"1\"\r\n"
				+ "Content-Length: 7\r\n\r\n{\"a\":1}");
	}

	@Test
	void aClientWithoutTheRightCredentialsDoesNotReachTheUpstream() throws Exception {
		for (String credentials : List.of("", "Authorization: Basic dXNlcjp3cm9uZw==\r\n",
				"Authorization: Basic *\r\n")) {
			assertThat(get(this.running, "/service/x", credentials).status()).as(credentials).isEqualTo(401);
		}
		assertThat(this.service.pendingRequests()).isZero();
	}

	@Test
	void aClientWithTheRightCredentialsGetsTheRewrittenResponse() throws Exception {
		Message response = get(this.running, "/service/x", CREDENTIALS);
		assertThat(response.status()).isEqualTo(200);
		assertThat(response.text()).startsWith("{\"a\":1,\"_gateway\":").containsOnlyOnce("_gateway");
		assertThat(response.headers("Content-Length")).containsExactly(String.valueOf(response.body().length));
		assertThat(this.service.request().target()).isEqualTo("/x");
	}

	@Test
	void anErrorOfTheUpstreamIsPassedOn() throws Exception {
		this.service.answer("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 5\r\n\r\nsorry");
		Message response = get(this.running, "/service/x", CREDENTIALS);
		assertThat(response.status()).isEqualTo(500);
		assertThat(response.text()).isEqualTo("sorry");
	}

	@Test
	void anUpstreamThatBreaksOffIsABadGateway() throws Exception {
		this.service.answer((out) -> {
			throw new IOException("Closed by the test");
		});
		Problems.assertProblem(get(this.running, "/service/x", CREDENTIALS), 502, Problems.BROKEN);
	}

	@Test
	void aResponseThatBreaksOffBeforeItLeavesIsABadGateway() throws Exception {
		this.service.answer((out) -> {
			out.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
				.getBytes(StandardCharsets.US_ASCII));
			out.flush();
			throw new IOException("Closed by the test");
		});
		Problems.assertProblem(get(this.running, "/service/x", CREDENTIALS), 502, Problems.BROKEN);
	}

	@Test
	void anUpstreamThatRefusesTheConnectionIsABadGateway() throws Exception {
		Problems.assertProblem(get(this.running, "/closed/x", CREDENTIALS), 502, Problems.REFUSED);
	}

	/**
	 * The filter that checks the token asks for the parameters, which takes the form.
	 */
	@Test
	void aFormWithItsTokenArrivesAsTheClientSentIt() throws Exception {
		this.service.answer("HTTP/1.1 204 No Content\r\n\r\n");
		Token token = token(this.running);
		String form = "a=%7e+b&c&a=2&" + token.parameter() + "&%c3%a9=%C3%A9";
		Message response = post(this.running, CREDENTIALS + token.cookie(), form);
		assertThat(response.status()).isEqualTo(204);
		Message request = this.service.request();
		assertThat(request.text()).isEqualTo(form);
		assertThat(request.headers("Content-Length")).containsExactly(String.valueOf(form.length()));
	}

	@Test
	void aMalformedFormIsABadRequest() throws Exception {
		Token token = token(this.running);
		Message response = post(this.running, CREDENTIALS + token.cookie(), token.parameter() + "&a=%zz");
		// Tomcat shows its error page to those only whom it has let in
		assertThat(response.status()).isIn(400, 401);
		assertThat(this.service.pendingRequests()).isZero();
	}

	/**
	 * The filter that checks the token has to hold all of it.
	 */
	@Test
	// Jetty refuses it itself, with 400
	@Tag(SmokeContracts.CONTAINER)
	void aFormThatIsTooLargeForTheFilterIsRefused() throws Exception {
		Token token = token(this.running);
		int tooLarge = (this.gateway.flavour() == Flavour.WEBFLUX) ? 256 * 1024 : 2 * 1024 * 1024;
		Message response = post(this.running, CREDENTIALS + token.cookie(),
				token.parameter() + "&a=" + "x".repeat(tooLarge));
		assertThat(response.status()).isEqualTo(413);
		assertThat(this.service.pendingRequests()).isZero();
	}

	@Test
	void aFormWithoutItsTokenDoesNotReachTheUpstream() throws Exception {
		Token token = token(this.running);
		int connections = this.service.acceptedConnections();
		for (String form : List.of("a=b", "a=b&_csrf=wrong", "")) {
			assertThat(post(this.running, CREDENTIALS + token.cookie(), form).status()).as(form).isIn(401, 403);
		}
		assertThat(this.service.acceptedConnections()).isEqualTo(connections);
		assertThat(this.service.pendingRequests()).isZero();
	}

	@Test
	void entityTagsAreLeftToTheUpstream() throws Exception {
		this.service
			.answer("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nETag: \"1\"\r\n" + "Content-Length: 2\r\n\r\nok");
		Message response = get(this.running, "/service/x", CREDENTIALS + "If-None-Match: \"1\"\r\n");
		assertThat(response.status()).isEqualTo(200);
		assertThat(response.text()).isEqualTo("ok");
	}

	@Test
	void anUploadThatItsClientBreaksOffIsNoFaultOfTheInstance() throws Exception {
		try (RawUpstream another = new RawUpstream();
				RunningGateway running = start("gateway-bench.upstreams.service.instances[1]=" + another.url(),
						"gateway-bench.load-balancing.ejection.consecutive-failures=1")) {
			Token token = token(running);
			String head = "POST /service/x HTTP/1.1\r\nHost: gateway\r\n" + CREDENTIALS + token.cookie()
					+ "X-CSRF-TOKEN: " + token.value() + "\r\nContent-Length: 1000000\r\n\r\n" + "b".repeat(20_000);
			int before = this.service.acceptedConnections() + another.acceptedConnections();
			for (int i = 1; i <= 4; i++) {
				try (Socket client = new Socket(InetAddress.getLoopbackAddress(), running.port())) {
					client.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
					client.getOutputStream().flush();
					int expected = before + i;
					Awaitility.await()
						.until(() -> this.service.acceptedConnections() + another.acceptedConnections(),
								(accepted) -> accepted >= expected);
				}
			}
			Awaitility.await()
				.until(() -> this.service.openConnections() + another.openConnections(), (open) -> open <= 1);
			assertThat(running.upstreamEvents("ejections")).isZero();
			assertThat(running.upstreamEvents("retries")).isZero();
		}
	}

	@Test
	void theFirewallRefusesWhatItRefusesWithoutTheStarter() throws Exception {
		try (RunningGateway without = this.gateway.startWithNativeRoute(this.service.url(), List.of("StripPrefix=1"),
				OnDemand.SECURITY, "spring.security.user.name=user", "spring.security.user.password=secret",
				OptInContract.WITHOUT_STARTER)) {
			for (String target : List.of("/service/x;a=b", "/service//x", "/service/%2e%2e/x", "/service/a%2fb",
					"/service/a%00b", "/elsewhere")) {
				int before = this.service.pendingRequests();
				int status = get(without, target, CREDENTIALS).status();
				int reached = this.service.pendingRequests();
				assertThat(get(this.running, target, CREDENTIALS).status()).as(target).isEqualTo(status);
				assertThat(this.service.pendingRequests() - reached).as(target).isEqualTo(reached - before);
			}
		}
	}

	private RunningGateway start(String... properties) {
		List<String> all = new ArrayList<>(List.of(OnDemand.SECURITY, "spring.security.user.name=user",
				"spring.security.user.password=secret", "gateway-bench.scope=all"));
		all.addAll(Arrays.asList(properties));
		return this.gateway.startWithRoute(List.of(this.service.url()), all.toArray(String[]::new));
	}

	private static Message get(RunningGateway running, String target, String more) throws IOException {
		return HttpExchange.send(running.port(),
				"GET " + target + " HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n" + more + "\r\n");
	}

	private static Message post(RunningGateway running, String more, String form) throws IOException {
		return HttpExchange.send(running.port(), "POST /service/x HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n"
				+ more + FORM.formatted(form.length()) + "\r\n" + form);
	}

	/**
	 * The token is in the page to sign in.
	 */
	private Token token(RunningGateway running) throws IOException {
		Message page = get(running, "/login", "Accept: text/html\r\n");
		String name = "name=\"_csrf\" type=\"hidden\" value=\"";
		int start = page.text().indexOf(name) + name.length();
		return new Token(page.header("Set-Cookie").split(";")[0],
				page.text().substring(start, page.text().indexOf('"', start)));
	}

	/**
	 * Token against forged requests.
	 *
	 * @param session cookie that it belongs to
	 * @param value the token
	 */
	private record Token(String session, String value) {

		String cookie() {
			return "Cookie: " + this.session + "\r\n";
		}

		String parameter() {
			return "_csrf=" + this.value;
		}

	}

}
