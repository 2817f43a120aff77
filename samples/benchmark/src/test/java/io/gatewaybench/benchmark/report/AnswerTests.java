package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import io.gatewaybench.benchmark.result.Analysis;
import io.gatewaybench.benchmark.result.Comparison;
import io.gatewaybench.benchmark.result.MainQuestion;
import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.SampleResults;
import io.gatewaybench.benchmark.result.ScenarioResult;
import io.gatewaybench.benchmark.result.WarmupCurve;
import io.gatewaybench.benchmark.statistics.Interval;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

class AnswerTests {

	private static final List<String> NAMES = List.of("WebFlux", "WebMVC+VT", "WebMVC", "WebMVC, platform threads",
			"Spring Cloud Gateway with everything", "nginx");

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			0.80 | 0.88 | 0.1 | B needs 12–20 % less CPU per request than A (0.80–0.88).
			1.12 | 1.20 | 0.1 | B needs 12–20 % more CPU per request than A (1.12–1.20).
			0.97 | 1.04 | 0.1 | B needs the same CPU per request as A, within 10 % (0.97–1.04).
			0.96 | 0.98 | 0.1 | B needs 2–4 % less CPU per request than A, which is the same within 10 % (0.960–0.980).
			""")
	void anIntervalIsSaidInASentence(double low, double high, double margin, String sentence) {
		assertThat(sentence(low, high, margin)).isEqualTo(sentence);
	}

	@Test
	void whatIsNotDecidedSaysItsBoundsAndWhatWouldDecideIt() {
		assertThat(sentence(0.96, 1.13, 0.1)).matches(
				"B needs between 4 % less and 13 % more CPU per request than A \\(0\\.96–1\\.13\\): not decided at 10 %\\. "
						+ "A run with --starts \\d+, about .*, would\\.");
		assertThat(sentence(0.5, 2.0001, 0.01)).endsWith("No run of a reasonable length would decide it.");
	}

	@Test
	void noSentenceContradictsItsCell() {
		Random random = new Random(42);
		for (int run = 0; run < 500; run++) {
			RunResults results = run(random);
			Answer answer = Answer.of(results);
			List<String> failed = results.scenarios()
				.stream()
				.filter((each) -> !each.failures().isEmpty())
				.map(ScenarioResult::variant)
				.toList();
			failed.forEach((variant) -> assertThat(answer.sentences())
				.anyMatch((sentence) -> sentence.startsWith(variant + ", 16 conn. failed: ")));
			for (Comparison comparison : results.answers()) {
				List<String> sentences = answer.sentences()
					.stream()
					.filter((sentence) -> sentence.matches("\\Q" + comparison.variant() + "\\E (needs|has) .*"))
					.toList();
				if (failed.contains(comparison.variant()) || failed.contains(comparison.baseline())) {
					assertThat(sentences).isEmpty();
				}
				else {
					assertThat(sentences).singleElement().satisfies((sentence) -> {
						assertThat(kind(sentence)).isEqualTo(kind(comparison.ratio(), results.question().margin()));
						assertThat(sentence).contains("(" + Figures.range(comparison.ratio()) + ")");
					});
				}
				List<Row> rows = Row.of(results);
				Row row = rows.stream()
					.filter((each) -> each.first().variant().equals(comparison.variant()))
					.findFirst()
					.orElseThrow();
				boolean sound = !failed.contains(comparison.variant()) && !failed.contains(comparison.baseline());
				assertThat(answer.table().rows().stream().flatMap(List::stream))
					.contains(Answer.cell(row, comparison.metric(), rows))
					.matches((cells) -> !sound
							|| cells.stream().anyMatch((cell) -> cell.contains(Figures.range(comparison.ratio()))));
			}
			assertThat(answer.table().rows()).hasSizeLessThanOrEqualTo(6);
		}
	}

	@Test
	void thresholdsAreTheSameUpwardsAndDownwards() {
		Random random = new Random(7);
		for (int run = 0; run < 2_000; run++) {
			double margin = 0.01 + 0.3 * random.nextDouble();
			Interval ratio = interval(random);
			String up = kind(sentence(ratio.low(), ratio.high(), margin));
			String down = kind(sentence(1 / ratio.high(), 1 / ratio.low(), margin));
			assertThat(down).isEqualTo(switch (up) {
				case "less" -> "more";
				case "more" -> "less";
				case "less, same" -> "more, same";
				case "more, same" -> "less, same";
				default -> up;
			});
		}
	}

	@Test
	void nothingOnATerminalIsWiderThanItIs() {
		Random random = new Random(3);
		for (int run = 0; run < 500; run++) {
			assertThat(TerminalReport.render(run(random)).lines())
				.allSatisfy((line) -> assertThat(line).hasSizeLessThanOrEqualTo(100));
		}
	}

	@Test
	void oneVariantIsToldWithoutARatio() {
		Answer answer = Answer.of(SampleResults.of("A title", Status.COMPLETE, SampleResults.direct(1),
				SampleResults.good("webflux-c16", "WebFlux", 1)));
		assertThat(answer.sentences())
			.containsExactly("WebFlux, 16 conn.: CPU per request 395 µs. There is nothing to compare it with.");
		assertThat(answer.table().rows()).first().asInstanceOf(LIST).containsExactly("CPU per request", "395 µs");
	}

	@Test
	void aFigureThatSaysNothingHasNoAdvice() {
		RunResults two = SampleResults.of("A title", Status.COMPLETE, SampleResults.good("webflux-c16", "WebFlux", 1),
				SampleResults.good("webmvc-c16", "WebMVC", 1));
		List<Comparison> vague = two.analysis()
			.comparisons()
			.stream()
			.map((each) -> new Comparison(each.load(), each.variant(), each.baseline(), each.metric(), each.unit(),
					new Interval(1, 1e-9, 1e9, 2), each.rounds()))
			.toList();
		RunResults results = SampleResults.with(two, "analysis", new Analysis(two.analysis().estimates(), vague));
		assertThat(results.answers()).isNotEmpty();
		assertThat(Answer.of(results).next()).noneMatch((line) -> line.startsWith("To know it better"));
	}

	@Test
	void gatewaysThatNeverGotWarmAreToldWithWhatToDo() {
		RunResults run = SampleResults.of("A title", Status.COMPLETE, SampleResults.direct(1))
			.with(List.of(new WarmupCurve("WebFlux", 1, List.of(), false, true),
					new WarmupCurve("WebMVC", 1, List.of(), false, true),
					new WarmupCurve("WebMVC", 2, List.of(), false, false)), List.of(), List.of(), List.of());
		String advice = ". Allow more with --warmup 120s and a longer --time, or choose fewer with --only.";
		assertThat(Answer.of(run).sentences())
			.startsWith("NOT SURE, as compilers were still at work in these, and their figures may be too high: "
					+ "WebFlux in start 1, WebMVC in start 1" + advice);
		assertThat(Answer.of(run).howSure())
			.startsWith("Left out, as compilers were still at work: WebMVC in start 2" + advice);
	}

	@Test
	void aBusyMachineHasAnAnswerAndIsTold() {
		RunResults run = SampleResults.of("A title", Status.COMPLETE,
				SampleResults.good("webflux-c16", "WebFlux", 1, 400),
				SampleResults.good("webmvc-c16", "WebMVC", 1, 404));
		assertThat(Answer.of(run).howSure()).noneMatch((line) -> line.contains("few of the cores"));
		RunResults busy = run.with(List.of(), List.of(), List.of(),
				run.slices()
					.stream()
					.map((slice) -> SampleResults.with(slice, "round", slice.round() + 2, "foreign", 0.99))
					.toList());
		assertThat(Answer.of(busy).sentences()).singleElement().asString().startsWith("WebMVC needs between");
		assertThat(Answer.of(busy).howSure())
			.anyMatch((line) -> line.endsWith("Gateways that get few of the cores have other ratios, "
					+ "so starts may differ 3.6 times as much as on a quiet machine."));
		assertThat(Answer.of(busy).next()).last()
			.isEqualTo("Stop other programs, and run it again: the intervals are narrower on a quiet machine.");
	}

	@Test
	void withoutASliceNothingWasMeasured() {
		Answer answer = Answer.of(SampleResults.of("A title", Status.FAILED));
		assertThat(answer.sentences()).containsExactly("Nothing was measured: The gateway fell over; see x.log");
		assertThat(answer.howSure()).containsExactly("The run failed: The gateway fell over; see x.log");
		assertThat(answer.table().isEmpty()).isTrue();
	}

	@Test
	void howSureItIsSaysWhatTheAnswerComesFrom() {
		List<ScenarioResult> scenarios = new ArrayList<>();
		for (int start = 1; start <= 2; start++) {
			scenarios.add(SampleResults.good("webflux-c16", "WebFlux", start, 400));
			scenarios.add(SampleResults.good("webmvc-c16", "WebMVC", start, 410));
		}
		RunResults two = SampleResults.of("A title", Status.COMPLETE, scenarios.toArray(ScenarioResult[]::new));
		assertThat(Answer.of(two).howSure())
			.anyMatch((line) -> line.startsWith("2 starts of all gateways with 2 rounds each, 8 slices of"))
			.anyMatch((line) -> line.startsWith("Other machines on the host took 0.2 % of the CPU time"))
			.noneMatch((line) -> line.startsWith("One start"));
		RunResults one = SampleResults.with(
				SampleResults.of("A title", Status.INTERRUPTED, scenarios.get(0), scenarios.get(1)), "voids",
				List.of("a, start 1, round 1: it was late"));
		assertThat(Answer.of(one).howSure()).first()
			.isEqualTo("The run was interrupted; this is what was known by then.");
		assertThat(Answer.of(one).howSure()).anyMatch((line) -> line.startsWith("One start"))
			.anyMatch((line) -> line.contains("void and played again"));
		assertThat(Answer.of(two).next()).first().isEqualTo("Choose WebFlux if you like it.");
		assertThat(Answer.of(two).next()).last().asString().contains("--starts 4 takes about");
	}

	/**
	 * What a sentence says.
	 */
	private static String kind(String sentence) {
		if (sentence.contains(": not decided at ")) {
			return "not decided";
		}
		String same = sentence.contains("the same") ? "same" : "";
		if (sentence.contains(" % less ")) {
			return same.isEmpty() ? "less" : "less, same";
		}
		return !sentence.contains(" % more ") ? same : same.isEmpty() ? "more" : "more, same";
	}

	/**
	 * What follows from an interval and the margin.
	 */
	private static String kind(Interval ratio, double margin) {
		boolean same = ratio.low() >= 1 / (1 + margin) && ratio.high() <= 1 + margin;
		String different = (ratio.high() < 1) ? "less" : (ratio.low() > 1) ? "more" : "";
		if (different.isEmpty()) {
			return same ? "same" : "not decided";
		}
		return different + (same ? ", same" : "");
	}

	private static String sentence(double low, double high, double margin) {
		RunResults results = SampleResults.of("A title", Status.COMPLETE);
		return Answer.sentence(
				new Comparison("c16", "B", "A", Metric.CPU, "µs", new Interval(Math.sqrt(low * high), low, high, 3), 8),
				new MainQuestion(Metric.CPU, "c16", margin), results);
	}

	private static Interval interval(Random random) {
		double estimate = Math.exp(0.2 * random.nextGaussian());
		double half = Math.exp(0.15 * random.nextDouble());
		return new Interval(estimate, estimate / half, estimate * half, 1 + random.nextInt(4));
	}

	/**
	 * A run of some variants, of which some failed, with any ratios.
	 */
	private static RunResults run(Random random) {
		Metric main = List.of(Metric.CPU, Metric.THROUGHPUT, Metric.SLO_P99).get(random.nextInt(3));
		int variants = 2 + random.nextInt(NAMES.size() - 1);
		ScenarioResult[] scenarios = IntStream.range(0, variants).mapToObj((i) -> {
			ScenarioResult good = SampleResults.good("v" + i + "-c16", NAMES.get(i), 1,
					400 + 10_000 * random.nextInt(2));
			return (random.nextInt(6) > 0) ? good
					: SampleResults.with(good, "failures", List.of("no response was successful"));
		}).toArray(ScenarioResult[]::new);
		RunResults results = SampleResults.of("A title", Status.COMPLETE, scenarios);
		List<Comparison> comparisons = results.analysis()
			.comparisons()
			.stream()
			.map((each) -> new Comparison(each.load(), each.variant(), each.baseline(), each.metric(), each.unit(),
					interval(random), each.rounds()))
			.toList();
		return SampleResults.with(results, "analysis", new Analysis(results.analysis().estimates(), comparisons),
				"question", new MainQuestion(main, "c16", 0.01 + 0.3 * random.nextDouble()));
	}

}
