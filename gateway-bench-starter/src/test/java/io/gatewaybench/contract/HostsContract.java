package io.gatewaybench.contract;

import java.io.EOFException;
import java.io.IOException;
import java.util.List;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nothing that a client sends can choose the host that its request goes to.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostsContract {

	private final Gateway gateway;

	private RawUpstream upstream;

	private RawUpstream evil;

	private RunningGateway running;

	HostsContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.upstream = new RawUpstream();
		this.evil = new RawUpstream();
		this.running = this.gateway.startWithRoute(List.of(this.upstream.url()), "gateway-bench.routes[1].id=all",
				"gateway-bench.routes[1].path=/**", "gateway-bench.routes[1].upstream=service",
				"gateway-bench.routes[1].strip-prefix=0", this.gateway.nativePrefix() + ".routes[0].id=native",
				this.gateway.nativePrefix() + ".routes[0].uri=" + this.upstream.url(),
				this.gateway.nativePrefix() + ".routes[0].predicates[0]=Path=/native/**");
	}

	@AfterAll
	void stop() throws IOException {
		this.running.close();
		this.upstream.close();
		this.evil.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "//EVIL/x", "///EVIL/x", "/\\EVIL/x", "\\\\EVIL/x", "/%5CEVIL/x", "/%2F%2FEVIL/x",
			"/%2FEVIL/x", "http://EVIL/x", "http://EVIL/service/x", "http://EVIL/native/x", "https://EVIL/service/x",
			"http://user:pass@EVIL/service/x", "http:/EVIL/service/x", "@EVIL/x", "/@EVIL/x", "EVIL", "*",
			"/service//EVIL/x", "/service///EVIL/x", "/service/\\EVIL/x", "/service/%5C%5CEVIL/x",
			"/service/%2F%2FEVIL/x", "/service/@EVIL/x", "/service@EVIL/x", "/service/:@EVIL/x", "/service:80@EVIL/x",
			"/service/http://EVIL/x", "/service/%2e%2e//EVIL/x", "/service/..//EVIL/x", "/service/?@EVIL/x",
			"/service/x?url=http://EVIL/", "/service/#@EVIL/x", "/service;@EVIL/x", "/service/%00@EVIL/x",
			"/service/x%0d%0aHost:%20EVIL", "/service/x%0d%0a%0d%0aGET%20http://EVIL/%20HTTP/1.1", "/native//EVIL/x",
			"/native/@EVIL/x", "/native/\\EVIL/x", "/native/%2F%2FEVIL/x", "/native/x%0d%0aHost:%20EVIL" })
	void theTargetDoesNotChooseTheHost(String target) throws Exception {
		check("GET %s HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n\r\n"
			.formatted(target.replace("EVIL", "127.0.0.1:" + this.evil.port())));
	}

	@ParameterizedTest
	@ValueSource(strings = { "Host: EVIL", "Host: gateway\r\nX-Forwarded-Host: EVIL",
			"Host: gateway\r\nForwarded: host=EVIL", "Host: gateway\r\nX-Original-URL: http://EVIL/",
			"Host: gateway\r\nX-Rewrite-URL: //EVIL/", "Host: gateway\r\nX-Forwarded-Prefix: //EVIL",
			"Host: gateway\r\nX-Forwarded-Port: PORT", "Host: user@EVIL", "Host: gateway@EVIL", "Host:",
			"Host: gateway\r\nHost: EVIL", "Host: gateway\rHost: EVIL", "Host: gateway\nX: EVIL" })
	void aHeaderDoesNotChooseTheHost(String headers) throws Exception {
		String evil = "127.0.0.1:" + this.evil.port();
		String lines = headers.replace("EVIL", evil).replace("PORT", String.valueOf(this.evil.port()));
		check("GET /service/x HTTP/1.1\r\n%s\r\nConnection: close\r\n\r\n".formatted(lines));
		check("GET /native/x HTTP/1.1\r\n%s\r\nConnection: close\r\n\r\n".formatted(lines));
	}

	/**
	 * Either refused, or passed to where the route leads: one request, no more, with that
	 * address as its host.
	 */
	private void check(String request) throws Exception {
		try {
			int status = HttpExchange.send(this.running.port(), request).status();
			assertThat(status).isIn(204, 400, 404, 421);
		}
		catch (EOFException ex) {
			// Refused without a word
		}
		assertThat(this.evil.acceptedConnections()).isZero();
		assertThat(this.upstream.pendingRequests()).isLessThanOrEqualTo(1);
		if (this.upstream.pendingRequests() == 1) {
			Message received = this.upstream.request();
			assertThat(received.headers("Host")).containsExactly("127.0.0.1:" + this.upstream.port());
			assertThat(received.target()).startsWith("/");
			assertThat(received.startLine()).endsWith(" HTTP/1.1");
		}
	}

}
