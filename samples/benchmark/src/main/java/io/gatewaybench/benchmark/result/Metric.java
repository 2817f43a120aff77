package io.gatewaybench.benchmark.result;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

import io.gatewaybench.benchmark.result.ScenarioResult.GatewayFigures;
import org.jspecify.annotations.Nullable;

/**
 * A figure by which variants are compared.
 */
public enum Metric {

	/**
	 * User and system time of the gateway per successful response, without that of the
	 * JIT compilers: what says most on a small machine, because waiting and neighbours do
	 * not change it.
	 */
	CPU("CPU per request", "µs", ofGateway(GatewayFigures::cpuMicrosPerOk, 1)),

	/**
	 * Memory that the gateway allocated per successful response.
	 */
	ALLOCATION("allocated per request", "KiB", ofGateway(GatewayFigures::allocatedBytesPerOk, 1024)),

	/**
	 * Heap of the gateway that is in use after a collection, at the end of a start.
	 */
	HEAP("heap after a collection", "MiB", ofGateway(GatewayFigures::liveHeapBytes, 1024 * 1024)),

	/**
	 * Memory of the gateway's process at the end of the measurement, as the operating
	 * system sees it.
	 */
	MEMORY("resident memory", "MiB", ofGateway(GatewayFigures::residentBytes, 1024 * 1024)),

	/**
	 * Successful responses per second.
	 */
	THROUGHPUT("throughput", "req/s", ScenarioResult::okPerSecond),

	/**
	 * Mean service time.
	 */
	SERVICE_MEAN("mean service time", "ms", (result) -> result.latency().service().meanMs()),

	/**
	 * Median of the service time.
	 */
	SERVICE_P50("P50 of the service time", "ms", (result) -> result.latency().service().p50Ms()),

	/**
	 * 99th percentile of the service time.
	 */
	SERVICE_P99("P99 of the service time", "ms", (result) -> result.latency().service().p99Ms()),

	/**
	 * Median of what gateway, network and generator add to the time of the backend.
	 */
	OVERHEAD_P50("P50 of the overhead", "ms", (result) -> result.latency().overhead().p50Ms()),

	/**
	 * 99th percentile of what gateway, network and generator add to the time of the
	 * backend.
	 */
	OVERHEAD_P99("P99 of the overhead", "ms", (result) -> result.latency().overhead().p99Ms()),

	/**
	 * Median of the response time from the intended start.
	 */
	RESPONSE_P50("P50 of the response time", "ms", (result) -> result.latency().response().p50Ms()),

	/**
	 * 99th percentile of the SLO view.
	 */
	SLO_P99("P99 of the SLO view", "ms", (result) -> result.latency().slo().p99Ms());

	private final String title;

	private final String unit;

	private final Function<ScenarioResult, @Nullable Double> value;

	Metric(String title, String unit, Function<ScenarioResult, @Nullable Double> value) {
		this.title = title;
		this.unit = unit;
		this.value = value;
	}

	private static Function<ScenarioResult, @Nullable Double> ofGateway(
			Function<GatewayFigures, ? extends @Nullable Number> figure, double unit) {
		return (result) -> {
			Number value = (result.gateway() != null) ? figure.apply(result.gateway()) : null;
			return (value != null) ? (Double) (value.doubleValue() / unit) : null;
		};
	}

	/**
	 * The metric of a name.
	 * @param name such as {@code service-p99}, or the title with hyphens, such as
	 * {@code cpu-per-request}
	 * @return the metric, empty if there is none
	 */
	public static Optional<Metric> named(String name) {
		return Arrays.stream(values()).filter((metric) -> metric.names().contains(name)).findFirst();
	}

	/**
	 * The names that {@link #named} knows.
	 * @return the key first
	 */
	public List<String> names() {
		return List.of(key(), this.title.toLowerCase(Locale.ROOT).replace(' ', '-'));
	}

	/**
	 * What suites and the command line call it.
	 * @return the name, such as {@code service-p99}
	 */
	public String key() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/**
	 * Whether a slice is too short for it, so that the slices of a start have it
	 * together.
	 * @return whether it is a percentile
	 */
	public boolean isPercentile() {
		return this.ordinal() >= SERVICE_P50.ordinal();
	}

	/**
	 * Whether it is known at the end of a start only.
	 * @return whether slices don't have it
	 */
	public boolean isOfStart() {
		return this == HEAP || this == MEMORY;
	}

	/**
	 * Whether it is right whatever else the machine does.
	 * @return whether it is one of bytes
	 */
	public boolean settlesAtOnce() {
		return this == ALLOCATION || isOfStart();
	}

	/**
	 * What reports call it.
	 * @return the title
	 */
	public String title() {
		return this.title;
	}

	/**
	 * What it is measured in.
	 * @return the unit
	 */
	public String unit() {
		return this.unit;
	}

	/**
	 * The figure of one measurement.
	 * @param result the measurement
	 * @return the figure, {@code null} if it is unknown
	 */
	public @Nullable Double of(ScenarioResult result) {
		return this.value.apply(result);
	}

}
