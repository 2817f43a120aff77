package io.gatewaybench.internal.routing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.StringJoiner;
import java.util.stream.Stream;

/**
 * Routes and requests at random, from so few words that routes overlap and hide one
 * another, and that requests meet them.
 */
public final class RandomRoutes {

	private static final String[] LITERALS = { "a", "b", "c", "a b", "ä", "a.json" };

	private static final String[] PATH_SEGMENTS = { "a", "b", "c", "a%20b", "%C3%A4", "a;v=1;w=2", "b;", "a.json",
			"%61", "A", "ab", "", "a%2Fb", "d" };

	private static final String[] METHODS = { "GET", "POST" };

	private static final String[] HOSTS = { "{sub}.example.org", "{any}.{tld}", "*.example.org", "www.example.org" };

	private static final String[] REQUEST_HOSTS = { "www.example.org", "shop.example.org", "example.org", "other.net" };

	private final Random random;

	private final int hosts;

	private int variables;

	/**
	 * Create routes.
	 * @param seed what makes them the same again
	 * @param plainHosts whether there are hosts without variables, too
	 */
	public RandomRoutes(long seed, boolean plainHosts) {
		this.random = new Random(seed);
		this.hosts = plainHosts ? HOSTS.length : 2;
	}

	public Random random() {
		return this.random;
	}

	/**
	 * A predicate of a route, for each flavour to translate.
	 */
	public sealed interface Predicate {

	}

	public record Path(List<String> patterns) implements Predicate {
	}

	public record Method(String name) implements Predicate {
	}

	public record Header(String name, String regexp) implements Predicate {
	}

	public record Host(String pattern) implements Predicate {
	}

	public record Query(String name) implements Predicate {
	}

	public record Weight(String group) implements Predicate {
	}

	/**
	 * Predicate of an application, which counts its tests on the request.
	 */
	public record Own(boolean result) implements Predicate {
	}

	public record And(Predicate left, Predicate right) implements Predicate {
	}

	public record Or(Predicate left, Predicate right) implements Predicate {
	}

	public record Not(Predicate predicate) implements Predicate {
	}

	/**
	 * A request.
	 */
	public record Request(String method, String path, String host, Map<String, String> headers, String query) {

		public String url() {
			return "http://" + this.host + this.path + this.query;
		}

	}

	/**
	 * The predicate as the properties of both flavours know it.
	 * @param predicate the predicate
	 * @return predicates that all have to match, empty if properties cannot say it
	 */
	public static List<String> definition(Predicate predicate) {
		if (predicate instanceof And and) {
			List<String> left = definition(and.left());
			List<String> right = definition(and.right());
			return (left.isEmpty() || right.isEmpty()) ? List.of()
					: Stream.concat(left.stream(), right.stream()).toList();
		}
		if (predicate instanceof Path path) {
			return List.of("Path=" + String.join(",", path.patterns()));
		}
		if (predicate instanceof Method method) {
			return List.of("Method=" + method.name());
		}
		if (predicate instanceof Header header) {
			return List.of("Header=%s,%s".formatted(header.name(), header.regexp()));
		}
		if (predicate instanceof Host host) {
			return List.of("Host=" + host.pattern());
		}
		if (predicate instanceof Query query) {
			return List.of("Query=" + query.name());
		}
		return (predicate instanceof Weight weight) ? List.of("Weight=%s,1".formatted(weight.group())) : List.of();
	}

	public List<Predicate> routes(int number) {
		List<Predicate> routes = new ArrayList<>();
		for (int i = 0; i < number; i++) {
			this.variables = 0;
			routes.add(switch (this.random.nextInt(10)) {
				case 0, 1, 2 -> path();
				case 3, 4 -> new And(path(), leaf());
				case 5, 6 -> new And(leaf(), path());
				default -> predicate(3);
			});
		}
		return routes;
	}

	private Predicate predicate(int depth) {
		if (depth == 0) {
			return this.random.nextBoolean() ? path() : leaf();
		}
		return switch (this.random.nextInt(8)) {
			case 0, 1, 2 -> new And(predicate(depth - 1), predicate(depth - 1));
			case 3, 4 -> new Or(predicate(depth - 1), predicate(depth - 1));
			case 5 -> new Not(predicate(depth - 1));
			case 6 -> path();
			default -> leaf();
		};
	}

	private Predicate leaf() {
		return switch (this.random.nextInt(7)) {
			case 0, 1 -> new Method(pick(METHODS));
			case 2 -> new Header("X-A", "v.*");
			case 3 -> new Host(HOSTS[this.random.nextInt(this.hosts)]);
			case 4 -> new Query("q");
			case 5 -> new Weight(this.random.nextBoolean() ? "g1" : "g2");
			default -> new Own(this.random.nextInt(4) != 0);
		};
	}

	private Predicate path() {
		List<String> patterns = new ArrayList<>();
		do {
			patterns.add(pattern());
		}
		while (this.random.nextInt(4) == 0);
		return new Path(patterns);
	}

	private String pattern() {
		StringJoiner pattern = new StringJoiner("/", "/", "");
		int segments = this.random.nextInt(4);
		for (int i = 0; i < segments; i++) {
			pattern.add(switch (this.random.nextInt(12)) {
				case 0 -> "{v%d}".formatted(this.variables++);
				case 1 -> "{v%d:[a-b]+}".formatted(this.variables++);
				case 2 -> "*";
				case 3 -> "a*";
				case 4 -> "?";
				default -> pick(LITERALS);
			});
		}
		if (segments == 0 && this.random.nextInt(5) == 0) {
			return pick("/", "/**", "/{*rest%d}".formatted(this.variables++), "/**/a");
		}
		return ((segments > 0) ? pattern.toString() : "/a")
				+ pick("", "", "", "/", "/**", "/**", "/{*rest%d}".formatted(this.variables++), "//a", "/{s}b/c");
	}

	public Request request() {
		StringJoiner path = new StringJoiner("/", "/", (this.random.nextInt(5) == 0) ? "/" : "");
		int segments = this.random.nextInt(5);
		for (int i = 0; i < segments; i++) {
			// Mostly the words of the patterns
			path.add(PATH_SEGMENTS[this.random.nextInt((this.random.nextInt(3) == 0) ? PATH_SEGMENTS.length : 3)]);
		}
		Map<String, String> headers = new LinkedHashMap<>();
		if (this.random.nextBoolean()) {
			headers.put("X-A", pick("value", "other"));
		}
		return new Request(pick(METHODS), path.toString(), pick(REQUEST_HOSTS), headers,
				this.random.nextBoolean() ? "?q=1" : "");
	}

	@SafeVarargs
	private <T> T pick(T... choices) {
		return choices[this.random.nextInt(choices.length)];
	}

}
