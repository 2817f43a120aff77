package io.gatewaybench.samples.service;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.util.TestSocketUtils;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.equalToJson;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.getRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the services of both flavours do, over real sockets. As bodies are compared with
 * what is written here, both flavours send the same bytes.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ServiceContract {

	private static final String USER = "{\"name\":\"J\u00fcrgen\"}";

	private static final String PERSON = "{\"firstName\": \"Ada\", \"lastName\": \"Lovelace\"}";

	private static final String FAILED = "The downstream service could not be reached or failed";

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final Class<?> application;

	private final List<String> proxies;

	private final List<String> properties;

	private WireMockServer downstream;

	private RunningService service;

	/**
	 * A contract.
	 * @param application main class of the service
	 * @param proxies names of its proxies
	 * @param properties what it is started with
	 */
	protected ServiceContract(Class<?> application, List<String> proxies, String... properties) {
		this.application = application;
		this.proxies = proxies;
		this.properties = List.of(properties);
	}

	List<String> proxies() {
		return this.proxies;
	}

	@BeforeAll
	void start() {
		// The port is the same when it starts again
		this.downstream = new WireMockServer(
				options().port(TestSocketUtils.findAvailableTcpPort()).globalTemplating(true));
		this.downstream.start();
		this.service = startService();
	}

	private RunningService startService(String... more) {
		List<String> arguments = new ArrayList<>(List.of("--server.port=0",
				"--management.endpoints.web.exposure.include=*", "--spring.reactor.netty.shutdown-quiet-period=0s",
				"--services.user.url=" + this.downstream.baseUrl(),
				"--services.registration.url=" + this.downstream.baseUrl()));
		Stream.concat(this.properties.stream(), Stream.of(more))
			.map((property) -> "--" + property)
			.forEach(arguments::add);
		SpringApplication application = new SpringApplication(this.application);
		application.setBannerMode(Banner.Mode.OFF);
		application.setRegisterShutdownHook(false);
		return new RunningService(application.run(arguments.toArray(String[]::new)));
	}

	@AfterAll
	void stop() {
		this.client.shutdownNow();
		this.service.close();
		this.downstream.stop();
	}

	@BeforeEach
	void answer() {
		this.downstream.resetAll();
		this.downstream.stubFor(get(urlPathEqualTo("/user")).willReturn(okJson(USER)));
		this.downstream.stubFor(
				post("/registrations").willReturn(okJson("{\"id\":\"{{randomValue type='UUID'}}\"}").withStatus(201)));
	}

	@Test
	void theServiceIsHealthy() {
		assertThat(fetch("/actuator/health").statusCode()).isEqualTo(200);
	}

	@Test
	void everyEndpointMayBeExposed() {
		assertThat(fetch("/actuator").body()).contains("\"beans\"").contains("\"env\"");
	}

	@Test
	void helloIsAText() {
		HttpResponse<String> response = fetch("/test");
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.headers().allValues("Content-Type")).containsExactly("text/plain;charset=UTF-8");
		assertThat(response.headers().allValues("Content-Length")).containsExactly("8");
		assertThat(response.body()).isEqualTo("Test OK!");
	}

	@ParameterizedTest
	@MethodSource("proxies")
	void aProxyAnswersWithItsNameAndTheUser(String proxy) {
		HttpResponse<String> response = fetch("/" + proxy + "?delay=7");
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.headers().allValues("Content-Type")).containsExactly("text/plain;charset=UTF-8");
		assertThat(response.body()).isEqualTo(proxy + ": " + USER);
		this.downstream.verify(1, anyRequestedFor(anyUrl()));
		this.downstream.verify(1, getRequestedFor(urlEqualTo("/user?delay=7")));
	}

	@ParameterizedTest
	@MethodSource("proxies")
	void aUserMayBeEmpty(String proxy) {
		answerAllWith(ok());
		assertThat(fetch("/" + proxy + "?delay=7").body()).isEqualTo(proxy + ": ");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "?delay", "?delay=", "?delay=soon", "?delay=1.5", "?delay=-1", "?delay=60001",
			"?delay=99999999999" })
	void aDelayThatCannotBeHadIsRefused(String query) {
		for (String proxy : this.proxies) {
			assertProblem(fetch("/" + proxy + query), 400, "Bad Request",
					"delay takes a whole number of milliseconds from 0 to 60000");
		}
		this.downstream.verify(0, anyRequestedFor(anyUrl()));
	}

	@Test
	void aPersonIsCreatedWithTheIdOfTheRegistration() {
		answerPostsWith(okJson("{\"id\":\"a-1\"}").withStatus(201));
		HttpResponse<String> response = register(PERSON);
		assertThat(response.statusCode()).isEqualTo(201);
		assertThat(response.headers().allValues("Location")).containsExactly("/persons/a-1");
		assertThat(response.headers().allValues("Content-Type")).containsExactly("application/json");
		assertThat(response.body()).isEqualTo("{\"id\":\"a-1\"}");
		this.downstream.verify(1, anyRequestedFor(anyUrl()));
		this.downstream.verify(1,
				postRequestedFor(urlEqualTo("/registrations")).withHeader("Content-Type", equalTo("application/json"))
					.withRequestBody(equalToJson(PERSON)));
	}

	@Test
	void anIdIsOneSegmentOfTheLocation() {
		answerPostsWith(okJson("{\"id\":\"a b/\u00fc\"}"));
		assertThat(register(PERSON).headers().allValues("Location")).containsExactly("/persons/a%20b%2F%C3%BC");
	}

	@Test
	void aHundredPersonsAtOnceGetAHundredIds() {
		List<CompletableFuture<HttpResponse<String>>> responses = IntStream.range(0, 100)
			.mapToObj((i) -> this.service.post("/persons", PERSON, "application/json").build())
			.map((request) -> this.client.sendAsync(request, BodyHandlers.ofString()))
			.toList();
		assertThat(responses).extracting((response) -> response.join().headers().firstValue("Location").orElseThrow())
			.doesNotHaveDuplicates();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			{"firstName": "Ada"}                     | lastName must not be blank
			{"firstName": "\\t ", "lastName": null}  | firstName must not be blank, lastName must not be blank
			{"name": "Ada"}                          | firstName must not be blank, lastName must not be blank
			{"firstName": "A", "lastName": "LONG"}   | lastName must not be longer than 100 characters
			""")
	void aPersonThatBreaksARuleIsRefused(String body, String detail) {
		assertProblem(register(body.replace("LONG", "x".repeat(101))), 400, "Bad Request", detail);
		this.downstream.verify(0, anyRequestedFor(anyUrl()));
	}

	@Test
	void whatIsWrongIsToldInOneLanguage() {
		HttpResponse<String> response = send(
				this.service.post("/persons", "{\"firstName\": \"Ada\"}", "application/json")
					.header("Accept-Language", "de"));
		assertProblem(response, 400, "Bad Request", "lastName must not be blank");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "{", "Ada", "[]", "\"Ada\"", "null", "{'firstName': 'Ada'}",
			"{\"firstName\": {}}", "{\"firstName\": [\"Ada\"], \"lastName\": \"Lovelace\"}" })
	void whatIsNoPersonIsRefused(String body) {
		assertProblem(register(body), 400, "Bad Request",
				"The body takes JSON such as {\\\"firstName\\\": \\\"Ada\\\", \\\"lastName\\\": \\\"Lovelace\\\"}");
		this.downstream.verify(0, anyRequestedFor(anyUrl()));
	}

	@ParameterizedTest
	@ValueSource(strings = { "text/plain", "application/xml", "application/x-www-form-urlencoded" })
	void anotherContentTypeIsRefused(String contentType) {
		HttpResponse<String> response = send(this.service.post("/persons", PERSON, contentType));
		assertProblem(response, 415, "Unsupported Media Type", "Content-Type '" + contentType + "' is not supported.");
		assertThat(response.headers().allValues("Accept")).containsExactly("application/json");
	}

	@Test
	void anotherMethodIsRefused() {
		HttpResponse<String> response = fetch("/persons");
		assertThat(response.statusCode()).isEqualTo(405);
		assertThat(response.headers().allValues("Allow")).containsExactly("POST");
	}

	@ParameterizedTest
	@EnumSource(Fault.class)
	void aConnectionThatBreaksIsABadGateway(Fault fault) {
		answerAllWith(aResponse().withFault(fault));
		assertEverythingFails(502, "Bad Gateway", FAILED);
	}

	@ParameterizedTest
	@ValueSource(ints = { 400, 404, 500, 503 })
	void anErrorIsABadGateway(int status) {
		answerAllWith(aResponse().withStatus(status).withBody("out of order"));
		assertEverythingFails(502, "Bad Gateway", FAILED);
		this.downstream.verify(this.proxies.size() + 1, anyRequestedFor(anyUrl()));
	}

	@Test
	void aPortThatNobodyListensOnIsABadGateway() {
		this.downstream.stop();
		try {
			assertEverythingFails(502, "Bad Gateway", FAILED);
		}
		finally {
			this.downstream.start();
		}
	}

	@Test
	void whatTakesTooLongIsAGatewayTimeout() {
		// Two in one JVM would share the event loops that the first one to close stops
		this.service.close();
		this.service = startService("spring.http.clients.read-timeout=200ms");
		try {
			for (ResponseDefinitionBuilder slow : List.of(okJson("{}").withFixedDelay(10_000),
					okJson("{\"id\": \"1\"}").withChunkedDribbleDelay(2, 10_000))) {
				answerAllWith(slow);
				assertEverythingFails(504, "Gateway Timeout", "The downstream service did not answer in time");
			}
		}
		finally {
			this.service.close();
			this.service = startService();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{}", "{\"id\": null}", "{\"id\": \" \"}", "id", "[]" })
	void aRegistrationWithoutAnIdIsABadGateway(String body) {
		answerPostsWith(okJson(body));
		assertProblem(register(PERSON), 502, "Bad Gateway", FAILED);
	}

	private void answerAllWith(ResponseDefinitionBuilder response) {
		this.downstream.stubFor(any(anyUrl()).willReturn(response));
	}

	private void answerPostsWith(ResponseDefinitionBuilder response) {
		this.downstream.stubFor(post("/registrations").willReturn(response));
	}

	private void assertEverythingFails(int status, String title, String detail) {
		Stream
			.concat(this.proxies.stream().map((proxy) -> this.service.get("/" + proxy + "?delay=0")),
					Stream.of(this.service.post("/persons", PERSON, "application/json")))
			.map((request) -> this.client.sendAsync(request.build(), BodyHandlers.ofString()))
			.toList()
			.forEach((response) -> assertProblem(response.join(), status, title, detail));
	}

	private static void assertProblem(HttpResponse<String> response, int status, String title, String detail) {
		assertThat(response.body()).isEqualTo("{\"detail\":\"%s\",\"instance\":\"%s\",\"status\":%d,\"title\":\"%s\"}"
			.formatted(detail, response.uri().getPath(), status, title));
		assertThat(response.statusCode()).isEqualTo(status);
		assertThat(response.headers().allValues("Content-Type")).containsExactly("application/problem+json");
	}

	private HttpResponse<String> fetch(String target) {
		return send(this.service.get(target));
	}

	private HttpResponse<String> register(String body) {
		return send(this.service.post("/persons", body, "application/json"));
	}

	private HttpResponse<String> send(HttpRequest.Builder request) {
		return this.client.sendAsync(request.build(), BodyHandlers.ofString()).join();
	}

	/**
	 * A service that accepts requests.
	 *
	 * @param context its application context
	 */
	private record RunningService(ConfigurableApplicationContext context) {

		HttpRequest.Builder get(String target) {
			String port = this.context.getEnvironment().getProperty("local.server.port");
			return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + target));
		}

		HttpRequest.Builder post(String target, String body, String contentType) {
			return get(target).header("Content-Type", contentType).POST(BodyPublishers.ofString(body));
		}

		void close() {
			this.context.close();
		}

	}

}
