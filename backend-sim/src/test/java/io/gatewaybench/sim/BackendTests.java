package io.gatewaybench.sim;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class BackendTests {

	private TestServer server;

	@BeforeEach
	void start() throws IOException {
		this.server = TestServer.withoutDelay();
	}

	@AfterEach
	void stop() {
		this.server.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/api/hello", "/api/data", "/api/heavy", "/user", "/sim/stats" })
	void everyResponseNamesItsInstanceAndCannotBeCached(String path) throws Exception {
		HttpResponse<String> response = this.server.get(path);
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
		assertThat(response.headers().allValues("X-Backend-Instance")).containsExactly(TestServer.NAME);
		assertThat(response.headers().allValues("Cache-Control")).containsExactly("no-store");
		assertThat(response.headers().firstValue("Date")).isPresent();
		assertThat(response.headers().map()).doesNotContainKeys("etag", "last-modified", "expires");
		assertThat(response.headers().firstValueAsLong("Content-Length")).hasValue(response.body().length());
		assertThat(response.body()).doesNotContain("_gateway");
	}

	@Test
	void helloIsSmall() throws Exception {
		assertThat(TestServer.json(this.server.get("/api/hello")).get("message").asString()).isNotEmpty();
		assertThat(this.server.get("/api/hello").body()).hasSizeLessThan(200);
	}

	@Test
	void dataHasThirtyTwoItemsInFiveKilobytes() throws Exception {
		HttpResponse<String> response = this.server.get("/api/data");
		JsonNode items = TestServer.json(response).get("items");
		assertThat(items).hasSize(32).allSatisfy((item) -> {
			assertThat(UUID.fromString(item.get("id").asString()).version()).isEqualTo(4);
			assertThat(item.get("timestamp").asString()).matches("[0-9T:.-]+Z");
			assertThat(item.get("value").asDouble()).isBetween(0.0, 1.0);
		});
		assertThat(response.body().length()).isBetween(4_700, 5_300);
	}

	@Test
	void heavyHasHundredAndTwentyEightNestedItemsInFiftyKilobytes() throws Exception {
		HttpResponse<String> response = this.server.get("/api/heavy");
		JsonNode items = TestServer.json(response).get("items");
		assertThat(items).hasSize(128).allSatisfy((item) -> {
			assertThat(item.get("metadata").isObject()).isTrue();
			assertThat(item.get("tags").size()).isEqualTo(3);
			assertThat(item.get("description").asString()).isNotEmpty();
		});
		assertThat(response.body().length()).isBetween(48_000, 53_000);
	}

	@Test
	void preparedBodiesAreTheSameOnEveryStart() throws Exception {
		List<String> paths = List.of("/api/hello", "/api/data", "/api/heavy", "/user");
		List<String> bodies = new ArrayList<>();
		for (String path : paths) {
			bodies.add(this.server.get(path).body());
		}
		this.server.close();
		this.server = TestServer.withoutDelay();
		for (String path : paths) {
			assertThat(this.server.get(path).body()).isEqualTo(bodies.remove(0));
		}
	}

	@Test
	void anotherSeedGivesOtherPreparedBodies() throws Exception {
		String body = this.server.get("/api/heavy").body();
		this.server.close();
		this.server = new TestServer(ProfileReader.read("p.yml", "seed: 2").withoutDelay());
		assertThat(this.server.get("/api/heavy").body()).isNotEqualTo(body);
	}

	@Test
	void generatedBodiesAreBuiltPerRequestWithTheSameShape() throws Exception {
		JsonNode prepared = TestServer.json(this.server.get("/api/heavy"));
		this.server.close();
		this.server = new TestServer(ProfileReader.read("p.yml", "payload: generated").withoutDelay());
		Set<String> bodies = new HashSet<>();
		for (int i = 0; i < 5; i++) {
			HttpResponse<String> response = this.server.get("/api/heavy");
			assertThat(bodies.add(response.body())).isTrue();
			assertThat(response.body().length()).isBetween(48_000, 53_000);
			assertThat(TestServer.json(response).get("items").get(0).propertyNames())
				.containsExactlyElementsOf(prepared.get("items").get(0).propertyNames());
		}
		assertThat(TestServer.json(this.server.get("/api/data")).get("items")).hasSize(32);
		assertThat(TestServer.json(this.server.post("/api/process", "{\"a\": 1}")).get("request").get("a").asInt())
			.isEqualTo(1);
		assertThat(this.server.post("/api/process", "{\"a\": ").statusCode()).isEqualTo(400);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"name\": \"J\u00fcrgen\", \"list\": [1, 2.50, {}]}", "[]", "1", " \"text\" ", "null" })
	void processWrapsTheRequest(String body) throws Exception {
		HttpResponse<String> response = this.server.post("/api/process", body);
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.body()).isEqualTo(
				"{\"status\":\"processed\",\"processedAt\":\"2025-12-11T08:00:00.123Z\",\"request\":" + body + "}");
	}

	@Test
	void userIsSmallAndTakesAsLongAsTheRequestAsks() throws Exception {
		JsonNode user = TestServer.json(this.server.get("/user?delay=20"));
		assertThat(UUID.fromString(user.get("id").asString()).version()).isEqualTo(4);
		assertThat(user.get("name").asString()).isNotEmpty();
		assertThat(user.get("email").asString()).contains("@");
		assertThat(this.server.get("/user?delay=0").body()).hasSizeBetween(95, 105);
		assertThat(this.server.stats().at("/endpoints/user/intendedMs/mean").asDouble()).isEqualTo(10.0);
	}

	@ParameterizedTest
	@ValueSource(strings = { "prepared", "generated" })
	void everyRegistrationIsCreatedWithAnotherId(String payload) throws Exception {
		this.server.close();
		this.server = new TestServer(ProfileReader.read("p.yml", "payload: " + payload).withoutDelay());
		Set<String> ids = new HashSet<>();
		for (int i = 0; i < 100; i++) {
			HttpResponse<String> response = this.server.post("/registrations", "{\"firstName\": \"Ada\"}");
			assertThat(response.statusCode()).isEqualTo(201);
			assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
			assertThat(response.body()).matches("\\{\"id\":\"[0-9a-f]{16}\"}");
			ids.add(response.body());
		}
		assertThat(ids).hasSize(100);
	}

	@Test
	void aRegistrationTakesTwoHundredMillisecondsByDefault() throws Exception {
		this.server.close();
		this.server = new TestServer(Profile.defaults());
		this.server.post("/registrations", "{}");
		assertThat(this.server.stats().at("/endpoints/registrations/intendedMs/mean").asDouble()).isEqualTo(200.0);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "   ", "{", "{} {}", "{} x", "{'a': 1}", "text", "{\"a\": 01}", "\ufeff{}", "[1,]",
			"1\u0000" })
	void whatIsNoJsonIsRefused(String body) throws Exception {
		for (String path : List.of("/api/process", "/registrations")) {
			HttpResponse<String> response = this.server.post(path, body);
			assertThat(response.statusCode()).isEqualTo(400);
			assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
			assertThat(TestServer.json(response).get("status").asInt()).isEqualTo(400);
			assertThat(TestServer.json(response).get("detail").asString()).startsWith("The body is ");
		}
	}

	@Test
	void processTakesBodiesUpToTheLimit() throws Exception {
		String body = "\"" + "x".repeat(BackendConnection.MAX_BODY - 2) + "\"";
		assertThat(this.server.post("/api/process", body).body()).endsWith(body + "}");
		assertThat(this.server.post("/api/process", body + " ").statusCode()).isEqualTo(413);
	}

	@Test
	void anUploadOfAnyKindHasASmallAnswer() throws Exception {
		HttpResponse<String> response = this.server.post("/api/upload", "x".repeat(BackendConnection.MAX_BODY));
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.body()).isEqualTo(this.server.get("/api/hello").body());
		assertThat(this.server.post("/api/upload", "x".repeat(BackendConnection.MAX_BODY + 1)).statusCode())
			.isEqualTo(413);
	}

	@Test
	void chunkedBodiesHaveTheSameLimit() throws Exception {
		byte[] body = new byte[BackendConnection.MAX_BODY + 1];
		HttpResponse<String> response = this.server.send(this.server.request("/api/process")
			.POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body))));
		assertThat(response.statusCode()).isEqualTo(413);
		assertThat(response.headers().firstValue("Connection")).hasValue("close");
	}

	@ParameterizedTest
	@CsvSource({ "POST,/api/hello,'GET, HEAD'", "DELETE,/api/data,'GET, HEAD'", "OPTIONS,/api/heavy,'GET, HEAD'",
			"GET,/api/process,POST", "HEAD,/api/process,POST", "POST,/user,'GET, HEAD'", "GET,/registrations,POST",
			"HEAD,/api/events,GET", "POST,/api/lines,GET", "HEAD,/api/socket,GET", "POST,/sim/stats,'GET, HEAD'",
			"GET,/sim/reset,POST", "GET,/sim/fault,POST" })
	void otherMethodsAreRefusedWithTheAllowedOnes(String method, String path, String allow) throws Exception {
		HttpResponse<String> response = this.server
			.send(this.server.request(path).method(method, BodyPublishers.noBody()));
		assertThat(response.statusCode()).isEqualTo(405);
		assertThat(response.headers().firstValue("Allow")).hasValue(allow);
		assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
		assertThat(response.headers().firstValue("X-Backend-Instance")).hasValue(TestServer.NAME);
		assertThat(response.headers().firstValue("Cache-Control")).hasValue("no-store");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "/api", "/api/hello/", "/API/hello", "/api/hello%20", "/sim" })
	void otherPathsAreNotFound(String path) throws Exception {
		HttpResponse<String> response = this.server.get(path);
		assertThat(response.statusCode()).isEqualTo(404);
		assertThat(TestServer.json(response).get("title").asString()).isEqualTo("Not Found");
		assertThat(TestServer.json(response).get("detail").asString()).isEqualTo("No such path, there are "
				+ "/api/hello, /api/data, /api/process, /api/heavy, /user, /registrations, /api/upload, /api/events, /api/lines, /api/socket, /sim/stats, /sim/reset, /sim/fault");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/api/hello", "/api/data", "/api/heavy" })
	void headHasTheFieldsOfGetAndNoBody(String path) throws Exception {
		HttpResponse<String> response = this.server.send(this.server.request(path).HEAD());
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.body()).isEmpty();
		assertThat(response.headers().firstValueAsLong("Content-Length"))
			.hasValue(this.server.get(path).body().length());
	}

	@ParameterizedTest
	@ValueSource(strings = { "-1", "60001", "soon", "" })
	void anIllegalDelayIsRefused(String delay) throws Exception {
		HttpResponse<String> response = this.server.get("/api/hello?delay=" + delay);
		assertThat(response.statusCode()).isEqualTo(400);
		assertThat(TestServer.json(response).get("detail").asString())
			.isEqualTo("delay takes a whole number of milliseconds from 0 to 60000");
	}

	@Test
	void anErrorComesAtOnceAndExactlyAsOftenAsTheProfileSays() throws Exception {
		this.server.close();
		this.server = new TestServer(
				"endpoints: {data: {latency: {distribution: fixed, value: 1}, " + "fault: {every: 3, answer: 503}}}");
		List<Integer> statuses = new ArrayList<>();
		for (int i = 0; i < 6; i++) {
			statuses.add(this.server.get("/api/data").statusCode());
		}
		assertThat(statuses).containsExactly(200, 200, 503, 200, 200, 503);
		assertThat(this.server.get("/api/hello").statusCode()).isEqualTo(200);
		assertThat(this.server.stats().get("refused").asInt()).isEqualTo(2);
	}

	@Test
	void errorsAreCountedAnewAfterAReset() throws Exception {
		this.server.close();
		this.server = new TestServer("endpoints: {data: {fault: {every: 3, answer: 503}}}");
		List<Integer> statuses = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			statuses.add(this.server.get("/api/data?delay=0").statusCode());
			if (i == 1) {
				this.server.post("/sim/reset", "");
			}
		}
		assertThat(statuses).containsExactly(200, 200, 200, 200, 503);
	}

	@Test
	void aRequestThatIsNeverAnsweredEndsWithItsClient() throws Exception {
		this.server.close();
		this.server = new TestServer("endpoints: {data: {fault: {every: 1, answer: never}}}");
		try (Socket socket = this.server.connect()) {
			socket.getOutputStream().write("GET /api/data HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(US_ASCII));
			await().until(() -> this.server.stats().get("inFlight").asInt() == 1);
			assertThat(socket.getInputStream().available()).isZero();
		}
		await().until(() -> this.server.stats().get("inFlight").asInt() == 0);
		assertThat(this.server.stats().get("endpoints").get("data").get("aborted").asInt()).isEqualTo(1);
	}

	@Test
	void theProfilesLatencyIsIntendedAndNeverUndercut() throws Exception {
		this.server.close();
		this.server = new TestServer("endpoints: {data: {latency: {distribution: uniform, min: 2, max: 12}}}");
		for (int i = 0; i < 30; i++) {
			this.server.get("/api/data");
		}
		JsonNode data = this.server.stats().get("endpoints").get("data");
		assertThat(data.get("requests").asInt()).isEqualTo(30);
		assertThat(data.get("intendedMs").get("mean").asDouble()).isBetween(3.0, 11.0);
		assertThat(data.get("achievedMs").get("mean").asDouble())
			.isGreaterThanOrEqualTo(data.get("intendedMs").get("mean").asDouble());
	}

	@Test
	void theRequestedDelayOverridesTheProfile() throws Exception {
		long start = System.nanoTime();
		this.server.get("/api/heavy?delay=50");
		assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(50_000_000L);
		JsonNode heavy = this.server.stats().get("endpoints").get("heavy");
		assertThat(heavy.get("intendedMs").get("mean").asDouble()).isEqualTo(50.0);
		assertThat(heavy.get("achievedMs").get("max").asDouble()).isGreaterThanOrEqualTo(50.0);
	}

	@Test
	void concurrentRequestsAreDelayedSideBySide() {
		long start = System.nanoTime();
		List<CompletableFuture<Integer>> responses = new ArrayList<>();
		for (int i = 0; i < 50; i++) {
			responses.add(CompletableFuture.supplyAsync(() -> {
				try {
					return this.server.get("/api/hello?delay=200").statusCode();
				}
				catch (IOException | InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
			}, (task) -> Thread.ofVirtual().start(task)));
		}
		assertThat(responses).allSatisfy((response) -> assertThat(response.join()).isEqualTo(200));
		assertThat(System.nanoTime() - start).isLessThan(50 * 200_000_000L);
	}

	@Test
	void statsCountAndResetReportsAndClears() throws Exception {
		this.server.get("/api/hello");
		this.server.get("/api/hello");
		this.server.get("/nowhere");
		JsonNode stats = this.server.stats();
		assertThat(stats.get("instance").asString()).isEqualTo(TestServer.NAME);
		assertThat(stats.get("openConnections").asInt()).isPositive();
		assertThat(stats.get("inFlight").asInt()).isZero();
		assertThat(stats.get("refused").asInt()).isEqualTo(1);
		assertThat(stats.get("endpoints").propertyNames()).containsExactly("hello", "data", "process", "heavy", "user",
				"registrations", "upload", "events", "lines", "socket");
		JsonNode hello = stats.get("endpoints").get("hello");
		assertThat(hello.get("requests").asInt()).isEqualTo(2);
		assertThat(hello.get("achievedMs").propertyNames()).containsExactly("mean", "p50", "p90", "p99", "max");
		assertThat(hello.get("overshootMs").get("mean").asDouble())
			.isEqualTo(hello.get("achievedMs").get("mean").asDouble());
		JsonNode reported = TestServer.json(this.server.post("/sim/reset", ""));
		assertThat(reported.get("endpoints")).isEqualTo(stats.get("endpoints"));
		assertThat(this.server.stats().get("endpoints").get("hello").get("requests").asInt()).isZero();
		assertThat(this.server.stats().get("refused").asInt()).isZero();
	}

	@Test
	void resetLetsTheDelaysStartAgain() throws Exception {
		this.server.close();
		this.server = new TestServer("""
				endpoints:
				  hello:
				    latency: {distribution: uniform, min: 0, max: 20}
				""");
		List<Double> first = delaysAfterReset("?seed=7");
		assertThat(delaysAfterReset("?seed=7")).isEqualTo(first);
		assertThat(delaysAfterReset("?seed=8")).isNotEqualTo(first);
		assertThat(delaysAfterReset("")).isEqualTo(delaysAfterReset("?seed=0"));
		HttpResponse<String> refused = this.server.post("/sim/reset?seed=x", "");
		assertThat(refused.statusCode()).isEqualTo(400);
		assertThat(TestServer.json(refused).get("detail").asString()).isEqualTo("seed takes a whole number, not x");
	}

	private List<Double> delaysAfterReset(String query) throws Exception {
		assertThat(this.server.post("/sim/reset" + query, "").statusCode()).isEqualTo(200);
		List<Double> drawn = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			this.server.get("/api/hello");
			drawn.add(this.server.stats().at("/endpoints/hello/intendedMs/mean").asDouble());
		}
		return drawn;
	}

	@Test
	void everyResponseOfAnEndpointTellsHowLongItTook() throws Exception {
		assertThat(took("/api/hello?delay=30")).isBetween(30.0, 10_000.0);
		assertThat(took("/api/heavy")).isBetween(0.0, 10_000.0);
		assertThat(this.server.get("/nowhere").headers().firstValue("Server-Timing")).isEmpty();
		assertThat(this.server.get("/sim/stats").headers().firstValue("Server-Timing")).isEmpty();
	}

	private double took(String path) throws Exception {
		String timing = this.server.get(path).headers().firstValue("Server-Timing").orElseThrow();
		assertThat(timing).matches("backend;dur=[0-9]+\\.[0-9]{3}");
		return Double.parseDouble(timing.substring("backend;dur=".length()));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = {
			"''|kind takes one of refuse, reset, error, slow, closing, early-responses, interim-responses",
			"?kind=refused&for=1s|kind takes one of refuse, reset, error, slow, closing, early-responses, interim-responses",
			"?kind=refuse|for takes a duration from 1ms to 10m, such as 500ms or 7s",
			"?kind=refuse&for=7|for takes a duration from 1ms to 10m, such as 500ms or 7s",
			"?kind=refuse&for=0s|for takes a duration from 1ms to 10m, such as 500ms or 7s",
			"?kind=refuse&for=11m|for takes a duration from 1ms to 10m, such as 500ms or 7s" })
	void aFaultThatIsNotPossibleIsRefused(String query, String detail) throws Exception {
		HttpResponse<String> response = this.server.post("/sim/fault" + query, "");
		assertThat(response.statusCode()).isEqualTo(400);
		assertThat(TestServer.json(response).get("detail").asString()).isEqualTo(detail);
		assertThat(this.server.get("/api/data").statusCode()).isEqualTo(200);
	}

	@Test
	void aFaultHealsByItself() throws Exception {
		JsonNode begun = TestServer.json(this.server.post("/sim/fault?kind=error&for=300ms", ""));
		assertThat(begun.get("instance").asString()).isEqualTo(TestServer.NAME);
		assertThat(begun.get("fault").asString()).isEqualTo("error");
		assertThat(begun.get("millis").asInt()).isEqualTo(300);
		assertThat(this.server.get("/api/data").statusCode()).isEqualTo(500);
		assertThat(this.server.get("/sim/stats").statusCode()).isEqualTo(200);
		await().until(() -> this.server.get("/api/data").statusCode() == 200);
	}

	@Test
	void aFaultTakesThePlaceOfTheOneBefore() throws Exception {
		this.server.post("/sim/fault?kind=error&for=10m", "");
		this.server.post("/sim/fault?kind=closing&for=1ms", "");
		await().until(() -> this.server.get("/api/data").statusCode() == 200);
	}

	@Test
	void slowIsAHundredTimesTheLatency() throws Exception {
		this.server.close();
		this.server = new TestServer("endpoints: {data: {latency: {distribution: fixed, value: 1}}}");
		this.server.post("/sim/fault?kind=slow&for=10m", "");
		this.server.get("/api/data");
		assertThat(this.server.stats().get("endpoints").get("data").get("intendedMs").get("mean").asDouble())
			.isEqualTo(100.0);
	}

}
