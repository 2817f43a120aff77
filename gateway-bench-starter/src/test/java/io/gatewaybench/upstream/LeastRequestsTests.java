package io.gatewaybench.upstream;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.gatewaybench.metrics.GatewayMetrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class LeastRequestsTests {

	private static final Instance SLOW = new Instance("http", "slow");

	private static final Instance FAST = new Instance("http", "fast");

	private static final Instance OTHER = new Instance("http", "other");

	@Test
	void anInstanceThatDoesNotAnswerGetsNoMoreThanTheOthersHaveUnderWay() {
		Upstream upstream = upstream(Map.of(SLOW, 1, FAST, 1));
		long slow = Stream.generate(() -> call(upstream)).limit(1000).filter((call) -> {
			if (call.instance().equals(SLOW)) {
				return true;
			}
			call.end();
			return false;
		}).count();
		assertThat(slow).isOne();
	}

	@Test
	void instancesThatAreEquallyFastShareTheRequestsEvenly() {
		Upstream upstream = upstream(Map.of(SLOW, 1, FAST, 1, OTHER, 1));
		Map<Instance, Long> shares = shares(upstream, 30_000, 20);
		assertThat(shares.values()).allSatisfy((share) -> assertThat(share).isCloseTo(10_000L, within(500L)));
	}

	@Test
	void aHeavyInstanceGetsMoreOfTheRequests() {
		Upstream upstream = upstream(Map.of(SLOW, 1, FAST, 3));
		Map<Instance, Long> shares = shares(upstream, 20_000, 20);
		assertThat(shares.get(FAST)).isCloseTo(15_000L, within(1_000L));
	}

	@Test
	void theOnlyInstanceTakesAll() {
		assertThat(shares(upstream(Map.of(FAST, 2)), 100, 3)).containsOnlyKeys(FAST);
	}

	@ParameterizedTest
	@EnumSource(names = { "REFUSED", "RESPONSE_TIMEOUT" }, mode = Mode.INCLUDE)
	void aRequestCountsWhereItIsNow(UpstreamFailure failure) {
		Upstream upstream = upstream(Map.of(SLOW, 1, FAST, 1));
		UpstreamCall call = call(upstream);
		Instance before = call.instance();
		assertThat(requests(upstream)).containsEntry(before, 1);
		assertThat(call.failed(failure)).isTrue();
		assertThat(requests(upstream)).containsEntry(before, 0).containsEntry(call.instance(), 1);
		call.end();
		call.end();
		call.completed();
		assertThat(requests(upstream).values()).containsOnly(0);
	}

	@Test
	void aRequestThatEndsWhileItMovesIsCountedNowhere() throws Exception {
		Upstream upstream = upstream(Map.of(SLOW, 1, FAST, 1));
		ExecutorService executor = Executors.newFixedThreadPool(2);
		try {
			for (int i = 0; i < 2_000; i++) {
				UpstreamCall call = call(upstream);
				List<Callable<Void>> tasks = List.of(() -> {
					call.failed(UpstreamFailure.REFUSED);
					return null;
				}, () -> {
					call.end();
					return null;
				});
				for (Future<Void> task : executor.invokeAll(tasks)) {
					task.get();
				}
			}
		}
		finally {
			executor.shutdownNow();
		}
		assertThat(requests(upstream).values()).containsOnly(0);
	}

	@Test
	void anInstanceThatStaysKeepsItsRequests() {
		Upstream upstream = upstream(Map.of(SLOW, 1));
		UpstreamCall call = call(upstream);
		upstream.replace(Map.of(SLOW, 2, FAST, 1));
		assertThat(requests(upstream)).containsEntry(SLOW, 1);
		call.end();
		assertThat(requests(upstream)).containsEntry(SLOW, 0);
	}

	/**
	 * Each request waits until so many others have come.
	 */
	private static Map<Instance, Long> shares(Upstream upstream, int requests, int underWay) {
		Deque<UpstreamCall> waiting = new ArrayDeque<>();
		List<Instance> taken = new ArrayList<>();
		for (int i = 0; i < requests; i++) {
			UpstreamCall call = call(upstream);
			taken.add(call.instance());
			waiting.add(call);
			if (waiting.size() > underWay) {
				waiting.remove().end();
			}
		}
		return taken.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
	}

	private static Map<Instance, Integer> requests(Upstream upstream) {
		return upstream.instances()
			.stream()
			.collect(Collectors.toMap(InstanceState::instance, InstanceState::requests));
	}

	private static Upstream upstream(Map<Instance, Integer> weights) {
		return new Upstream("service", new LinkedHashMap<>(weights), new UpstreamSettings(UpstreamTimeouts.NONE,
				EjectionSettings.OFF, LoadBalancingPolicy.LEAST_REQUESTS.chooser(), null));
	}

	private static UpstreamCall call(Upstream upstream) {
		return new UpstreamCall(upstream, "GET", false, GatewayMetrics.disabled(), InstanceChooser.Request.NONE);
	}

}
