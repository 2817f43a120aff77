package io.gatewaybench.internal.routing;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.StringJoiner;

import io.gatewaybench.internal.routing.PathCondition.Obstacle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RouteIndexTests {

	private static final String[] PATTERN_SEGMENTS = { "a", "b", "a b", "ä", "a;b", "a.json", "{x}", "{x:[a-b]+}", "*",
			"a*", "?", "{x}b", "", "%61" };

	private static final String[] PATH_SEGMENTS = { "a", "b", "a%20b", "%C3%A4", "ä", "a;v=1", "a;b", "a.json", "%61",
			"%2561", "A", "ab", "", "a%2Fb" };

	@Test
	void everyPatternThatMatchesIsACandidateAndOnlyOnceAndInOrder() {
		Random random = new Random(5);
		for (int round = 0; round < 300; round++) {
			List<PathPattern> patterns = new ArrayList<>();
			RouteIndex.Builder<Integer> builder = RouteIndex.builder();
			for (int route = 0; route < 30; route++) {
				PathPattern pattern = PathPatternParser.defaultInstance.parse(pattern(random));
				patterns.add(pattern);
				builder.add(route, PathCondition.path(pattern));
			}
			RouteIndex<Integer> index = builder.build();
			for (int request = 0; request < 100; request++) {
				PathContainer path = PathContainer.parsePath(path(random));
				List<Integer> matching = new ArrayList<>();
				for (int route = 0; route < patterns.size(); route++) {
					if (patterns.get(route).matches(path)) {
						matching.add(route);
					}
				}
				List<Integer> candidates = new ArrayList<>();
				index.candidates(path).forEach(candidates::add);
				assertThat(candidates).as("%s of %s", path, patterns)
					.containsAll(matching)
					.doesNotHaveDuplicates()
					.isSorted();
			}
		}
	}

	private static String pattern(Random random) {
		StringJoiner pattern = new StringJoiner("/", (random.nextInt(20) == 0) ? "" : "/", "");
		int segments = random.nextInt(5);
		for (int i = 0; i < segments; i++) {
			pattern.add(PATTERN_SEGMENTS[random.nextInt(PATTERN_SEGMENTS.length)].replace("x", "x" + i));
		}
		return pattern + switch (random.nextInt(6)) {
			case 0 -> "/";
			case 1 -> (segments > 0) ? "/**" : "**";
			case 2 -> (segments > 0) ? "/{*rest}" : "{*rest}";
			default -> "";
		};
	}

	private static String path(Random random) {
		StringJoiner path = new StringJoiner("/", (random.nextInt(20) == 0) ? "" : "/",
				(random.nextInt(5) == 0) ? "/" : "");
		int segments = random.nextInt(6);
		for (int i = 0; i < segments; i++) {
			path.add(PATH_SEGMENTS[random.nextInt(PATH_SEGMENTS.length)]);
		}
		return path.toString();
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			/orders/7,          orders any
			/orders,            any
			/orders/,           orders any
			/orders;v=1/7,      orders any
			/%6Frders/7,        orders any
			/orders/new,        orders new any
			/orders/new/7,      orders new any
			/orders//7,         any
			/orders/7/items,    orders items any
			/orders/new/items,  orders new items any
			/customers/items,   customers anyItems any
			/x/items,           anyItems any
			/ordersnew,         any
			/Orders/7,          any
			//orders/7,         any
			/,                  any
			'',                 any
			orders,             any
			""")
	void thePathLeadsToItsRoutes(String path, String candidates) {
		RouteIndex<String> index = RouteIndex.<String>builder()
			.add("orders", path("/orders/{id}"))
			.add("new", path("/orders/new/**"))
			.add("items", path("/orders/{id}/items"))
			.add("customers", path("/customers"))
			.add("anyItems", path("/{any}/items"))
			.add("any", PathCondition.sideEffectFree())
			.build();
		assertThat(index.candidates(PathContainer.parsePath(path))).containsExactly(candidates.split(" "));
	}

	@Test
	void aRouteWithSeveralPathsIsACandidateOnce() {
		RouteIndex<String> index = RouteIndex.<String>builder()
			.add("both", PathCondition.anyOf(List.of(path("/a/b"), path("/a/*"), path("/a/b/{id}"), path("/c"))))
			.build();
		assertThat(index.candidates(PathContainer.parsePath("/a/b"))).containsExactly("both");
		assertThat(index.candidates(PathContainer.parsePath("/c/d"))).containsExactly("both");
		assertThat(index.candidates(PathContainer.parsePath("/d"))).isEmpty();
	}

	@Test
	void tenThousandRoutesYieldOneCandidate() {
		RouteIndex.Builder<Integer> builder = RouteIndex.builder();
		for (int i = 0; i < 10_000; i++) {
			builder.add(i, path("/api/" + i + "/**"));
		}
		assertThat(builder.build().candidates(PathContainer.parsePath("/api/9999/x"))).containsExactly(9999);
	}

	@Test
	void routesWithTheSameVariablesInFrontYieldOneCandidate() {
		RouteIndex.Builder<Integer> builder = RouteIndex.builder();
		for (int i = 0; i < 10_000; i++) {
			builder.add(i, path("/repos/{owner}/{repo}/" + i + "/{id}"));
		}
		assertThat(builder.build().candidates(PathContainer.parsePath("/repos/a/b/9999/x"))).containsExactly(9999);
	}

	@Test
	void candidatesCanBeAskedForTwice() {
		RouteIndex<String> index = RouteIndex.<String>builder().add("a", path("/a")).build();
		Iterable<String> candidates = index.candidates(PathContainer.parsePath("/a"));
		assertThat(candidates).containsExactly("a");
		Iterator<String> again = candidates.iterator();
		assertThat(again.next()).isEqualTo("a");
		assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(again::next);
	}

	@Test
	void theSummaryTellsWhyRoutesAreTestedForEveryRequest() {
		RouteIndexSummary summary = RouteIndex.<String>builder()
			.add("a", path("/a"))
			.add("any", PathCondition.sideEffectFree())
			.add("own", PathCondition.opaque())
			.add("other", PathCondition.sideEffectFree())
			.build()
			.summary();
		assertThat(summary)
			.isEqualTo(new RouteIndexSummary(1, Map.of(Obstacle.NO_PATH, 2, Obstacle.UNKNOWN_PREDICATE, 1)));
		assertThat(summary).hasToString("1 routes are found by their path, 3 are tested for every request:"
				+ " 2 with no path, 1 with an unknown predicate");
	}

	@Test
	void withoutRoutesThereAreNoCandidates() {
		RouteIndex<String> index = RouteIndex.<String>builder().build();
		assertThat(index.candidates(PathContainer.parsePath("/a"))).isEmpty();
		assertThat(index.summary()).hasToString("0 routes are found by their path, 0 are tested for every request");
	}

	private static PathCondition path(String pattern) {
		return PathCondition.path(PathPatternParser.defaultInstance.parse(pattern));
	}

}
