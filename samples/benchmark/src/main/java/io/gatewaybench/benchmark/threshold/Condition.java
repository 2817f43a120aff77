package io.gatewaybench.benchmark.threshold;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.gatewaybench.benchmark.result.Metric;

/**
 * What must not hold: a figure beside a number, or beside a multiple of another variant's
 * figure.
 *
 * @param text what was written
 * @param load the only load under which it is judged, {@code null} for all
 * @param left the figure on the left
 * @param relation {@code >}, {@code >=}, {@code <} or {@code <=}
 * @param number the number in the unit of the metric, or the factor of the figure on the
 * right
 * @param right the figure on the right, {@code null} for a number
 */
record Condition(String text, @Nullable String load, Figure left, String relation, double number,
		@Nullable Figure right) {

	private static final Pattern SYNTAX = Pattern.compile("""
			(?x) \\s* (?<variant>\\w[\\w-]*) [.] (?:(?<load>[A-Za-z][\\w.-]*)[.])? (?<metric>[A-Za-z_][\\w-]*)
			\\s* (?<relation>[<>]=?) \\s*
			(?: (?: (?<factor>[0-9]{1,15}(?:[.][0-9]{1,15})?) \\s* (?<percent>%)? \\s* [*] \\s* )?
			    (?<other>\\w[\\w-]*) [.] (?<otherMetric>[A-Za-z_][\\w-]*)
			  | (?<number>[0-9]{1,15}(?:[.][0-9]{1,15})?) \\s* (?<unit>[^\\s*<>=]*) )
			\\s*""");

	private static final String USAGE = "Write VARIANT.METRIC > 1.10 * VARIANT.METRIC, or VARIANT.METRIC > 400ms, with >, >=, "
			+ "< or <=; the left side may name a load, as in VARIANT.LOAD.METRIC. Variants are ";

	/**
	 * Those that can stand for one another, with their factors.
	 */
	private static final List<Map<String, Double>> UNITS = List.of(Map.of("µs", 1.0, "us", 1.0, "ms", 1e3, "s", 1e6),
			Map.of("KiB", 1.0, "MiB", 1024.0, "GiB", 1024.0 * 1024), Map.of("req/s", 1.0, "/s", 1.0));

	/**
	 * Reads a condition.
	 * @param source where it is written
	 * @param text the condition
	 * @param known the metrics of each variant
	 * @param loads the loads
	 * @return the condition
	 * @throws InvalidThresholdException if the text is no condition
	 */
	static Condition parse(String source, String text, Map<String, List<Metric>> known, Collection<String> loads) {
		Matcher parts = SYNTAX.matcher(text);
		if (!parts.matches()) {
			throw new InvalidThresholdException(source, text, USAGE + String.join(", ", known.keySet()));
		}
		try {
			String load = parts.group("load");
			require(load == null || loads.contains(load), "There is no load '" + load + "'", loads);
			Figure left = Figure.of(parts.group("variant"), parts.group("metric"), known);
			String plain = text.strip().replaceAll("\\s+", " ");
			if (parts.group("number") != null) {
				double number = Double.parseDouble(parts.group("number")) * factor(parts.group("unit"), left);
				return new Condition(plain, load, left, parts.group("relation"), number, null);
			}
			Figure right = Figure.of(parts.group("other"), parts.group("otherMetric"), known);
			String unit = left.metric().unit();
			if (!right.metric().unit().equals(unit)) {
				throw new IllegalArgumentException(
						"'%s' is told in %s, and '%s' in %s".formatted(left, unit, right, right.metric().unit()));
			}
			double factor = Optional.ofNullable(parts.group("factor")).map(Double::valueOf).orElse(1.0);
			return new Condition(plain, load, left, parts.group("relation"),
					(parts.group("percent") != null) ? factor / 100 : factor, right);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidThresholdException(source, text, ex.getMessage());
		}
	}

	private static double factor(String unit, Figure left) {
		String own = left.metric().unit();
		Map<String, Double> units = UNITS.stream()
			.filter((each) -> each.containsKey(own))
			.findFirst()
			.orElse(Map.of(own, 1.0));
		require(units.containsKey(unit), "'" + left + "' is told in " + own, units.keySet().stream().sorted().toList());
		return units.getOrDefault(unit, 1.0) / units.getOrDefault(own, 1.0);
	}

	private static void require(boolean holds, String problem, Collection<String> choice) {
		if (!holds) {
			throw new IllegalArgumentException(problem + "; choose one of " + String.join(", ", choice));
		}
	}

	/**
	 * The figures that it needs.
	 */
	List<Figure> figures() {
		return (this.right != null) ? List.of(this.left, this.right) : List.of(this.left);
	}

	/**
	 * Whether it holds for two numbers.
	 */
	boolean holds(double one, double other) {
		return switch (this.relation) {
			case ">" -> one > other;
			case ">=" -> one >= other;
			case "<" -> one < other;
			default -> one <= other;
		};
	}

	/**
	 * A metric of a variant.
	 *
	 * @param variant the id of the variant
	 * @param name the metric, as it was written
	 * @param metric the metric
	 */
	record Figure(String variant, String name, Metric metric) {

		private static Figure of(String variant, String name, Map<String, List<Metric>> known) {
			require(known.containsKey(variant), "There is no variant '" + variant + "' in this run", known.keySet());
			List<Metric> metrics = known.getOrDefault(variant, List.of());
			Optional<Metric> metric = Metric.named(name).filter(metrics::contains);
			require(metric.isPresent(), "There is no metric '" + name + "' of " + variant,
					metrics.stream().map(Metric::key).toList());
			return new Figure(variant, name, metric.orElseThrow());
		}

		@Override
		public String toString() {
			return this.variant + "." + this.name;
		}

	}

}
