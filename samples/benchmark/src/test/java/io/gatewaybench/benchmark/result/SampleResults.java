package io.gatewaybench.benchmark.result;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.load.Arrivals;
import io.gatewaybench.benchmark.load.Counts;
import io.gatewaybench.benchmark.load.LatencySummary;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.SecondSample;
import io.gatewaybench.benchmark.observe.JvmUse;
import io.gatewaybench.benchmark.observe.MachineUse;
import io.gatewaybench.benchmark.observe.ProcessUse;
import io.gatewaybench.benchmark.observe.ThreadGroup;
import io.gatewaybench.benchmark.result.ScenarioResult.GatewayFigures;
import io.gatewaybench.benchmark.result.ScenarioResult.GeneratorFigures;
import io.gatewaybench.benchmark.result.ScenarioResult.LatencyFigures;
import io.gatewaybench.benchmark.result.ScenarioResult.LoadFigures;
import io.gatewaybench.benchmark.result.ScenarioResult.TypeFigures;
import io.gatewaybench.benchmark.suite.Claim;
import io.gatewaybench.benchmark.suite.Study;

/**
 * Results with figures that are easy to recognise.
 */
public final class SampleResults {

	/**
	 * Text that breaks out of everything that does not escape it.
	 */
	public static final String HOSTILE = "<script>alert(\"1\")</script> & | '";

	// A method that is asked for anew is made ready to be called anew, which takes longer
	private static final ClassValue<RecordComponent[]> COMPONENTS = new ClassValue<>() {

		@Override
		protected RecordComponent[] computeValue(Class<?> type) {
			RecordComponent[] components = type.getRecordComponents();
			Arrays.stream(components).forEach((component) -> component.getAccessor().setAccessible(true));
			return components;
		}

	};

	private SampleResults() {
	}

	public static RunResults of(String title, RunResults.Status status, ScenarioResult... scenarios) {
		List<ScenarioResult> all = List.of(scenarios);
		return RunResults
			.begin("gateway", title, new Study("Somebody's figures (2025)", List.of("They had five hosts."),
					Map.of("webflux-c16",
							new TreeMap<>(Map.of("throughput", 20.21, "service-p99", 1530.0, "errors, %", 3.9))),
					List.of(new Claim("Both are as fast.", "webmvc-c16", "webflux-c16", "throughput",
							Claim.Direction.EQUAL, 1.0),
							new Claim("Measured elsewhere.", "webmvc-c100", "webflux-c100", "throughput",
									Claim.Direction.MORE, null))),
					Instant.parse("2026-01-02T03:04:05Z"),
					new RunResults.Settings(Duration.ofSeconds(2), 0.05, Duration.ofMinutes(8), null, null,
							Duration.ofSeconds(60), "2g", Duration.ofSeconds(10), 42, false, "embedded"),
					new Environment("Some CPU", 2, 24L << 30, "Linux 6.1 amd64", Environment.GroupedBy.CGROUPS_V1,
							"25.0.1", "Some VM", "abc123", true, Map.of("gateway-webflux.jar", "0123456789abcdef"),
							Map.of("open files", "1024 4096 files"),
							Map.of("gateway-webflux.jar", List.of("spring-web-7.0.1")),
							Map.of("gateway-webflux.jar!application.yml", "a: b"),
							List.of("java", "-jar", "backend-sim.jar"), List.of("run", "--only", HOSTILE)),
					List.of("webflux-c16", "webmvc-c16"), new MainQuestion(Metric.CPU, "c16", 0.1),
					List.of("Choose WebFlux if you like it."))
			.with(List.of(new WarmupCurve("WebFlux", 1,
					List.of(new WarmupCurve.Cycle(300, 4.5, 0.4), new WarmupCurve.Cycle(400, 2.1, 0.03),
							new WarmupCurve.Cycle(400, 2.0, 0.01)),
					true, true)), List.of(), all, slices(all))
			.ended(status, (status == RunResults.Status.FAILED) ? "The gateway fell over; see x.log" : null,
					Instant.parse("2026-01-02T03:09:05Z"));
	}

	/**
	 * Two slices of each measurement, which have its figures.
	 */
	public static List<Slice> slices(List<ScenarioResult> scenarios) {
		return scenarios.stream().flatMap((each) -> Stream.of(1, 2).map((round) -> {
			Map<Metric, Double> figures = new EnumMap<>(Metric.class);
			for (Metric metric : Metric.values()) {
				Double value = metric.isOfStart() ? null : metric.of(each);
				if (value != null && value > 0) {
					figures.put(metric, value);
				}
			}
			return new Slice(each.id(), each.start(), round, each.startedAt(), figures, 120.0, 0.001 * round, 0.002,
					0.01);
		})).toList();
	}

	/**
	 * The same record with other values.
	 * @param record the record
	 * @param namesAndValues a name and a value by turns
	 */
	@SuppressWarnings("unchecked")
	public static <R extends Record> R with(R record, Object... namesAndValues) {
		try {
			List<String> names = new ArrayList<>();
			List<Class<?>> types = new ArrayList<>();
			List<Object> values = new ArrayList<>();
			for (RecordComponent component : COMPONENTS.get(record.getClass())) {
				names.add(component.getName());
				types.add(component.getType());
				values.add(component.getAccessor().invoke(record));
			}
			for (int i = 0; i < namesAndValues.length; i += 2) {
				values.set(names.indexOf(namesAndValues[i]), namesAndValues[i + 1]);
			}
			return (R) record.getClass()
				.getDeclaredConstructor(types.toArray(Class<?>[]::new))
				.newInstance(values.toArray());
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * A measurement without a gateway.
	 */
	public static ScenarioResult direct(int start) {
		LatencySummary faster = latency(12_900, 1500.0);
		return with(good("direct-c16", "direct", start), "control", true, "latency",
				new LatencyFigures(faster, faster, faster, overhead(0.1)), "gateway", null, "resources",
				new Resources(null, null, null, null, null, null));
	}

	/**
	 * A good measurement with another CPU time.
	 */
	public static ScenarioResult good(String id, String variant, int start, double cpuMicros) {
		ScenarioResult good = good(id, variant, start);
		return with(good, "gateway", with(good.gateway(), "cpuMicrosPerOk", cpuMicros));
	}

	public static ScenarioResult good(String id, String variant, int start) {
		return scenario(id, variant, start, new Counts(12_900, 12_900, 0, 0, 0, 0, 0, 0), latency(12_900, 1530.0),
				latency(12_900, 1530.0), List.of(), List.of());
	}

	/**
	 * A good measurement of 430 requests per second, with 4,300 in second 10. From second
	 * 10 on, responses take ten times as long.
	 */
	public static ScenarioResult burst(String variant, int slowSeconds) {
		return with(good(variant.toLowerCase(Locale.ROOT) + "-r430-steps", variant, 1), "title", variant, "load",
				new LoadFigures("r430-steps", null, Model.OPEN, 16, null, null, 430.0, Arrivals.STEPPED, null, 12_900),
				"series", series((second) -> {
					int factor = (second >= 10 && second <= 10 + slowSeconds) ? 10 : 1;
					int offered = (second == 10) ? 4_300 : 430;
					return new SecondSample(second, offered, (long) offered, offered, 0, 30.0 * factor, 280.0 * factor,
							316.0 * factor, null);
				}), "theoreticalMaximum", null);
	}

	/**
	 * A good measurement of an open loop, with a median that tells the rate.
	 */
	public static ScenarioResult atRate(String variant, int start, double rate) {
		String load = "r%.0f".formatted(rate);
		LatencySummary slower = new LatencySummary(12_900, 37.5, 15.8, rate / 100, 38.34, 265.0, rate, null, 2000.5);
		return with(good(variant.toLowerCase(Locale.ROOT) + "-" + load, variant, start), "title",
				variant + ", %.0f/s".formatted(rate), "load",
				new LoadFigures(load, null, Model.OPEN, 16, null, null, rate, Arrivals.POISSON, null, 12_900),
				"latency", new LatencyFigures(slower, slower, slower, overhead(0.5)), "series",
				// The generator stands still from second 10 to 12
				series((second) -> switch (second) {
					case 10 -> sample(second, 320, 0.25);
					case 11 -> sample(second, 0, null);
					case 12 -> sample(second, 970, 1_210.0);
					default -> sample(second, 430, 0.1 + second % 3 / 20.0);
				}));
	}

	/**
	 * A good measurement at the highest rate with a P99 of 400 ms at most.
	 */
	public static ScenarioResult highestRate(String variant, int start, double rate) {
		return with(good(variant.toLowerCase(Locale.ROOT) + "-highest-p99-400ms", variant, start), "title",
				variant + " at the highest rate", "load", new LoadFigures("highest-p99-400ms", null, Model.OPEN, 1000,
						null, null, rate, Arrivals.CONSTANT, 400L, 12_900),
				"okPerSecond", rate, "theoreticalMaximum", null);
	}

	public static ScenarioResult lossy(String id, String variant, int start) {
		return scenario(id, variant, start, new Counts(500, 480, 3, 12, 0, 5, 0, 0), latency(480, null),
				latency(500, 10_000.0), List.of("4.00 % of the requests failed, more than the limit of 0.1 %"),
				List.of("the load generator used 90 % of a core"));
	}

	private static LatencySummary overhead(double median) {
		return new LatencySummary(12_900, 0.7, 0.1, median, 0.8, 1.2, 4.5, null, 9.0);
	}

	private static LatencySummary latency(long count, Double p99) {
		return new LatencySummary(count, 37.5, 15.8, 6.1, 38.34, 265.0, p99, null, 2000.5);
	}

	private static ScenarioResult scenario(String id, String variant, int start, Counts counts, LatencySummary service,
			LatencySummary slo, List<String> failures, List<String> remarks) {
		return new ScenarioResult(id, variant + ", 16 conn.", variant, false, null,
				new LoadFigures("c16", null, Model.CLOSED, 16, null, null, null, null, null, counts.intended()), start,
				2, Instant.parse("2026-01-02T03:05:05Z"), 30, counts, 430.1,
				new LatencyFigures(service, service, slo, overhead(0.5)),
				List.of(new TypeFigures(
						"heavy", 0.4, counts, Map.of(200, counts.ok()), List.of("GET /a: " + HOSTILE), service, 69.4)),
				series((second) -> sample(second, 430, null)),
				new GatewayFigures(4200, 5.1, 395.4, 20_480.0, 0.02, 60L << 20, 512L << 20,
						List.of("java", "-Xmx2g", "-jar", variant + ".jar"), "-XX:+UseG1GC", "0-1"),
				new GeneratorFigures("embedded", 0.4, 0,
						new LatencySummary(0, null, null, null, null, null, null, null, null), List.of()),
				resources(), TheoreticalMaximum.of(16, 0, null, 36.0, 430.1), failures, remarks);
	}

	private static SecondSample sample(int second, long sent, Double lagMs) {
		return new SecondSample(second, 430, sent, 430 + second % 5, 0, 30.0, 280.0, 316.0, lagMs);
	}

	private static Resources resources() {
		ProcessUse use = new ProcessUse(3.9, 1.2, 0.6, 40_000, 300, 512L << 20, 40, 33, Map.of(ThreadGroup.EVENT_LOOP,
				new ProcessUse.GroupUse(2, 3.0, 1.1, 0.5), ThreadGroup.JIT, new ProcessUse.GroupUse(2, 0.9, 0.1, 0.1)));
		return new Resources(use, use, use, use, new JvmUse(264_000_000, 100L << 20, 2L << 30, 3, 21, 40, 44),
				new MachineUse(30, 0.4, 0.001, 0.002, 0.1));
	}

	private static <T> List<T> series(IntFunction<T> value) {
		return IntStream.range(0, 30).mapToObj(value).toList();
	}

}
