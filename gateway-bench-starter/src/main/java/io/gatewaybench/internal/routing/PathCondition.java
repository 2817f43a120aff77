package io.gatewaybench.internal.routing;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * What is known about a predicate without testing it: with which first segments a path
 * must begin so that it can match, and whether a test leaves a trace on the request.
 * Where either is not certain, the condition has an {@link Obstacle}, and its route is
 * tested for every request.
 * <p>
 * A condition with paths promises that, for a path that begins with none of them, the
 * test would be negative and would change nothing, so that it can be left out.
 */
public final class PathCondition {

	private static final PathCondition SIDE_EFFECT_FREE = new PathCondition(List.of(), Obstacle.NO_PATH, true);

	private static final PathCondition OPAQUE = new PathCondition(List.of(), Obstacle.UNKNOWN_PREDICATE, false);

	/**
	 * Characters that make a segment of a pattern more than a literal.
	 */
	private static final String PATTERN_SYNTAX = "*?{}";

	/**
	 * Stands for a segment that may be any one. No literal is equal to it, as it has
	 * {@link #PATTERN_SYNTAX}.
	 */
	static final String ANY = "*";

	// One with a regular expression may have a slash in it, and {*rest} is many segments
	private static final Pattern VARIABLE = Pattern.compile("\\{[^{}:*?]+}");

	private final List<List<String>> paths;

	private final @Nullable Obstacle obstacle;

	private final boolean sideEffectFree;

	private PathCondition(List<List<String>> paths, @Nullable Obstacle obstacle, boolean sideEffectFree) {
		this.paths = paths;
		this.obstacle = obstacle;
		this.sideEffectFree = sideEffectFree;
	}

	/**
	 * Condition of a pattern.
	 * @param pattern the pattern that a path has to match
	 * @return condition with the first segments of the pattern. They end in front of one
	 * that is no literal, no variable and not {@code *}
	 */
	public static PathCondition path(PathPattern pattern) {
		// There is no getter for what the parser was told, but equality knows
		if (!pattern.equals(PathPatternParser.defaultInstance.parse(pattern.getPatternString()))) {
			return new PathCondition(List.of(), Obstacle.OTHER_PARSER, false);
		}
		List<String> segments = firstSegments(pattern.getPatternString());
		return segments.stream().allMatch(ANY::equals)
				? new PathCondition(List.of(), Obstacle.NO_LITERAL_SEGMENT, false)
				: new PathCondition(List.of(segments), null, false);
	}

	private static List<String> firstSegments(String pattern) {
		List<String> segments = new ArrayList<>(4);
		int slash = 0;
		while (slash < pattern.length() && pattern.charAt(slash) == '/') {
			int end = pattern.indexOf('/', slash + 1);
			String segment = pattern.substring(slash + 1, (end != -1) ? end : pattern.length());
			if (segment.equals(ANY) || VARIABLE.matcher(segment).matches()) {
				segments.add(ANY);
			}
			else if (!segment.isEmpty() && segment.chars().noneMatch((ch) -> PATTERN_SYNTAX.indexOf(ch) != -1)) {
				segments.add(segment);
			}
			else {
				break;
			}
			slash = (end != -1) ? end : pattern.length();
		}
		return segments;
	}

	/**
	 * Condition of a predicate that has nothing to do with the path, and whose test
	 * leaves no trace, whatever it yields.
	 * @return condition without paths
	 */
	public static PathCondition sideEffectFree() {
		return SIDE_EFFECT_FREE;
	}

	/**
	 * Condition of a predicate of which nothing is known.
	 * @return condition without paths
	 */
	public static PathCondition opaque() {
		return OPAQUE;
	}

	/**
	 * Condition of alternatives that are tested one after another, until one matches.
	 * @param alternatives conditions of the alternatives
	 * @return condition with the paths of all, if each has some
	 */
	public static PathCondition anyOf(List<PathCondition> alternatives) {
		List<List<String>> paths = new ArrayList<>();
		Obstacle obstacle = alternatives.isEmpty() ? Obstacle.UNKNOWN_PREDICATE : null;
		boolean sideEffectFree = !alternatives.isEmpty();
		for (PathCondition alternative : alternatives) {
			paths.addAll(alternative.paths);
			sideEffectFree &= alternative.sideEffectFree;
			if (obstacle == null) {
				obstacle = alternative.obstacle;
			}
		}
		return new PathCondition((obstacle != null) ? List.of() : paths, obstacle, sideEffectFree);
	}

	/**
	 * Condition of this predicate or another one, which is tested if this one does not
	 * match.
	 * @param next condition of the other one
	 * @return condition of both
	 */
	public PathCondition or(PathCondition next) {
		return anyOf(List.of(this, next));
	}

	/**
	 * Condition of this predicate and another one, which is tested if this one matches.
	 * @param next condition of the other one
	 * @return condition of both
	 */
	public PathCondition and(PathCondition next) {
		if (this.obstacle == null) {
			return this;
		}
		if (!this.sideEffectFree) {
			return (next.obstacle != null) ? this
					: new PathCondition(List.of(), Obstacle.PATH_AFTER_TRACE, this.sideEffectFree);
		}
		return (next.obstacle != Obstacle.NO_PATH || !next.sideEffectFree) ? next : this;
	}

	/**
	 * Condition of the opposite of this predicate.
	 * @return condition without paths
	 */
	public PathCondition negate() {
		return (this.obstacle == Obstacle.NO_PATH) ? this
				: new PathCondition(List.of(), Obstacle.NEGATION, this.sideEffectFree);
	}

	/**
	 * The beginnings of paths that the predicate can match.
	 * @return decoded segments of each, {@link #ANY} for any one; none if there is an
	 * obstacle
	 */
	List<List<String>> paths() {
		return this.paths;
	}

	/**
	 * Why the predicate has to be tested for every request.
	 * @return the obstacle, or {@code null} if there are paths
	 */
	@Nullable Obstacle obstacle() {
		return this.obstacle;
	}

	/**
	 * Why a route has to be tested for every request.
	 */
	public enum Obstacle {

		/**
		 * The route has no predicate of the path.
		 */
		NO_PATH("no path"),

		/**
		 * The pattern has only variables and wildcards in front of what can't be looked
		 * into.
		 */
		NO_LITERAL_SEGMENT("no literal segment in the path"),

		/**
		 * The pattern was parsed to ignore case, or with another separator.
		 */
		OTHER_PARSER("a parser of its own"),

		/**
		 * The path is negated.
		 */
		NEGATION("a negation"),

		/**
		 * In front of the path there is a predicate whose test changes the request, such
		 * as a host with variables.
		 */
		PATH_AFTER_TRACE("a path behind a predicate that changes the request"),

		/**
		 * There is a predicate of the application, or one that cannot be looked into.
		 */
		UNKNOWN_PREDICATE("an unknown predicate");

		private final String description;

		Obstacle(String description) {
			this.description = description;
		}

		@Override
		public String toString() {
			return this.description;
		}

	}

}
