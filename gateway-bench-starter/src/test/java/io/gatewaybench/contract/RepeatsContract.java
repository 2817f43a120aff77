package io.gatewaybench.contract;

import java.io.IOException;
import java.util.List;

import io.gatewaybench.contract.Gateway.RunningGateway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How often a request comes to an upstream that breaks off. Only the gateway knows what
 * may be repeated, and tells how often it was: no client underneath repeats anything.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RepeatsContract {

	private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

	private final Gateway gateway;

	private RawUpstream upstream;

	private RawUpstream another;

	private RunningGateway one;

	private RunningGateway both;

	RepeatsContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.upstream = new RawUpstream();
		this.another = new RawUpstream();
		this.one = this.gateway.startWithRoute(List.of(this.upstream.url()));
		this.both = this.gateway.startWithRoute(List.of(this.upstream.url(), this.another.url()),
				"gateway-bench.load-balancing.ejection.enabled=false");
	}

	@AfterAll
	void stop() throws IOException {
		this.one.close();
		this.both.close();
		this.upstream.close();
		this.another.close();
	}

	@BeforeEach
	void startOver() throws IOException {
		this.upstream.startOver();
		this.another.startOver();
	}

	@ParameterizedTest
	@CsvSource({ "GET, false", "GET, true", "HEAD, false", "PUT, false", "PUT, true", "DELETE, false", "DELETE, true",
			"POST, false", "POST, true" })
	void eachAttemptIsCountedAndEachRetry(String method, boolean reset) throws Exception {
		use(this.one, 1);
		double attempts = this.one.upstreamEvents("requests");
		double retries = this.one.upstreamEvents("retries");
		this.upstream.answer((out) -> breakOff(reset));
		assertThat(request(this.one, method)).isEqualTo(502);
		int came = this.upstream.pendingRequests();
		assertThat(came).isBetween(1, method.equals("POST") ? 1 : 2);
		assertThat(this.one.upstreamEvents("requests") - attempts).isEqualTo(came);
		assertThat(this.one.upstreamEvents("retries") - retries).isEqualTo(came - 1);
	}

	@ParameterizedTest
	@CsvSource({ "GET, false", "GET, true", "PUT, false", "DELETE, true", "POST, false" })
	void noInstanceGetsARequestTwice(String method, boolean reset) throws Exception {
		use(this.both, 2);
		double attempts = this.both.upstreamEvents("requests");
		this.upstream.answer((out) -> breakOff(reset));
		this.another.answer((out) -> breakOff(reset));
		assertThat(request(this.both, method)).isEqualTo(502);
		assertThat(this.upstream.pendingRequests()).isLessThanOrEqualTo(1);
		assertThat(this.another.pendingRequests()).isLessThanOrEqualTo(1);
		int came = this.upstream.pendingRequests() + this.another.pendingRequests();
		assertThat(came).isEqualTo(method.equals("POST") ? 1 : 2);
		assertThat(this.both.upstreamEvents("requests") - attempts).isEqualTo(came);
	}

	/**
	 * Leave connections behind that have been used.
	 */
	private void use(RunningGateway running, int times) throws Exception {
		this.upstream.answer(OK);
		this.another.answer(OK);
		for (int i = 0; i < times; i++) {
			assertThat(HttpExchange.get(running.port(), "/service/x").text()).isEqualTo("ok");
		}
		for (int i = 0; i < times; i++) {
			(this.upstream.pendingRequests() > 0 ? this.upstream : this.another).request();
		}
	}

	private static int request(RunningGateway running, String method) throws IOException {
		String length = (method.equals("PUT") || method.equals("POST")) ? "Content-Length: 0\r\n" : "";
		return HttpExchange
			.send(running.port(),
					method + " /service/x HTTP/1.1\r\nHost: gateway\r\n" + length + "Connection: close\r\n\r\n")
			.status();
	}

	private static void breakOff(boolean reset) throws IOException {
		throw reset ? new RawUpstream.Reset() : new IOException("Closed by the test");
	}

}
