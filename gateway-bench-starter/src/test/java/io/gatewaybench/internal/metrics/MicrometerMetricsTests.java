package io.gatewaybench.internal.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.gatewaybench.Flavour;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.metrics.UpstreamEvent;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class MicrometerMetricsTests {

	private final MeterRegistry registry = new SimpleMeterRegistry();

	private final GatewayMetrics metrics = MicrometerMetrics.create(this.registry, Flavour.WEBFLUX);

	@ParameterizedTest
	@CsvSource({ "101, true, INFORMATIONAL, 101", "200, true, SUCCESS, 200", "302, true, REDIRECTION, 302",
			"404, true, CLIENT_ERROR, 404", "503, true, SERVER_ERROR, 503", "600, true, UNKNOWN, 600",
			"999, true, UNKNOWN, 999", "200, false, ABORTED, 200", "0, false, ABORTED, none", "0, true, ABORTED, none",
			"99, true, ABORTED, none", "1000, true, ABORTED, none", "-200, false, ABORTED, none" })
	void requestsAreTimedByOutcomeAndStatus(int status, boolean completed, String outcome, String statusTag) {
		this.metrics.request("orders", status, completed, TimeUnit.MILLISECONDS.toNanos(20));
		this.metrics.request("orders", status, completed, TimeUnit.MILLISECONDS.toNanos(40));

		assertThat(this.registry.getMeters()).singleElement().isInstanceOfSatisfying(Timer.class, (timer) -> {
			assertThat(timer.getId().getName()).isEqualTo("gateway.bench.requests");
			assertThat(tags(timer))
				.isEqualTo(Map.of("route", "orders", "flavour", "WebFlux", "outcome", outcome, "status", statusTag));
			assertThat(timer.count()).isEqualTo(2);
			assertThat(timer.totalTime(TimeUnit.NANOSECONDS)).isEqualTo(Duration.ofMillis(60).toNanos());
		});
	}

	@Test
	void everyRouteStatusAndCompletionHasItsOwnTimer() {
		List.of("a", "b").forEach((route) -> IntStream.of(200, 201, 404).forEach((status) -> {
			this.metrics.request(route, status, true, 1);
			this.metrics.request(route, status, false, 1);
			this.metrics.request(route, status, true, 1);
		}));

		assertThat(this.registry.find("gateway.bench.requests").timers()).hasSize(12);
		assertThat(this.registry.get("gateway.bench.requests").tags("route", "b", "status", "404").timers())
			.extracting(Timer::count)
			.containsExactlyInAnyOrder(2L, 1L);
	}

	@Test
	void attemptsOnInstancesAreCountedByOutcome() {
		this.metrics.upstream("service-a", "one", 200);
		this.metrics.upstream("service-a", "one", 204);
		this.metrics.upstream("service-a", "two", 503);
		this.metrics.upstream("service-b", "one", 0);
		this.metrics.upstream("service-b", "one", 1000);

		assertThat(this.registry.getMeters())
			.allSatisfy((meter) -> assertThat(meter.getId().getName()).isEqualTo("gateway.bench.upstream.requests"))
			.extracting(MicrometerMetricsTests::tags)
			.containsExactlyInAnyOrder(
					Map.of("upstream", "service-a", "instance", "one", "outcome", "SUCCESS", "flavour", "WebFlux"),
					Map.of("upstream", "service-a", "instance", "two", "outcome", "SERVER_ERROR", "flavour", "WebFlux"),
					Map.of("upstream", "service-b", "instance", "one", "outcome", "ABORTED", "flavour", "WebFlux"));
		assertThat(this.registry.get("gateway.bench.upstream.requests").tag("outcome", "SUCCESS").counter().count())
			.isEqualTo(2);
	}

	@Test
	void rewritesAreCountedByTheirOutcome() {
		this.metrics.rewrite("added");
		this.metrics.rewrite("added");
		this.metrics.rewrite("unchanged");

		assertThat(this.registry.get("gateway.bench.rewrites")
			.tags("outcome", "added", "flavour", "WebFlux")
			.counter()
			.count()).isEqualTo(2);
		assertThat(this.registry.get("gateway.bench.rewrites").tag("outcome", "unchanged").counter().count())
			.isEqualTo(1);
	}

	@ParameterizedTest
	@EnumSource(value = GatewayMeter.class, names = { "REQUESTS", "UPSTREAM_REQUESTS", "UPSTREAM_RETRIES",
			"UPSTREAM_EJECTIONS", "UPSTREAM_RECOVERIES", "REWRITES" })
	void everyMeterHasExactlyItsDeclaredTagsAndDescription(GatewayMeter declared) {
		this.metrics.request("orders", 200, true, 1);
		this.metrics.upstream("service-a", "one", 200);
		Arrays.stream(UpstreamEvent.values()).forEach((event) -> this.metrics.upstream("service-a", "one", event));
		this.metrics.rewrite("added");

		Meter meter = this.registry.get(declared.meterName()).meter();

		assertThat(tags(meter)).containsOnlyKeys(declared.tagKeys());
		assertThat(meter.getId().getDescription()).isEqualTo(declared.description());
		assertThat(meter.getId().getType()).isEqualTo(declared.type());
	}

	@Test
	void routesBeyondTheLimitShareATagAndCauseOneWarning(CapturedOutput output) {
		for (int route = 0; route < MicrometerMetrics.MAX_NAMES + 3; route++) {
			this.metrics.request("route-" + route, 200, true, 1);
		}
		this.metrics.request("route-0", 200, true, 1);

		assertThat(this.registry.getMeters()).hasSize(MicrometerMetrics.MAX_NAMES + 1);
		assertThat(this.registry.get("gateway.bench.requests").tag("route", "_other").timer().count()).isEqualTo(3);
		assertThat(this.registry.get("gateway.bench.requests").tag("route", "route-0").timer().count()).isEqualTo(2);
		assertThat(output).containsOnlyOnce("There are too many routes for a meter each: 'route-10000' and all further "
				+ "ones are counted together as '_other'");
	}

	@Test
	void instancesBeyondTheLimitShareATag() {
		for (int instance = 0; instance < MicrometerMetrics.MAX_NAMES + 3; instance++) {
			this.metrics.upstream("service-a", "instance-" + instance, 200);
		}
		this.metrics.upstream("late", "one", 200);
		this.metrics.upstream("later", "two", 200);

		assertThat(this.registry.getMeters()).hasSizeLessThanOrEqualTo(MicrometerMetrics.MAX_NAMES + 2);
		assertThat(this.registry.get("gateway.bench.upstream.requests")
			.tags("upstream", "_other", "instance", "_other")
			.counter()
			.count()).isEqualTo(2);
	}

	@Test
	void anyThreadMayBeTheFirstToUseAMeter() {
		IntStream.range(0, 20_000).parallel().forEach((request) -> {
			this.metrics.request("route-" + request % 50, 200 + request % 40, true, 1);
			this.metrics.upstream("service-" + request % 5, "instance-" + request % 10, 200);
		});

		assertThat(this.registry.find("gateway.bench.requests").timers().stream().mapToLong(Timer::count).sum())
			.isEqualTo(20_000);
		assertThat(this.registry.find("gateway.bench.upstream.requests")
			.counters()
			.stream()
			.mapToDouble((counter) -> counter.count())
			.sum()).isEqualTo(20_000);
	}

	@Test
	void closingLeavesTheRegistryToItsOwner() {
		this.metrics.request("orders", 200, true, 1);
		this.metrics.close();

		assertThat(this.registry.isClosed()).isFalse();
		assertThat(this.registry.getMeters()).hasSize(1);
	}

	private static Map<String, String> tags(Meter meter) {
		return meter.getId().getTags().stream().collect(Collectors.toMap(Tag::getKey, Tag::getValue));
	}

}
