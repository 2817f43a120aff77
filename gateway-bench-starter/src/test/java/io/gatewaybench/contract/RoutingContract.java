package io.gatewaybench.contract;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Random;

import com.github.tomakehurst.wiremock.WireMockServer;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.binaryEqualTo;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where requests go, and what of them and of the responses has to stay as it was.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoutingContract {

	private final Gateway gateway;

	private final WireMockServer upstream = Upstreams.wireMock();

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private RawUpstream rawUpstream;

	private RunningGateway running;

	RoutingContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeAll
	void start() throws IOException {
		this.upstream.start();
		this.rawUpstream = new RawUpstream();
		this.running = this.gateway.startWithRoute(List.of(this.upstream.baseUrl()),
				"gateway-bench.routes[1].id=whole-path", "gateway-bench.routes[1].path=/whole/**",
				"gateway-bench.routes[1].upstream=service", "gateway-bench.routes[1].strip-prefix=0",
				"gateway-bench.routes[2].id=two-parts", "gateway-bench.routes[2].path=/one/two/**",
				"gateway-bench.routes[2].upstream=service", "gateway-bench.routes[2].strip-prefix=2",
				"gateway-bench.upstreams.raw.instances=" + this.rawUpstream.url(), "gateway-bench.routes[3].id=raw",
				"gateway-bench.routes[3].path=/raw/**", "gateway-bench.routes[3].upstream=raw");
	}

	@AfterAll
	void stop() throws IOException {
		this.running.close();
		this.rawUpstream.close();
		this.upstream.stop();
	}

	@BeforeEach
	void answerEverything() {
		this.upstream.resetAll();
		this.upstream.stubFor(any(anyUrl()).willReturn(aResponse().withBody("hello")));
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			/service/api/hello,  /api/hello
			/service/api/,       /api/
			/service/,           /
			/service,            /
			/whole/api/hello,    /whole/api/hello
			/one/two/api,        /api
			/one/two,            /
			""")
	void thePrefixIsStripped(String requested, String received) throws Exception {
		assertThat(HttpExchange.get(this.running.port(), requested).status()).isEqualTo(200);
		assertThat(lastTarget()).isEqualTo(received);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/a%20b", "/%C3%A9t%C3%A9", "/a+b", "/a%2Bb", "/a;v=1/b", "/~user/-_.!$&'()*,=:@",
			"/%7Euser", "/deep/er/and/deeper", "/%e2%82%ac" })
	void anEncodedPathIsPreservedByteForByte(String path) throws Exception {
		assertPreserved(path);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/a%25b", "/double//slash" })
	// Jetty refuses them as ambiguous, with 400
	@Tag(SmokeContracts.CONTAINER)
	void aPathThatACautiousContainerRefusesIsPreservedByteForByte(String path) throws Exception {
		assertPreserved(path);
	}

	private void assertPreserved(String path) throws Exception {
		assertThat(HttpExchange.get(this.running.port(), "/raw" + path).status()).isEqualTo(204);
		assertThat(this.rawUpstream.request().target()).isEqualTo(path);
	}

	@ParameterizedTest
	@ValueSource(strings = { "?a=1", "?a", "?a=", "?a&b", "?a=1&a=2&b=3&a=4", "?b=2&a=1", "?q=a+b", "?q=a%20b",
			"?q=%2B%26%3D", "?q=%C3%A9", "?q=%c3%a9", "?&&a=1&", "?a==b", "?q=a/b?c", "?x;y=z" })
	void aQueryIsPreservedByteForByte(String query) throws Exception {
		assertThat(HttpExchange.get(this.running.port(), "/raw/search" + query).status()).isEqualTo(204);
		assertThat(this.rawUpstream.request().target()).isEqualTo("/search" + query);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 1000, 100_000, 3_000_000 })
	void aBodyReachesTheUpstreamByteForByte(int size) throws Exception {
		byte[] body = new byte[size];
		new Random(size).nextBytes(body);
		HttpResponse<String> response = this.client
			.send(request("/service/upload").header("Content-Type", "application/octet-stream")
				.POST(BodyPublishers.ofByteArray(body))
				.build(), BodyHandlers.ofString());
		assertThat(response.statusCode()).isEqualTo(200);
		this.upstream.verify(1, (size == 0) ? postRequestedFor(urlEqualTo("/upload"))
				: postRequestedFor(urlEqualTo("/upload")).withRequestBody(binaryEqualTo(body)));
	}

	@Test
	void aChunkedRequestBodyReachesTheUpstream() throws Exception {
		Message response = HttpExchange.send(this.running.port(), """
				POST /service/upload HTTP/1.1\r
				Host: gateway\r
				Connection: close\r
				Transfer-Encoding: chunked\r
				Content-Type: text/plain\r
				\r
				5\r
				hello\r
				7\r
				, world\r
				0\r
				\r
				""");
		assertThat(response.status()).isEqualTo(200);
		assertThat(this.upstream.getAllServeEvents().get(0).getRequest().getBodyAsString()).isEqualTo("hello, world");
	}

	@ParameterizedTest
	@ValueSource(strings = { "GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS" })
	void everyMethodReachesTheUpstream(String method) throws Exception {
		HttpResponse<String> response = this.client.send(
				request("/service/resource").method(method, BodyPublishers.ofString("body")).build(),
				BodyHandlers.ofString());
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(this.upstream.getAllServeEvents().get(0).getRequest().getMethod().getName()).isEqualTo(method);
	}

	@ParameterizedTest
	@ValueSource(ints = { 200, 201, 202, 204, 301, 304, 400, 401, 404, 409, 418, 429, 500, 502, 503 })
	void theStatusOfTheUpstreamReachesTheClient(int status) throws Exception {
		this.upstream.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(status)));
		assertThat(HttpExchange.get(this.running.port(), "/service/status").status()).isEqualTo(status);
	}

	@Test
	void anErrorBodyOfTheUpstreamReachesTheClient() throws Exception {
		this.upstream.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(503).withBody("come back later")));
		assertThat(HttpExchange.get(this.running.port(), "/service/error").text()).isEqualTo("come back later");
	}

	@Test
	void aResponseWithoutContentHasNone() throws Exception {
		this.upstream.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(204)));
		Message response = HttpExchange.get(this.running.port(), "/service/nothing");
		assertThat(response.body()).isEmpty();
		assertThat(response.header("Transfer-Encoding")).isNull();
	}

	@Test
	void headHasTheHeadersOfGetAndNoBody() throws Exception {
		this.upstream.stubFor(any(anyUrl())
			.willReturn(aResponse().withHeader("Content-Type", "application/json").withBody("{\"a\": 1}")));
		Message response = HttpExchange.send(this.running.port(),
				"HEAD /service/api HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n\r\n");
		assertThat(response.status()).isEqualTo(200);
		assertThat(response.header("Content-Type")).isEqualTo("application/json");
		assertThat(response.body()).isEmpty();
		assertThat(this.upstream.getAllServeEvents().get(0).getRequest().getMethod().getName()).isEqualTo("HEAD");
	}

	@Test
	void aPathWithoutRouteIsNotFound() throws Exception {
		assertThat(HttpExchange.get(this.running.port(), "/elsewhere").status()).isEqualTo(404);
		assertThat(this.upstream.getAllServeEvents()).isEmpty();
	}

	private String lastTarget() {
		return this.upstream.getAllServeEvents().get(0).getRequest().getUrl();
	}

	private HttpRequest.Builder request(String target) {
		return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + this.running.port() + target));
	}

}
