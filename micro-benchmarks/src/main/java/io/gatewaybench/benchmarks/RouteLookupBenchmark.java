package io.gatewaybench.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.gatewaybench.internal.routing.PathCondition;
import io.gatewaybench.internal.routing.RouteIndex;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * One request on its way to its route: by the index, and by trying all routes in their
 * order. Both parse the path and test the patterns of Spring.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class RouteLookupBenchmark {

	/** How many routes there are. */
	@Param({ "1", "800", "10000" })
	public int routes = 1;

	/** Which of them the request is for. */
	@Param({ "first", "last" })
	public String wanted = "first";

	/** Whether variables stand in front of what tells the routes apart. */
	@Param({ "/service-%05d/**", "/repos/{owner}/{repo}/%05d/**" })
	public String pattern = "/service-%05d/**";

	private List<PathPattern> patterns = List.of();

	private RouteIndex<PathPattern> index = RouteIndex.<PathPattern>builder().build();

	private String path = "";

	/**
	 * Makes the routes.
	 */
	@Setup
	public void setUp() {
		this.patterns = new ArrayList<>();
		RouteIndex.Builder<PathPattern> builder = RouteIndex.builder();
		for (int route = 0; route < this.routes; route++) {
			PathPattern pattern = PathPatternParser.defaultInstance.parse(this.pattern.formatted(route));
			this.patterns.add(pattern);
			builder.add(pattern, PathCondition.path(pattern));
		}
		this.index = builder.build();
		this.path = this.pattern.formatted(this.wanted.equals("first") ? 0 : this.routes - 1)
			.replaceAll("[{}]", "")
			.replace("**", "api/hello");
	}

	/**
	 * With the index.
	 * @return the route
	 */
	@Benchmark
	public PathPattern indexed() {
		PathContainer container = PathContainer.parsePath(this.path);
		return firstMatch(this.index.candidates(container), container);
	}

	/**
	 * Without.
	 * @return the route
	 */
	@Benchmark
	public PathPattern linear() {
		return firstMatch(this.patterns, PathContainer.parsePath(this.path));
	}

	private static PathPattern firstMatch(Iterable<PathPattern> candidates, PathContainer path) {
		for (PathPattern candidate : candidates) {
			if (candidate.matches(path)) {
				return candidate;
			}
		}
		throw new IllegalStateException("No route for " + path.value());
	}

}
