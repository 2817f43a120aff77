package io.gatewaybench.contract;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Bytes that an upstream sends after the end of a response are never the beginning of the
 * next one, which is for another client (RFC 9112, section 6.3). A request that meets a
 * connection with such bytes on it is lost, as any other whose connection breaks, if
 * there is no other instance that could answer it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ResponseEndContract {

	private static final String GOOD = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

	private static final int CASES = 6;

	private final Gateway gateway;

	/**
	 * One for each case: none meets a connection that another one has spoilt.
	 */
	private final List<RawUpstream> upstreams = new ArrayList<>();

	private RunningGateway running;

	private int cases;

	ResponseEndContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		List<String> routes = new ArrayList<>();
		for (int i = 0; i < CASES; i++) {
			this.upstreams.add(new RawUpstream());
			routes.addAll(Gateway.route(i, "route-" + i, "upstream-" + i, List.of(this.upstreams.get(i).url())));
		}
		this.running = this.gateway.start(routes.toArray(String[]::new));
	}

	@AfterAll
	void stop() throws IOException {
		this.running.close();
		for (RawUpstream upstream : this.upstreams) {
			upstream.close();
		}
	}

	@ParameterizedTest
	@CsvSource({ "GET, 200, HTTP/1.1 200 OK|Content-Length: 2||okHTTP/1.1 200 OK|Content-Length: 4||evil",
			"GET, 200, HTTP/1.1 200 OK|Transfer-Encoding: chunked||2|ok|0||HTTP/1.1 200 OK|Content-Length: 4||evil",
			"GET, 200, HTTP/1.1 200 OK|Content-Length: 2||okevil",
			"GET, 204, HTTP/1.1 204 No Content|Content-Length: 2||ok",
			"GET, 304, HTTP/1.1 304 Not Modified|Content-Length: 2||ok",
			"HEAD, 200, HTTP/1.1 200 OK|Content-Length: 2||ok" })
	void whatComesAfterAResponseIsNeverTheNextOne(String method, int status, String response) throws Exception {
		String target = "/upstream-%d/x".formatted(this.cases);
		RawUpstream upstream = this.upstreams.get(this.cases++);
		upstream.answer((out) -> out.write(response.replace("|", "\r\n").getBytes(StandardCharsets.US_ASCII)));
		Message first = HttpExchange.send(this.running.port(),
				"%s %s HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n\r\n".formatted(method, target));
		assertThat(first.status()).isEqualTo(status);
		assertThat(first.text()).isEqualTo((status == 200 && method.equals("GET")) ? "ok" : "");
		upstream.answer(GOOD);
		List<String> next = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			next.add(HttpExchange.get(this.running.port(), target).text());
		}
		assertThat(next).isSubsetOf("ok", Problems.BROKEN).last().isEqualTo("ok");
	}

}
