package io.gatewaybench.upstream;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class UpstreamTests {

	@Test
	void instancesTakeTurnsInTheirOrder() {
		List<Instance> instances = instances(3);
		Upstream upstream = Upstream.roundRobin("service", instances);
		assertThat(take(upstream, 7)).containsExactly(instances.get(0), instances.get(1), instances.get(2),
				instances.get(0), instances.get(1), instances.get(2), instances.get(0));
	}

	@Test
	void theOnlyInstanceTakesEveryTurn() {
		List<Instance> instances = instances(1);
		assertThat(take(Upstream.roundRobin("service", instances), 3)).containsOnly(instances.get(0));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 7 })
	void manyThreadsGiveEachInstanceAShareThatIsEqualToWithinOne(int count) throws Exception {
		Upstream upstream = Upstream.roundRobin("service", instances(count));
		int threads = 8;
		CyclicBarrier start = new CyclicBarrier(threads);
		List<Callable<List<Instance>>> tasks = Collections.nCopies(threads, () -> {
			start.await();
			return take(upstream, 5_003);
		});
		Map<Instance, Long> shares = run(tasks).stream()
			.flatMap(List::stream)
			.collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
		assertThat(shares).hasSize(count);
		assertThat(Collections.max(shares.values()) - Collections.min(shares.values())).isLessThanOrEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 3, 5, 7 })
	void theOrderGoesOnWhereTheCounterBecomesNegative(int count) {
		List<Instance> instances = instances(count);
		Map<Instance, Integer> weights = new LinkedHashMap<>();
		instances.forEach((instance) -> weights.put(instance, 1));
		Upstream upstream = new Upstream("service", weights, UpstreamSettings.NONE, () -> 0,
				new AtomicLong(Long.MAX_VALUE - 20));
		List<Instance> taken = take(upstream, 41);
		int first = instances.indexOf(taken.get(0));
		assertThat(taken).containsExactlyElementsOf(
				IntStream.range(0, 41).mapToObj((i) -> instances.get((first + i) % count)).toList());
	}

	@Test
	void anUpstreamWithoutInstancesIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> Upstream.roundRobin("service", List.of()))
			.withMessage("Upstream 'service' must have at least one instance");
	}

	@Test
	void laterChangesOfTheListChangeNothing() {
		List<Instance> instances = new ArrayList<>(instances(2));
		Upstream upstream = Upstream.roundRobin("service", instances);
		instances.clear();
		assertThat(take(upstream, 2)).containsExactlyElementsOf(instances(2));
	}

	@Test
	void aHeavyInstanceTakesMoreTurnsSpreadOut() {
		List<Instance> instances = instances(3);
		Map<Instance, Integer> weights = new LinkedHashMap<>();
		weights.put(instances.get(0), 50);
		weights.put(instances.get(1), 10);
		weights.put(instances.get(2), 10);
		Upstream upstream = new Upstream("service", weights, UpstreamSettings.NONE);
		Instance a = instances.get(0);
		assertThat(take(upstream, 14)).containsExactly(a, a, instances.get(1), a, instances.get(2), a, a, a, a,
				instances.get(1), a, instances.get(2), a, a);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, -1, 101 })
	void aWeightThatIsNoneIsRefused(int weight) {
		Map<Instance, Integer> weights = Map.of(instances(1).get(0), weight);
		assertThatIllegalArgumentException().isThrownBy(() -> new Upstream("service", weights, UpstreamSettings.NONE))
			.withMessage("the weight of an instance is a number from 1 to 100");
	}

	@Test
	void instancesCanBeReplaced() {
		List<Instance> instances = instances(4);
		Upstream upstream = Upstream.roundRobin("service", instances.subList(0, 2));
		take(upstream, 2);
		upstream.replace(Map.of(instances.get(2), 1));
		assertThat(take(upstream, 2)).containsOnly(instances.get(2));
		assertThatIllegalArgumentException().isThrownBy(() -> upstream.replace(Map.of()));
		assertThat(take(upstream, 1)).containsOnly(instances.get(2));
	}

	private static List<Instance> instances(int count) {
		return IntStream.range(0, count).mapToObj((i) -> new Instance("http", "10.0.0." + i)).toList();
	}

	private static List<Instance> take(Upstream upstream, int count) {
		return Stream.generate(() -> upstream.next(InstanceChooser.Request.NONE).instance()).limit(count).toList();
	}

	private static <T> List<T> run(List<Callable<T>> tasks) throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(tasks.size());
		try {
			List<T> results = new ArrayList<>();
			for (Future<T> result : executor.invokeAll(tasks)) {
				results.add(result.get());
			}
			return results;
		}
		finally {
			executor.shutdownNow();
		}
	}

}
