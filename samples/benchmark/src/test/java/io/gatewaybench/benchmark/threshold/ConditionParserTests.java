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

class ConditionParserTests {

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
	void theMessageHasTheConditionAndACaret() {
		assertThatExceptionOfType(InvalidThresholdException.class)
			.isThrownBy(() -> parse("webmvc-vt.cpu-per-reqest > webflux.cpu"))
			.withMessage("""
					--fail-if is wrong at character 11:
					  webmvc-vt.cpu-per-reqest > webflux.cpu
					            ^
					There is no metric 'cpu-per-reqest' of webmvc-vt; choose one of cpu, allocation, heap, memory, \
					throughput, service-mean, service-p50, service-p99, overhead-p50, overhead-p99, response-p50, \
					slo-p99.""");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = { "`` | 1 | Write VARIANT.METRIC here",
			"netty.cpu > 1ms | 1 | There is no variant 'netty' in this run; choose one of webflux, webmvc-vt",
			"webflux > 1ms | 1 | Write VARIANT.METRIC here", "webflux.cpu | 12 | Write >, >=, < or <= here",
			"webflux.c17.cpu > 1ms | 9 | There is no load 'c17'; choose one of c16, r500-poisson",
			"webflux.cpu > s.c16.cpu | 17 | Name the load on the left side",
			"webflux.cpu == 1ms | 13 | Write >, >=, < or <= here",
			"webflux.cpu => 1ms | 13 | Write >, >=, < or <= here",
			"webflux.cpu > | 14 | Write VARIANT.METRIC, a number",
			"webflux.cpu > -5ms | 15 | Write VARIANT.METRIC, a number",
			"webflux.cpu > 1ms > 2ms | 19 | Write nothing more here",
			"webflux.cpu - s.cpu > 1ms | 13 | Write >, >=, < or <= here",
			"webflux.cpu > 1ms + s.cpu | 19 | Write nothing more here",
			"webflux.cpu > 5xs | 16 | 'webflux.cpu' is told in µs; choose one of ms, s, us, µs",
			"webflux.cpu > 5 | 16 | 'webflux.cpu' is told in µs; choose one of ms, s, us, µs",
			"webflux.cpu > 5MiB | 16 | 'webflux.cpu' is told in µs; choose one of ms, s, us, µs",
			"webflux.cpu > 5ms * s.cpu | 16 | Write a factor without a unit, or with %",
			"webflux.cpu > s.throughput | 15 | 'webflux.cpu' is told in µs, and 's.throughput' in req/s",
			"1ms < webflux.cpu | 1 | Write VARIANT.METRIC here",
			"direct.cpu > 1ms | 8 | There is no metric 'cpu' of direct; choose one of throughput, service-p99" })
	void whatIsWrongIsToldWithItsPlace(String text, int character, String advice) {
		assertThatExceptionOfType(InvalidThresholdException.class).isThrownBy(() -> parse(text))
			.withMessageStartingWith("--fail-if is wrong at character " + character + ":")
			.withMessageContaining(System.lineSeparator() + "  " + " ".repeat(character - 1) + "^")
			.withMessageContaining(advice);
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
			assertThat(lines).as(text).hasSize(4);
			assertThat(lines.get(2)).as(text).matches(" {2,}\\^");
			return false;
		}
	}

	private static Condition parse(String text) {
		return ConditionParser.parse("--fail-if", text, KNOWN, LOADS);
	}

}
