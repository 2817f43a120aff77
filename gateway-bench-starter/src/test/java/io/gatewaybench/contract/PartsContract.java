package io.gatewaybench.contract;

import java.io.IOException;
import java.util.List;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Uploads of files pass as they are sent, also where the application reads such uploads
 * itself, and where something asks for the parameters of the request first.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PartsContract {

	private static final String QUERY = "q=1+2&b&c=%7e";

	private static final String BOUNDARY = "b0undary";

	private final Gateway gateway;

	private RawUpstream upstream;

	private RunningGateway running;

	PartsContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.upstream = new RawUpstream();
		List<String> all = this.gateway.nativeRoute(0, "native", "/native/**", this.upstream.url(), List.of());
		all.add("%s.routes[0].predicates[1]=Query=q".formatted(this.gateway.nativePrefix()));
		all.addAll(this.gateway.nativeRoute(1, "named", "/named/**", "rr://service", List.of()));
		all.add("%s.routes[1].predicates[1]=Query=q".formatted(this.gateway.nativePrefix()));
		all.addAll(List.of("spring.servlet.multipart.enabled=true", "spring.mvc.hiddenmethod.filter.enabled=true",
				"spring.webflux.hiddenmethod.filter.enabled=true", "gateway-bench.scope=all"));
		this.running = this.gateway.startWithRoute(List.of(this.upstream.url()), all.toArray(String[]::new));
	}

	@AfterAll
	void stop() throws IOException {
		this.running.close();
		this.upstream.close();
	}

	@BeforeEach
	void startOver() throws IOException {
		this.upstream.startOver();
	}

	@ParameterizedTest
	@CsvSource({ "POST, service, true, 10", "POST, service, false, 3000000", "POST, native, true, 3000000",
			"POST, native, false, 10", "POST, named, true, 3000000", "PUT, native, true, 10" })
	void anUploadOfFilesArrivesAsItWasSent(String method, String path, boolean chunked, int size) throws Exception {
		String body = "--%1$s\r\nContent-Disposition: form-data; name=\"_method\"\r\n\r\nDELETE\r\n".formatted(BOUNDARY)
				+ "--%1$s\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f.txt\"\r\n\r\n%2$s\r\n--%1$s--\r\n"
					.formatted(BOUNDARY, "x".repeat(size));
		String framing = chunked
				? "Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n".formatted(body.length(), body)
				: "Content-Length: %d\r\n\r\n%s".formatted(body.length(), body);
		Message response = HttpExchange.send(this.running.port(),
				"%s /%s/x?%s HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n".formatted(method, path, QUERY)
						+ "Content-Type: multipart/form-data; boundary=%s\r\n%s".formatted(BOUNDARY, framing));
		assertThat(response.status()).isEqualTo(204);
		Message request = this.upstream.request();
		assertThat(request.startLine()).isEqualTo("%s /x?%s HTTP/1.1".formatted(method, QUERY));
		assertThat(request.text()).isEqualTo(body);
		assertThat(request.header("Content-Type")).isEqualTo("multipart/form-data; boundary=" + BOUNDARY);
	}

}
