package io.gatewaybench.benchmark.threshold;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.gatewaybench.benchmark.result.Metric;
import io.gatewaybench.benchmark.threshold.Expression.Amount;
import io.gatewaybench.benchmark.threshold.Expression.Figure;
import io.gatewaybench.benchmark.threshold.Expression.Operation;
import org.jspecify.annotations.Nullable;

/**
 * Reads a condition. <pre>
 * condition = sum ( "&gt;" | "&gt;=" | "&lt;" | "&lt;=" ) sum
 * sum       = product { ( "+" | "-" ) product }
 * product   = value { ( "*" | "/" ) value }
 * value     = VARIANT "." METRIC | NUMBER [ UNIT ] | "(" sum ")"
 * </pre>
 */
final class ConditionParser {

	private static final Pattern SPACE = Pattern.compile("\\s+");

	// A variant may begin with a digit, a metric may not: 1.5 is a number
	private static final Pattern FIGURE = Pattern.compile("([A-Za-z0-9_][A-Za-z0-9_-]*)\\.([A-Za-z_][A-Za-z0-9_-]*)");

	private static final Pattern NUMBER = Pattern.compile("[0-9]+(?:\\.[0-9]+)?");

	// In 2 /s.cpu the variant is s
	private static final Pattern UNIT = Pattern.compile("\\s*(%|/s|[A-Za-z\u00b5\u03bc]+(?:/s)?)(?![A-Za-z0-9_.])");

	private static final Pattern RELATION = Pattern.compile("[<>]=?");

	private static final Pattern SUM = Pattern.compile("[+-]");

	private static final Pattern PRODUCT = Pattern.compile("[*/]");

	private static final Pattern OPEN = Pattern.compile("\\(");

	private static final Pattern CLOSE = Pattern.compile("\\)");

	private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_-]+");

	// Each may be nested in the one before; too many would overflow the stack
	private static final int MOST_VALUES = 200;

	private static final String EXAMPLE = "such as webmvc.cpu-per-request > 1.10 * webflux.cpu-per-request";

	private final String source;

	private final String text;

	private final Map<String, List<Metric>> known;

	private final Matcher matcher;

	private int position;

	private int values;

	private ConditionParser(String source, String text, Map<String, List<Metric>> known) {
		this.source = source;
		this.text = text;
		this.known = known;
		this.matcher = SPACE.matcher(text);
	}

	/**
	 * Reads a condition.
	 * @param source where it is written, for messages
	 * @param text the condition
	 * @param known the metrics that each variant has, by the ids of the variants
	 * @return the condition
	 * @throws InvalidThresholdException if the text is no condition
	 */
	static Condition parse(String source, String text, Map<String, List<Metric>> known) {
		return new ConditionParser(source, text, known).condition();
	}

	private Condition condition() {
		Expression left = sum();
		int place = place();
		Relation relation = Relation.of(required(RELATION, "Write >, >=, < or <= here")).orElseThrow();
		Expression right = sum();
		if (place() < this.text.length()) {
			throw invalid(this.position,
					(accept(RELATION) != null) ? "Only one comparison is possible; write a condition for each"
							: "Write +, -, * or / here, or nothing more");
		}
		checkFits(place, left, relation.toString(), right);
		Condition condition = new Condition(left, relation, right);
		if (condition.figures().isEmpty()) {
			throw invalid(0,
					"There is no VARIANT.METRIC in it, so no run can answer it; write a comparison " + EXAMPLE);
		}
		return condition;
	}

	private Expression sum() {
		Expression sum = product();
		int place = place();
		for (String operator = accept(SUM); operator != null; operator = accept(SUM)) {
			Expression right = product();
			checkFits(place, sum, operator, right);
			sum = new Operation(sum, operator.charAt(0), right);
			place = place();
		}
		return sum;
	}

	private Expression product() {
		Expression product = value();
		for (String operator = accept(PRODUCT); operator != null; operator = accept(PRODUCT)) {
			product = new Operation(product, operator.charAt(0), value());
		}
		return product;
	}

	private Expression value() {
		int place = place();
		if (++this.values > MOST_VALUES) {
			throw invalid(place, "This is too long; use up to " + MOST_VALUES + " values and parentheses");
		}
		if (accept(OPEN) != null) {
			Expression inner = sum();
			required(CLOSE, "A parenthesis is open; write ) or an operator here");
			return inner;
		}
		if (accept(FIGURE) != null) {
			return figure(place, this.matcher.group(1), this.matcher.group(2));
		}
		String digits = accept(NUMBER);
		return (digits != null) ? amount(place, digits) : noValue(place);
	}

	private Figure figure(int place, String variant, String name) {
		List<Metric> metrics = this.known.get(variant);
		if (metrics == null) {
			throw invalid(place, "There is no variant '" + variant + "' in this run; "
					+ choice(variant, this.known.keySet(), this.known.keySet()));
		}
		return Metric.named(name)
			.filter(metrics::contains)
			.map((metric) -> new Figure(variant, name, metric))
			.orElseThrow(() -> invalid(place + variant.length() + 1,
					"There is no metric '" + name + "' of " + variant + "; "
							+ choice(name, metrics.stream().map(Metric::key).toList(),
									metrics.stream().flatMap((metric) -> metric.names().stream()).toList())
							+ ". Put a space before and after a minus"));
	}

	private Amount amount(int place, String digits) {
		if (!Double.isFinite(Double.parseDouble(digits))) {
			throw invalid(place, "This number is too large");
		}
		if (accept(UNIT) == null) {
			return new Amount(digits, Unit.NONE);
		}
		String symbol = this.matcher.group(1);
		int at = this.matcher.start(1);
		return new Amount(digits, Unit.of(symbol)
			.orElseThrow(() -> invalid(at, "There is no unit '" + symbol + "'; choose one of " + Unit.all())));
	}

	private Expression noValue(int place) {
		String word = accept(WORD);
		if (word != null && this.known.containsKey(word)) {
			throw invalid(place + word.length(),
					"Write a dot and a metric behind the variant, such as " + word + "." + Metric.SERVICE_P99.key());
		}
		throw invalid(place, "Write VARIANT.METRIC, a number or ( here, " + EXAMPLE + ". Variants are "
				+ String.join(", ", this.known.keySet()));
	}

	private void checkFits(int place, Expression left, String operator, Expression right) {
		if (!left.dimension().equals(right.dimension())) {
			throw invalid(place, "'" + left + "' is " + left.dimension().words() + ", and '" + right + "' is "
					+ right.dimension().words() + ", so " + operator + " is not possible. Units are " + Unit.all());
		}
	}

	/**
	 * The place of what comes next.
	 */
	private int place() {
		accept(SPACE, this.position);
		return this.position;
	}

	private @Nullable String accept(Pattern pattern) {
		// A unit belongs to the number in front of it
		return accept(pattern, (pattern == UNIT) ? this.position : place());
	}

	private @Nullable String accept(Pattern pattern, int from) {
		this.matcher.usePattern(pattern).region(from, this.text.length());
		if (!this.matcher.lookingAt()) {
			return null;
		}
		this.position = this.matcher.end();
		return this.matcher.group();
	}

	private String required(Pattern pattern, String advice) {
		int place = place();
		String found = accept(pattern);
		if (found == null) {
			throw invalid(place, advice);
		}
		return found;
	}

	private InvalidThresholdException invalid(int place, String advice) {
		return new InvalidThresholdException(this.source, this.text, place, advice + ".");
	}

	private static String choice(String name, Collection<String> shown, Collection<String> all) {
		String nearest = all.stream().min(Comparator.comparingInt((each) -> distance(name, each))).orElse("");
		return ((distance(name, nearest) <= name.length() / 3) ? "did you mean " + nearest + "? Choose" : "choose")
				+ " one of " + String.join(", ", shown);
	}

	/**
	 * How many letters have to be put in, left out or changed to make one of the other.
	 * @see <a href="https://en.wikipedia.org/wiki/Levenshtein_distance">Levenshtein
	 * distance</a>
	 */
	private static int distance(String one, String other) {
		int[] row = new int[other.length() + 1];
		for (int column = 0; column < row.length; column++) {
			row[column] = column;
		}
		for (int line = 1; line <= one.length(); line++) {
			int diagonal = row[0];
			row[0] = line;
			for (int column = 1; column < row.length; column++) {
				int above = row[column];
				int changed = diagonal + ((one.charAt(line - 1) != other.charAt(column - 1)) ? 1 : 0);
				row[column] = Math.min(changed, 1 + Math.min(above, row[column - 1]));
				diagonal = above;
			}
		}
		return row[other.length()];
	}

}
