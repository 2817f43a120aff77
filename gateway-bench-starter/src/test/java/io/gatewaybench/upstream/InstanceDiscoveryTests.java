package io.gatewaybench.upstream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@ExtendWith(OutputCaptureExtension.class)
class InstanceDiscoveryTests {

	@Test
	void eachAddressHasSchemePortAndWeightOfItsHost() {
		assertThat(InstanceDiscovery
			.resolve(Map.of(Instance.parse("http://127.0.0.1:8081"), 3, Instance.parse("http://[::1]"), 2)))
			.containsOnly(Map.entry("http://127.0.0.1:8081", 3), Map.entry("http://[0:0:0:0:0:0:0:1]", 2));
	}

	@Test
	void aNameThatDnsDoesNotKnowIsTold() {
		assertThatIllegalStateException()
			.isThrownBy(() -> InstanceDiscovery.resolve(Map.of(Instance.parse("http://no.invalid:1"), 1)))
			.withMessage("DNS has no address of 'no.invalid'");
	}

	@Test
	void whereNothingIsLookedUpNoThreadRuns() {
		assertThat(new Upstreams(List.of(Upstream.roundRobin("a", List.of(Instance.parse("http://a")))))
			.discover(Duration.ofMillis(1))).isNull();
	}

	@Test
	void aProblemIsToldOnceUntilItChangesAndWhenItEnds(CapturedOutput output) {
		List<Integer> asked = new CopyOnWriteArrayList<>();
		Upstream upstream = new Upstream("service", () -> {
			asked.add(asked.size());
			return switch (asked.size()) {
				case 1 -> Map.of("http://a", 1, "http://b", 2);
				case 2, 3, 4 -> Map.of();
				case 5, 6 -> throw new IllegalStateException("Closed by the test");
				default -> Map.of("http://b", 2);
			};
		}, UpstreamSettings.NONE);
		Runnable end = Objects.requireNonNull(new Upstreams(List.of(upstream)).discover(Duration.ofMillis(1)));
		assertThat(output).contains("Upstream 'service' has these instances now: [http://a, http://b]");
		Awaitility.await().until(() -> asked.size() > 8);
		end.run();
		assertThat(upstream.status()).extracting(InstanceStatus::instance).containsExactly("http://b");
		List<String> told = new ArrayList<>(
				output.toString().lines().filter((line) -> line.contains("problem")).toList());
		assertThat(told).hasSize(2);
		assertThat(told.get(0)).endsWith("none is known. It goes on with [http://a, http://b]");
		assertThat(told.get(1)).endsWith("Closed by the test. It goes on with [http://a, http://b]");
		assertThat(output).containsOnlyOnce("these instances now: [http://b]");
	}

	/**
	 * The start waits for 5 seconds at most, unless it is interrupted.
	 */
	@Test
	void aLookupThatOutlastsTheStartIsNotJoinedByAnother() {
		CountDownLatch end = new CountDownLatch(1);
		AtomicInteger running = new AtomicInteger();
		List<Integer> together = new CopyOnWriteArrayList<>();
		Supplier<Map<String, Integer>> lookup = () -> {
			together.add(running.incrementAndGet());
			try {
				end.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			running.decrementAndGet();
			return Map.of("http://a", 1);
		};
		// Two, so that there are threads for two at a time
		Upstreams upstreams = new Upstreams(List.of(new Upstream("one", lookup, UpstreamSettings.NONE),
				new Upstream("other", () -> Map.of("http://b", 1), UpstreamSettings.NONE)));
		Thread.currentThread().interrupt();
		Runnable stop = Objects.requireNonNull(upstreams.discover(Duration.ofMillis(1)));
		assertThat(Thread.interrupted()).isTrue();
		Awaitility.await().during(Duration.ofMillis(200)).until(() -> together.size() == 1);
		end.countDown();
		Awaitility.await().until(() -> together.size() > 3);
		stop.run();
		assertThat(together).containsOnly(1);
	}

	@Test
	void whatARegistrySaysOfItsFailureHasNoPasswordInTheLog(CapturedOutput output) {
		Upstream upstream = new Upstream("service", () -> {
			throw new IllegalStateException("No answer from http://me:secret@registry/apps?token=abc");
		}, UpstreamSettings.NONE);
		Objects.requireNonNull(new Upstreams(List.of(upstream)).discover(Duration.ofSeconds(1))).run();
		assertThat(output).contains("No answer from http://***@registry/apps?***").doesNotContain("secret", "abc");
	}

	@Test
	void aWeightThatCannotBeIsToldAndChangesNothing(CapturedOutput output) {
		Upstream upstream = new Upstream("service", () -> Map.of("http://a", 101), UpstreamSettings.NONE);
		Objects.requireNonNull(new Upstreams(List.of(upstream)).discover(Duration.ofSeconds(1))).run();
		assertThat(output).contains("the weight of an instance is a number from 1 to 100. It goes on with []");
		assertThat(upstream.status()).isEmpty();
	}

	@Test
	void whatIsEndedAsksNoMore() {
		List<Integer> asked = new CopyOnWriteArrayList<>();
		Upstream upstream = new Upstream("service", () -> {
			asked.add(1);
			return Map.of("http://a", 1);
		}, UpstreamSettings.NONE);
		Objects.requireNonNull(new Upstreams(List.of(upstream)).discover(Duration.ofMillis(1))).run();
		Awaitility.await()
			.until(() -> Thread.getAllStackTraces()
				.keySet()
				.stream()
				.noneMatch((thread) -> thread.getName().equals(InstanceDiscovery.THREAD_NAME)));
	}

}
