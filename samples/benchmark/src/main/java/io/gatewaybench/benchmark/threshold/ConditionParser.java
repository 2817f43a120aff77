package io.gatewaybench.benchmark.threshold;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.threshold.Condition.Figure;
import org.jspecify.annotations.Nullable;

/**
 * Reads a condition. <pre>
 * condition = VARIANT [ "." LOAD ] "." METRIC ( "&gt;" | "&gt;=" | "&lt;" | "&lt;=" ) right
 * right     = [ NUMBER [ "%" ] "*" ] VARIANT "." METRIC | NUMBER UNIT
 * </pre>
 */
final class ConditionParser {

	private static final Pattern SPACE = Pattern.compile("\\s*");

	// A variant may begin with a digit, a metric may not: 1.5 is a number
	private static final Pattern FIGURE = Pattern
		.compile("([A-Za-z0-9_][A-Za-z0-9_-]*)\\.(?:([A-Za-z][A-Za-z0-9_.-]*)\\.)?([A-Za-z_][A-Za-z0-9_-]*)");

	private static final Pattern NUMBER = Pattern.compile("[0-9]{1,15}(?:\\.[0-9]{1,15})?");

	private static final Pattern UNIT = Pattern.compile("[^\\s*<>=]+");

	private static final Pattern RELATION = Pattern.compile("[<>]=?");

	private static final Pattern TIMES = Pattern.compile("\\*");

	// Each with what one of it is in the first one
	private static final List<Map<String, Double>> UNITS = List.of(Map.of("µs", 1.0, "us", 1.0, "ms", 1e3, "s", 1e6),
			Map.of("KiB", 1.0, "MiB", 1024.0, "GiB", 1024.0 * 1024), Map.of("req/s", 1.0, "/s", 1.0));

	private final String source;

	private final String text;

	private final Map<String, List<Metric>> known;

	private final Collection<String> loads;

	private final Matcher matcher;

	private int position;

	private ConditionParser(String source, String text, Map<String, List<Metric>> known, Collection<String> loads) {
		this.source = source;
		this.text = text;
		this.known = known;
		this.loads = loads;
		this.matcher = SPACE.matcher(text);
	}

	/**
	 * Reads a condition.
	 * @param source where it is written, for messages
	 * @param text the condition
	 * @param known the metrics that each variant has, by the ids of the variants
	 * @param loads the ids of the loads
	 * @return the condition
	 * @throws InvalidThresholdException if the text is no condition
	 */
	static Condition parse(String source, String text, Map<String, List<Metric>> known, Collection<String> loads) {
		return new ConditionParser(source, text, known, loads).condition();
	}

	private Condition condition() {
		Figure left = figure();
		String load = this.matcher.group(2);
		if (load != null && !this.loads.contains(load)) {
			throw invalid(this.matcher.start(2), "There is no load '" + load + "'" + choice(this.loads));
		}
		String relation = accept(RELATION);
		if (relation == null) {
			throw invalid(this.position, "Write >, >=, < or <= here");
		}
		double number = 1;
		Figure right = null;
		if (isNext(FIGURE)) {
			right = right(left);
		}
		else {
			String digits = accept(NUMBER);
			if (digits == null) {
				throw invalid(this.position,
						"Write VARIANT.METRIC, a number with its unit, or 1.10 * VARIANT.METRIC here");
			}
			String unit = accept(UNIT);
			int place = (unit != null) ? this.matcher.start() : this.position;
			number = Double.parseDouble(digits);
			if (accept(TIMES) == null) {
				number *= unit(place, unit, left);
			}
			else {
				if (unit != null && !unit.equals("%")) {
					throw invalid(place, "Write a factor without a unit, or with %");
				}
				number = (unit != null) ? number / 100 : number;
				right = right(left);
			}
		}
		if (isNext(Pattern.compile("."))) {
			throw invalid(this.position, "Write nothing more here; a condition is one comparison of two sides");
		}
		return new Condition(this.text.strip().replaceAll("\\s+", " "), load, left, relation, number, right);
	}

	private Figure right(Figure left) {
		Figure right = figure();
		if (this.matcher.group(2) != null) {
			throw invalid(this.matcher.start(2), "Name the load on the left side, and only there");
		}
		if (!right.metric().unit().equals(left.metric().unit())) {
			throw invalid(this.matcher.start(), "'%s' is told in %s, and '%s' in %s".formatted(left,
					left.metric().unit(), right, right.metric().unit()));
		}
		return right;
	}

	private Figure figure() {
		if (accept(FIGURE) == null) {
			throw invalid(this.position, "Write VARIANT.METRIC here, such as in webmvc.cpu-per-request > 1.10 *"
					+ " webflux.cpu-per-request. Variants are " + String.join(", ", this.known.keySet()));
		}
		String variant = this.matcher.group(1);
		String name = this.matcher.group(3);
		List<Metric> metrics = this.known.get(variant);
		if (metrics == null) {
			throw invalid(this.matcher.start(1),
					"There is no variant '" + variant + "' in this run" + choice(this.known.keySet()));
		}
		return Metric.named(name)
			.filter(metrics::contains)
			.map((metric) -> new Figure(variant, name, metric))
			.orElseThrow(() -> invalid(this.matcher.start(3), "There is no metric '" + name + "' of " + variant
					+ choice(metrics.stream().map(Metric::key).toList())));
	}

	private double unit(int place, @Nullable String symbol, Figure left) {
		String own = left.metric().unit();
		Map<String, Double> units = UNITS.stream().filter((each) -> each.containsKey(own)).findFirst().orElseThrow();
		Double factor = (symbol != null) ? units.get(symbol) : null;
		if (factor == null) {
			throw invalid(place,
					"'" + left + "' is told in " + own + choice(units.keySet().stream().sorted().toList()));
		}
		return factor / units.getOrDefault(own, 1.0);
	}

	private boolean isNext(Pattern pattern) {
		this.matcher.usePattern(SPACE).region(this.position, this.text.length()).lookingAt();
		this.position = this.matcher.end();
		return this.matcher.usePattern(pattern).region(this.position, this.text.length()).lookingAt();
	}

	private @Nullable String accept(Pattern pattern) {
		if (!isNext(pattern)) {
			return null;
		}
		this.position = this.matcher.end();
		return this.matcher.group();
	}

	private InvalidThresholdException invalid(int place, String advice) {
		return new InvalidThresholdException(this.source, this.text, place, advice + ".");
	}

	private static String choice(Collection<String> all) {
		return "; choose one of " + String.join(", ", all);
	}

}
