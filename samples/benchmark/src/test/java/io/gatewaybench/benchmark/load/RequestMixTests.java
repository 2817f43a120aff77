package io.gatewaybench.benchmark.load;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class RequestMixTests {

	@Test
	void theSharesAreThoseOfTheWeightsAndPathsAreDrawnUniformly() {
		LoadPlan plan = Plans.builder(Model.CLOSED)
			.mix(type("heavy", 40, "/h"), type("data", 35, "/d1", "/d2"), type("process", 25, "/p"))
			.build();
		int draws = 100_000;
		Map<String, Integer> counts = new HashMap<>();
		RequestMix mix = new RequestMix(plan.workload().mix(), plan.target());
		SplittableRandom random = new SplittableRandom(42);
		for (int i = 0; i < draws; i++) {
			counts.merge(mix.next(random).label(), 1, Integer::sum);
		}
		assertThat(counts).hasSize(4);
		assertShare(counts.get("GET /h"), draws, 0.40);
		assertShare(counts.get("GET /d1"), draws, 0.175);
		assertShare(counts.get("GET /d2"), draws, 0.175);
		assertShare(counts.get("GET /p"), draws, 0.25);
	}

	// Within five standard deviations of the binomial distribution
	private static void assertShare(int count, int draws, double share) {
		double deviation = Math.sqrt(draws * share * (1 - share));
		assertThat((double) count).isCloseTo(draws * share, within(5 * deviation));
	}

	@Test
	void theSameSeedDrawsTheSameRequests() {
		LoadPlan plan = Plans.builder(Model.CLOSED).mix(type("a", 1, "/1", "/2"), type("b", 2, "/3")).build();
		RequestMix mix = new RequestMix(plan.workload().mix(), plan.target());
		SplittableRandom one = new SplittableRandom(3);
		SplittableRandom other = new SplittableRandom(3);
		for (int i = 0; i < 1_000; i++) {
			assertThat(mix.next(one)).isSameAs(mix.next(other));
		}
	}

	@Test
	void aRequestIsEncodedWithItsHostHeadersAndLength() {
		RequestType type = new RequestType("post", 1, "POST", List.of("/a?b=c"), Map.of("Accept", "text/plain"),
				"hällo", new Expectation(200, 0, null));
		assertThat(encoded(type)).isEqualTo("POST /a?b=c HTTP/1.1\r\nHost: 127.0.0.1:1\r\nAccept: text/plain\r\n"
				+ "Content-Length: 6\r\n\r\nhällo");
	}

	@Test
	void aHostHeaderOfTheTypeReplacesThatOfTheTarget() {
		RequestType type = new RequestType("get", 1, "GET", List.of("/"), Map.of("host", "example.org"), null,
				new Expectation(200, 0, null));
		assertThat(encoded(type)).isEqualTo("GET / HTTP/1.1\r\nhost: example.org\r\n\r\n");
	}

	private static String encoded(RequestType type) {
		return new RequestMix(List.of(type), URI.create("http://127.0.0.1:1")).next(new SplittableRandom(1))
			.bytes()
			.toString(StandardCharsets.UTF_8);
	}

	private static RequestType type(String name, double weight, String... paths) {
		return new RequestType(name, weight, "GET", List.of(paths), Map.of(), null, new Expectation(200, 0, null));
	}

}
