package io.gatewaybench.benchmark.threshold;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.threshold.Condition.Figure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

class ConditionTests {

	private static final int TEXTS = 20_000;

	private static final List<String> LOADS = List.of("c16", "r500-poisson", "r0.5");

	private static final Map<String, List<Metric>> KNOWN = known();

	private static Map<String, List<Metric>> known() {
		Map<String, List<Metric>> known = new LinkedHashMap<>();
		List.of("webflux", "webmvc-vt", "s", "5ms", "16-routes")
			.forEach((variant) -> known.put(variant, List.of(Metric.values())));
		known.put("direct", List.of(Metric.THROUGHPUT, Metric.SERVICE_P99));
		return known;
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "null",
			value = { "webmvc-vt.cpu-per-request > 1.10 * webflux.cpu | null | 1.1",
					"webmvc-vt.c16.cpu>1.10*webflux.cpu | c16 | 1.1", "s.r0.5.cpu >= 95% * webflux.cpu | r0.5 | 0.95",
					"webmvc-vt.r500-poisson.cpu <= 5ms.cpu | r500-poisson | 1",
					"16-routes.cpu < 2 *5ms.cpu | null | 2" })
	void twoVariantsAreCompared(String text, String load, double factor) {
		Condition condition = parse(text);
		assertThat(condition.load()).isEqualTo(load);
		assertThat(condition.number()).isCloseTo(factor, within(1e-9));
		assertThat(condition.figures()).extracting(Figure::metric).containsExactly(Metric.CPU, Metric.CPU);
		assertThat(condition.left().toString())
			.isEqualTo(text.replaceFirst("[ <>].*", "").replaceFirst(load + "\\.", ""));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "webflux.cpu > 500us | 500", "webflux.cpu > 500 µs | 500", "webflux.cpu > 1.5ms | 1500",
					"webflux.p99-of-the-service-time > 1s | 1000", "webflux.service-p99 > 400 ms | 400",
					"webflux.allocation > 0.5MiB | 512", "webflux.allocation > 2KiB | 2",
					"webflux.memory > 1GiB | 1024", "webflux.throughput < 2000/s | 2000",
					"webflux.throughput < 2000 req/s | 2000" })
	void aNumberIsToldInTheUnitOfTheMetric(String text, double number) {
		assertThat(parse(text).number()).isCloseTo(number, within(1e-9));
		assertThat(parse(text).right()).isNull();
	}

	@Test
	void everyMetricHasAUnitThatCanBeWritten() {
		assertThat(Metric.values())
			.allSatisfy((metric) -> assertThat(parse("webflux." + metric.key() + " > 2" + metric.unit()).number())
				.isEqualTo(2));
	}

	@Test
	void spacesDoNotMatterAndAreLeftOut() {
		assertThat(parse(" webflux.cpu   >\t5ms ").text()).isEqualTo("webflux.cpu > 5ms");
	}

	@Test
	void theMessageHasTheConditionAndWhatToWrite() {
		assertThatExceptionOfType(InvalidThresholdException.class)
			.isThrownBy(() -> parse("webmvc-vt.cpu-per-reqest > webflux.cpu"))
			.withMessage("""
					--fail-if is wrong:
					  webmvc-vt.cpu-per-reqest > webflux.cpu
					There is no metric 'cpu-per-reqest' of webmvc-vt; choose one of cpu, allocation, heap, memory, \
					throughput, service-mean, service-p50, service-p99, overhead-p50, overhead-p99, response-p50, \
					slo-p99.""");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "netty.cpu > 1ms | There is no variant 'netty' in this run; choose one of webflux, webmvc-vt",
					"webflux.c17.cpu > 1ms | There is no load 'c17'; choose one of c16, r500-poisson",
					"webflux.cpu > 5xs | 'webflux.cpu' is told in µs; choose one of ms, s, us, µs",
					"webflux.cpu > 5 | 'webflux.cpu' is told in µs; choose one of ms, s, us, µs",
					"webflux.cpu > 5MiB | 'webflux.cpu' is told in µs; choose one of ms, s, us, µs",
					"webflux.cpu > s.throughput | 'webflux.cpu' is told in µs, and 's.throughput' in req/s",
					"direct.cpu > 1ms | There is no metric 'cpu' of direct; choose one of throughput, service-p99" })
	void aNameOrAUnitThatIsNotKnownIsToldWithThoseThatAre(String text, String advice) {
		assertThatExceptionOfType(InvalidThresholdException.class).isThrownBy(() -> parse(text))
			.withMessageContaining(advice);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "webflux > 1ms", "webflux.cpu", "webflux.cpu > s.c16.cpu", "webflux.cpu == 1ms",
			"webflux.cpu => 1ms", "webflux.cpu >", "webflux.cpu > -5ms", "webflux.cpu > 1ms > 2ms",
			"webflux.cpu - s.cpu > 1ms", "webflux.cpu > 1ms + s.cpu", "webflux.cpu > 5ms * s.cpu",
			"1ms < webflux.cpu" })
	void whatIsNoConditionIsRefusedWithBothForms(String text) {
		assertThatExceptionOfType(InvalidThresholdException.class).isThrownBy(() -> parse(text))
			.withMessageStartingWith("--fail-if is wrong:")
			.withMessageContaining("Write VARIANT.METRIC > 1.10 * VARIANT.METRIC, or VARIANT.METRIC > 400ms")
			.withMessageEndingWith("Variants are webflux, webmvc-vt, s, 5ms, 16-routes, direct.");
	}

	@Test
	void aTerminalGetsNoControlCharacters() {
		assertThatExceptionOfType(InvalidThresholdException.class).isThrownBy(() -> parse("a\u001b[2J\tb\u202e > 1"))
			.satisfies((ex) -> assertThat(ex.getMessage().lines().toList().get(1)).isEqualTo("  a [2J b  > 1"));
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	void whateverTheTextIsItIsAConditionOrIsRefused(long seed) {
		Random random = new Random(seed);
		List<String> parts = List.of("webflux.cpu", "webmvc-vt.", ".", "s", "5ms", "1.10", "%", "/s", "req/s", "c16",
				"*", ">", ">=", "<", "=", " ", "\t", "\n", "µ", "\ud83d", "\u0000", "99999", "direct.cpu");
		int read = 0;
		for (int count = 0; count < TEXTS; count++) {
			StringBuilder text = new StringBuilder();
			for (int part = random.nextInt(12); part > 0; part--) {
				text.append((random.nextInt(8) == 0) ? (char) random.nextInt(0x10000)
						: parts.get(random.nextInt(parts.size())));
			}
			read += isRead(text.toString()) ? 1 : 0;
			// Nearly right
			StringBuilder spoilt = new StringBuilder("webmvc-vt.cpu > 1.10 * webflux.cpu");
			spoilt.setCharAt(random.nextInt(spoilt.length()), (char) random.nextInt(128));
			read += isRead(spoilt.toString()) ? 1 : 0;
		}
		assertThat(read).isPositive();
	}

	private static boolean isRead(String text) {
		try {
			Condition condition = parse(text);
			assertThat(parse(condition.text())).as(text).isEqualTo(condition);
			return true;
		}
		catch (InvalidThresholdException ex) {
			List<String> lines = Arrays.asList(ex.getMessage().split("\\R"));
			assertThat(lines).as(text).hasSize(3);
			return false;
		}
	}

	private static Condition parse(String text) {
		return Condition.parse("--fail-if", text, KNOWN, LOADS);
	}

}
