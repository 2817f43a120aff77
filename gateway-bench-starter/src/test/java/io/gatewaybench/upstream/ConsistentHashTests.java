package io.gatewaybench.upstream;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.upstream.InstanceChooser.Request;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

class ConsistentHashTests {

	private static final List<String> KEYS = IntStream.range(0, 20_000).mapToObj((i) -> "user-" + i).toList();

	private static final Instance A = new Instance("http", "10.0.0.1:8080");

	private static final Instance B = new Instance("http", "10.0.0.2:8080");

	private static final Instance C = new Instance("http", "10.0.0.3:8080");

	/**
	 * A version that chose otherwise would move all keys while gateways are replaced.
	 */
	@ParameterizedTest
	@CsvSource({ "'', -1166397803181037274", "a, -9033471704281723301", "user-1, 4729620347622785477",
			"\u00e4\u4e2d, -1276828196787209308" })
	void theHashOfAKeyNeverChanges(String key, long hash) {
		assertThat(ConsistentHash.hash(key)).isEqualTo(hash);
	}

	@Test
	void keysAreSpreadByTheWeights() {
		Map<Instance, Long> shares = places(upstream(0, A, 1, B, 2, C, 1)).values()
			.stream()
			.collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
		assertThat(shares.get(A)).isCloseTo(5_000L, within(300L));
		assertThat(shares.get(B)).isCloseTo(10_000L, within(400L));
		assertThat(shares.get(C)).isCloseTo(5_000L, within(300L));
	}

	@Test
	void onlyTheKeysOfAnInstanceThatGoesMoveAndTheyComeBackWithIt() {
		Upstream upstream = upstream(0, A, 1, B, 1, C, 1);
		Map<String, Instance> before = places(upstream);
		upstream.takeOutOfService(B);
		Map<String, Instance> without = places(upstream);
		assertThat(KEYS).allSatisfy((key) -> {
			if (!before.get(key).equals(B)) {
				assertThat(without.get(key)).isEqualTo(before.get(key));
			}
		});
		assertThat(KEYS.stream().filter((key) -> before.get(key).equals(B)).map(without::get)).contains(A, C);
		upstream.putInService(B);
		assertThat(places(upstream)).isEqualTo(before);
	}

	@Test
	void anInstanceThatComesTakesItsShareAndNothingElseMoves() {
		Upstream upstream = upstream(0, A, 1, B, 1);
		Map<String, Instance> before = places(upstream);
		upstream.replace(Map.of(A, 1, B, 1, C, 1));
		Map<String, Instance> after = places(upstream);
		assertThat(KEYS.stream().filter((key) -> !after.get(key).equals(before.get(key))).map(after::get))
			.containsOnly(C)
			.hasSizeBetween(6_300, 7_000);
	}

	@Test
	void theOrderOfTheInstancesDoesNotMatter() {
		assertThat(places(upstream(0, C, 1, A, 1, B, 3))).isEqualTo(places(upstream(0, A, 1, B, 3, C, 1)));
	}

	@Test
	void aRequestThatFailedGoesWhereItsKeyGoesWithoutTheInstance() {
		Upstream upstream = upstream(0, A, 1, B, 1, C, 1);
		Map<String, Instance> places = new LinkedHashMap<>();
		KEYS.subList(0, 100).forEach((key) -> {
			UpstreamCall call = call(upstream, key);
			assertThat(call.failed(UpstreamFailure.REFUSED)).isTrue();
			places.put(key, call.instance());
			call.end();
		});
		places.forEach((key, place) -> {
			Instance first = place(upstream, key);
			upstream.takeOutOfService(first);
			assertThat(place(upstream, key)).isEqualTo(place);
			upstream.putInService(first);
		});
	}

	@Test
	void anInstanceHasNoMoreThanItsBoundOfRequestsUnderWay() {
		Upstream upstream = upstream(1.25, A, 1, B, 1, C, 2);
		List<UpstreamCall> calls = Stream.generate(() -> call(upstream, "the one key")).limit(400).toList();
		assertThat(requests(upstream)).allSatisfy(
				(instance, requests) -> assertThat(requests).isLessThanOrEqualTo(instance.equals(C) ? 250 : 125));
		calls.forEach(UpstreamCall::end);
		assertThat(requests(upstream).values()).containsOnly(0);
	}

	@Test
	void fewRequestsOfAKeyStayTogether() {
		Upstream upstream = upstream(1.25, A, 1, B, 1, C, 1);
		assertThat(Stream.generate(() -> call(upstream, "the one key").instance()).limit(8).distinct()).hasSize(1);
		assertThat(Stream.generate(() -> call(upstream, "the one key").instance()).limit(2).distinct()).hasSize(1);
		assertThat(requests(upstream).values()).containsExactlyInAnyOrder(8, 2, 0);
	}

	@Test
	void withoutABoundAllRequestsOfAKeyGoToItsInstance() {
		Upstream upstream = upstream(0, A, 1, B, 1, C, 1);
		assertThat(Stream.generate(() -> call(upstream, "the one key").instance()).limit(100).distinct()).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "none" })
	void requestsWithoutAKeyTakeTurns(String key) {
		Upstream upstream = upstream(1.25, A, 1, B, 1, C, 1);
		assertThat(IntStream.range(0, 6).mapToObj((i) -> place(upstream, key.equals("none") ? null : key)))
			.containsExactly(A, B, C, A, B, C);
	}

	@Test
	void aClientStaysWithItsInstanceAndGetsAnotherCookieWithAnotherInstance() {
		Upstream upstream = sticky(A, B, C);
		UpstreamCall first = call(upstream, Request.NONE);
		String cookie = first.cookie();
		assertThat(cookie).matches("at=[0-9a-f]{1,16}; Path=/; HttpOnly; SameSite=Lax");
		Request next = withHeader("Cookie", "a=b; " + cookie.substring(0, cookie.indexOf(';')) + ";c=d");
		for (int i = 0; i < 10; i++) {
			UpstreamCall call = call(upstream, next);
			assertThat(call.instance()).isEqualTo(first.instance());
			assertThat(call.cookie()).isNull();
		}
		upstream.takeOutOfService(first.instance());
		UpstreamCall moved = call(upstream, next);
		assertThat(moved.instance()).isNotEqualTo(first.instance());
		assertThat(moved.cookie()).startsWith("at=").isNotEqualTo(cookie);
	}

	@Test
	void aCookieThatNamesNoInstanceIsReplaced() {
		UpstreamCall call = call(sticky(A, B), withHeader("Cookie", "at=10.0.0.1:8080"));
		assertThat(call.cookie()).startsWith("at=");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "none", textBlock = """
			at=1            | 1
			b=2; at=1       | 1
			b=2;at=1 ; c=3  | 1
			at=1; at=2      | 1
			cat=1           | none
			at              | none
			at=             | ''
			a=at=1          | none
			at=1=2          | 1=2
			;;=; at="x"     | "x"
			""")
	void aCookieIsReadAsItWasSent(String header, @Nullable String value) {
		assertThat(withHeader("Cookie", header).cookie("at")).isEqualTo(value);
	}

	@ParameterizedTest
	@ValueSource(doubles = { 1, 0.5, -1, 101, Double.NaN })
	void aFactorThatLeavesNoRoomIsRefused(double factor) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new UpstreamSettings.Affinity((request) -> null, factor, null));
	}

	private static Map<String, Instance> places(Upstream upstream) {
		Map<String, Instance> places = new LinkedHashMap<>();
		KEYS.forEach((key) -> places.put(key, place(upstream, key)));
		return places;
	}

	private static Instance place(Upstream upstream, @Nullable String key) {
		UpstreamCall call = call(upstream, key);
		call.end();
		return call.instance();
	}

	private static UpstreamCall call(Upstream upstream, @Nullable String key) {
		return call(upstream, (key != null) ? withHeader("Key", key) : Request.NONE);
	}

	private static UpstreamCall call(Upstream upstream, Request request) {
		return new UpstreamCall(upstream, "GET", false, GatewayMetrics.disabled(), request);
	}

	private static Map<Instance, Integer> requests(Upstream upstream) {
		return upstream.instances()
			.stream()
			.collect(Collectors.toMap(InstanceState::instance, InstanceState::requests));
	}

	private static Upstream upstream(double factor, Object... instancesAndWeights) {
		Map<Instance, Integer> weights = new LinkedHashMap<>();
		for (int i = 0; i < instancesAndWeights.length; i += 2) {
			weights.put((Instance) instancesAndWeights[i], (Integer) instancesAndWeights[i + 1]);
		}
		return upstream(weights, new UpstreamSettings.Affinity((request) -> request.header("Key"), factor, null));
	}

	private static Upstream sticky(Instance... instances) {
		Map<Instance, Integer> weights = new LinkedHashMap<>();
		Stream.of(instances).forEach((instance) -> weights.put(instance, 1));
		return upstream(weights, new UpstreamSettings.Affinity((request) -> null, 1.25, "at"));
	}

	private static Upstream upstream(Map<Instance, Integer> weights, UpstreamSettings.Affinity affinity) {
		return new Upstream("service", weights, new UpstreamSettings(UpstreamTimeouts.NONE, EjectionSettings.OFF, null,
				null, affinity, null, null, false));
	}

	private static Request withHeader(String header, String value) {
		return new Request() {

			@Override
			public List<String> headers(String name) {
				return name.equals(header) ? List.of(value) : new ArrayList<>();
			}

		};
	}

}
