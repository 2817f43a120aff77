package io.gatewaybench.benchmark.threshold;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.threshold.Expression.Amount;
import io.gatewaybench.benchmark.threshold.Expression.Figure;
import io.gatewaybench.benchmark.threshold.Expression.Operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ConditionParserTests {

	private static final int TEXTS = 20_000;

	private static final List<String> VARIANTS = List.of("webflux", "webmvc-vt", "s", "5ms", "16-routes");

	private static final Map<String, List<Metric>> KNOWN = known();

	private static Map<String, List<Metric>> known() {
		Map<String, List<Metric>> known = new LinkedHashMap<>();
		VARIANTS.forEach((variant) -> known.put(variant, List.of(Metric.values())));
		known.put("direct", List.of(Metric.THROUGHPUT, Metric.SERVICE_P99));
		return known;
	}

	@ParameterizedTest
	@ValueSource(strings = { "webmvc-vt.cpu-per-request > 1.10 * webflux.cpu-per-request",
			"webflux.allocation > 0.5MiB", "webflux.throughput < 95% * direct.throughput",
			"webflux.cpu - (s.cpu - 5ms.cpu) > 1ms", "webflux.cpu - s.cpu - 5ms.cpu > 1ms",
			"webflux.cpu / (s.cpu / 5ms.cpu) > 1ms", "5ms.cpu > 5ms / 16-routes.cpu * s.cpu",
			"webflux.p99-of-the-service-time > 1s", "webflux.throughput * webflux.cpu > 0.9" })
	void aConditionIsPrintedAsItIsRead(String text) {
		assertThat(parse(text)).hasToString(text);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "webmvc-vt.cpu   >1.10*webflux.cpu | webmvc-vt.cpu > 1.10 * webflux.cpu",
					"webflux.service-p99>=400ms | webflux.service-p99 >= 400ms",
					"400 ms <= webflux.service-p99 | 400ms <= webflux.service-p99",
					"webflux.cpu < 500us | webflux.cpu < 500µs", "webflux.cpu < 500 \u03bcs | webflux.cpu < 500µs",
					"webflux.throughput < 2000/s | webflux.throughput < 2000req/s",
					"((webflux.cpu)) > (2ms + 1ms) * 2 | webflux.cpu > (2ms + 1ms) * 2",
					"(webflux.cpu/s.cpu)*2 > 1 | webflux.cpu / s.cpu * 2 > 1",
					"2 /s.cpu*webflux.cpu > 1 | 2 / s.cpu * webflux.cpu > 1" })
	void spacesParenthesesAndNamesOfUnitsDoNotMatter(String text, String printed) {
		assertThat(parse(text)).hasToString(printed);
	}

	@Test
	void productsComeBeforeSumsAndEverythingElseFromTheLeft() {
		Condition condition = parse("1 + 2 * 3 - 8 / 4 / 2 > webflux.cpu / webflux.cpu");
		assertThat(condition.left().value((figure) -> 0)).isEqualTo(6);
		assertThat(condition.relation()).isEqualTo(Relation.MORE);
		assertThat(condition.right()).isEqualTo(
				new Operation(new Figure("webflux", "cpu", Metric.CPU), '/', new Figure("webflux", "cpu", Metric.CPU)));
	}

	@Test
	void everyUnitOfAMetricIsKnownAndUnitsAreWhatTheySay() {
		assertThat(Metric.values()).allSatisfy((metric) -> assertThat(Unit.of(metric.unit())).isPresent());
		assertThat(value("1s")).isEqualTo(value("1000ms")).isEqualTo(value("1000000us"));
		assertThat(value("1GiB")).isEqualTo(value("1024MiB")).isEqualTo(value("1048576KiB"));
		assertThat(value("1GB")).isEqualTo(value("1000MB")).isEqualTo(value("1000000000B"));
		assertThat(value("50%")).isEqualTo(0.5);
	}

	private static double value(String amount) {
		Condition condition = parse(amount + " / " + amount + " * webflux.cpu > 1ms");
		Operation product = (Operation) condition.left();
		return ((Operation) product.left()).left().value((figure) -> 0);
	}

	@Test
	void theMessageHasTheConditionACaretAndTheNearestName() {
		assertThatExceptionOfType(InvalidThresholdException.class)
			.isThrownBy(() -> parse("webmvc-vt.cpu-per-reqest > webflux.cpu"))
			.withMessage(
					"""
							--fail-if is wrong at character 11:
							  webmvc-vt.cpu-per-reqest > webflux.cpu
							            ^
							There is no metric 'cpu-per-reqest' of webmvc-vt; did you mean cpu-per-request? Choose one of cpu, \
							allocation, heap, memory, throughput, service-mean, service-p50, service-p99, overhead-p50, overhead-p99, \
							response-p50, slo-p99. Put a space before and after a minus.""");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "null", value = {
			"`` | 1 | Write VARIANT.METRIC, a number or ( here",
			"webfluxx.cpu > 1ms | 1 | There is no variant 'webfluxx' in this run; did you mean webflux? Choose one of webflux, webmvc-vt",
			"netty.cpu > 1ms | 1 | There is no variant 'netty' in this run; choose one of webflux, webmvc-vt",
			"webflux > 1ms | 8 | Write a dot and a metric behind the variant, such as webflux.service-p99",
			"webflux.cpu | 12 | Write >, >=, < or <= here", "webflux.cpu == 1ms | 13 | Write >, >=, < or <= here",
			"webflux.cpu => 1ms | 13 | Write >, >=, < or <= here", "webflux.cpu > | 14 | Write VARIANT.METRIC",
			"webflux.cpu > 1ms > 2ms | 19 | Only one comparison is possible",
			"webflux.cpu > 1ms webmvc-vt.cpu | 19 | Write +, -, * or / here, or nothing more",
			"webflux.cpu > 5xs | 16 | There is no unit 'xs'; choose one of %, µs, ms, s, B",
			"webflux.cpu > 5 | 13 | 'webflux.cpu' is a time, and '5' is a plain number, so > is not possible. Units are %, µs",
			"webflux.cpu > 5MiB | 13 | 'webflux.cpu' is a time, and '5MiB' is an amount of memory",
			"webflux.cpu + webflux.throughput > 5ms | 13 | is a rate, so + is not possible",
			"webflux.cpu * webflux.cpu > 5ms | 27 | 'webflux.cpu * webflux.cpu' is time^2 * memory^0",
			"(webflux.cpu > 5ms | 14 | A parenthesis is open", "webflux.cpu) > 5ms | 12 | Write >, >=, < or <= here",
			"webflux.cpu > -5ms | 15 | Write VARIANT.METRIC, a number or ( here",
			"direct.cpu > 1ms | 8 | There is no metric 'cpu' of direct; choose one of throughput, service-p99",
			"webflux.cpu-s.cpu > 1ms | 9 | There is no metric 'cpu-s' of webflux",
			"2ms > 1ms | 1 | There is no VARIANT.METRIC in it" })
	void whatIsWrongIsToldWithItsPlace(String text, int character, String advice) {
		assertThatExceptionOfType(InvalidThresholdException.class).isThrownBy(() -> parse(text))
			.withMessageStartingWith("--fail-if is wrong at character " + character + ":")
			.withMessageContaining(System.lineSeparator() + "  " + " ".repeat(character - 1) + "^")
			.withMessageContaining(advice);
	}

	@Test
	void aConditionThatNeedsTooDeepAStackIsRefused() {
		String deep = "(".repeat(100_000) + "webflux.cpu" + ")".repeat(100_000) + " > 1ms";
		String wide = "webflux.cpu" + " + 1ms".repeat(100_000) + " > 1ms";
		assertThat(List.of(deep, wide)).allSatisfy(
				(text) -> assertThatExceptionOfType(InvalidThresholdException.class).isThrownBy(() -> parse(text))
					.withMessageContaining("use up to 200 values"));
		assertThatExceptionOfType(InvalidThresholdException.class)
			.isThrownBy(() -> parse("webflux.cpu > " + "9".repeat(400) + "ms"))
			.withMessageContaining("too large");
	}

	@Test
	void aTerminalGetsNoControlCharacters() {
		assertThatExceptionOfType(InvalidThresholdException.class).isThrownBy(() -> parse("a\u001b[2J\tb\u202e > 1"))
			.satisfies((ex) -> assertThat(ex.getMessage().lines().toList().get(1)).isEqualTo("  a [2J b  > 1"));
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	void everyConditionIsTheSameAfterItIsPrintedAndRead(long seed) {
		Random random = new Random(seed);
		for (int count = 0; count < TEXTS; count++) {
			Condition condition = new Condition(new Operation(figure(random), '*', expression(random, 4)),
					Relation.values()[random.nextInt(4)], expression(random, 4));
			// Its dimension is no matter of the grammar
			condition = fitting(condition);
			assertThat(parse(condition.toString())).as("seed %d, %s", seed, condition).isEqualTo(condition);
		}
	}

	// With factors that make a plain number of both sides
	private static Condition fitting(Condition condition) {
		return new Condition(plain(condition.left()), condition.relation(), plain(condition.right()));
	}

	private static Expression plain(Expression expression) {
		Expression plain = expression;
		while (plain.dimension().time() > 0) {
			plain = new Operation(plain, '/', new Amount("2.50", Unit.SECONDS));
		}
		while (plain.dimension().time() < 0) {
			plain = new Operation(plain, '*', new Amount("1", Unit.MICROSECONDS));
		}
		while (plain.dimension().memory() > 0) {
			plain = new Operation(plain, '/', new Amount("0.1", Unit.MEGABYTES));
		}
		while (plain.dimension().memory() < 0) {
			plain = new Operation(plain, '*', new Amount("007", Unit.KIBIBYTES));
		}
		return plain;
	}

	private static Expression expression(Random random, int depth) {
		return switch (random.nextInt((depth == 0) ? 2 : 5)) {
			case 0 -> figure(random);
			case 1 -> new Amount(random.nextInt(2000) + (random.nextBoolean() ? "." + random.nextInt(1000) : ""),
					Unit.values()[random.nextInt(Unit.values().length)]);
			case 2 -> new Operation(plain(expression(random, depth - 1)), random.nextBoolean() ? '+' : '-',
					plain(expression(random, depth - 1)));
			default -> new Operation(expression(random, depth - 1), random.nextBoolean() ? '*' : '/',
					expression(random, depth - 1));
		};
	}

	private static Figure figure(Random random) {
		Metric metric = Metric.values()[random.nextInt(Metric.values().length)];
		return new Figure(VARIANTS.get(random.nextInt(VARIANTS.size())),
				metric.names().get(random.nextInt(metric.names().size())), metric);
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	void whateverTheTextIsItIsAConditionOrIsRefused(long seed) {
		Random random = new Random(seed);
		List<String> parts = List.of("webflux.cpu", "webmvc-vt.", ".", "s", "5ms", "1.10", "%", "/s", "req/s", "(", ")",
				"+", "-", "*", "/", ">", ">=", "<", "=", " ", "\t", "\n", "µ", "\ud83d", "\u0000", "99999",
				"direct.cpu");
		int read = 0;
		for (int count = 0; count < TEXTS; count++) {
			StringBuilder text = new StringBuilder();
			for (int part = random.nextInt(12); part > 0; part--) {
				text.append((random.nextInt(8) == 0) ? (char) random.nextInt(0x10000)
						: parts.get(random.nextInt(parts.size())));
			}
			read += isRead(text.toString()) ? 1 : 0;
			// Nearly right
			StringBuilder spoilt = new StringBuilder("webmvc-vt.cpu > (1.10 * webflux.cpu)");
			spoilt.setCharAt(random.nextInt(spoilt.length()), (char) random.nextInt(128));
			read += isRead(spoilt.toString()) ? 1 : 0;
		}
		assertThat(read).isPositive();
	}

	private static boolean isRead(String text) {
		try {
			Condition condition = parse(text);
			assertThat(parse(condition.toString())).as(text).isEqualTo(condition);
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
		return ConditionParser.parse("--fail-if", text, KNOWN);
	}

}
