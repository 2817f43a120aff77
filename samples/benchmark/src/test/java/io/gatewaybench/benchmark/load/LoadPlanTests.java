package io.gatewaybench.benchmark.load;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LoadPlanTests {

	private static final RequestType TYPE = type("data", "/api/data");

	private static final Workload OPEN = new Workload(Model.OPEN, List.of(TYPE), 4, Duration.ZERO);

	private static final Workload CLOSED = new Workload(Model.CLOSED, List.of(TYPE), 4, Duration.ofMillis(5));

	private static final Stage FIXED_RATE = new Stage("measure", Stage.Kind.MEASURE, Duration.ofSeconds(2), 12.5,
			Arrivals.POISSON);

	private static final Timeouts TIMEOUTS = new Timeouts(Duration.ofMillis(1500), Duration.ofSeconds(10));

	@Test
	void aPlanIsTheSameAfterAWayThroughJson() {
		LoadPlan plan = new LoadPlan("webflux-100", URI.create("http://127.0.0.1:8080"), OPEN, TIMEOUTS, 42);
		JsonMapper mapper = JsonMapper.builder().build();
		String json = mapper.writeValueAsString(plan);
		assertThat(json).contains("\"connect\":\"PT1.5S\"", "\"target\":\"http://127.0.0.1:8080\"");
		assertThat(mapper.readValue(json, LoadPlan.class)).isEqualTo(plan);
	}

	@ParameterizedTest
	@ValueSource(strings = { "ftp://localhost", "http://localhost/api", "localhost:8080", "http://a@localhost",
			"http://localhost?a=b", "http://a;rm", "http://a#b", "a" })
	void aTargetThatIsNoHttpOriginIsRefused(String target) {
		assertThatIllegalArgumentException().isThrownBy(() -> new LoadPlan("id", URI.create(target), OPEN, TIMEOUTS, 1))
			.withMessageContaining("'" + target + "'")
			.withMessageContaining("http://host:port");
	}

	@Test
	void thePortDefaultsToThatOfHttp() {
		assertThat(new LoadPlan("id", URI.create("http://localhost"), OPEN, TIMEOUTS, 1).port()).isEqualTo(80);
	}

	@Test
	void anIdThatLeavesItsDirectoryIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new LoadPlan("../id", URI.create("http://localhost"), OPEN, TIMEOUTS, 1))
			.withMessageContaining("'../id'");
	}

	@Test
	void iterationsAreRefusedInTheOpenModel() {
		assertThatIllegalArgumentException().isThrownBy(() -> Plans.iterations(FIXED_RATE, 5))
			.withMessageContaining("stage 'measure' has iterations 5; choose 0 or more, and 0 in the open model");
	}

	@Test
	void moreConnectionsThanThoseOfTheWorkloadAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> plan(OPEN).check(Plans.on(5, FIXED_RATE), false))
			.withMessageContaining("stage 'measure' has connections 5; choose at most the 4 of the workload");
	}

	@Test
	void twoTypesOfOneNameAreRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new Workload(Model.OPEN, List.of(TYPE, TYPE), 1, Duration.ZERO))
			.withMessageContaining("data, data");
	}

	@Test
	void thinkTimeIsRefusedInTheOpenModel() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new Workload(Model.OPEN, List.of(TYPE), 1, Duration.ofMillis(1)))
			.withMessageContaining("workload.thinkTime is PT0.001S");
	}

	@ParameterizedTest
	@ValueSource(strings = { "api", "/with space", "/new\nline", "/ä" })
	void aPathThatCannotBeSentIsRefused(String path) {
		assertThatIllegalArgumentException().isThrownBy(() -> type("data", path))
			.withMessageContaining("data.paths is '" + path + "'");
	}

	@Test
	void aHeaderThatBreaksTheFramingIsRefused() {
		Expectation any = new Expectation(200, 0, null);
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new RequestType("data", 1, "GET", List.of("/"), Map.of("X-A", "b\r\nC: d"), null, any))
			.withMessageContaining("data.headers is 'X-A");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new RequestType("data", 1, "GET", List.of("/"), Map.of("Content-length", "5"), null, any))
			.withMessageContaining("data.headers is 'Content-length'; the engine sets it itself");
	}

	@Test
	void aTimeoutLongerThanTheHistogramIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new Timeouts(Duration.ofSeconds(1), Duration.ofSeconds(121)))
			.withMessageContaining("timeouts.response is PT2M1S")
			.withMessageContaining("120 s");
	}

	private static LoadPlan plan(Workload workload) {
		return new LoadPlan("id", URI.create("http://localhost"), workload, TIMEOUTS, 1);
	}

	private static RequestType type(String name, String path) {
		return new RequestType(name, 1, "GET", List.of(path), Map.of(), null, new Expectation(200, 0, null));
	}

}
