package io.gatewaybench.internal.routing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

import io.gatewaybench.internal.routing.PathCondition.Obstacle;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;
import org.springframework.http.server.PathContainer.Element;
import org.springframework.http.server.PathContainer.PathSegment;
import org.springframework.http.server.PathContainer.Separator;

/**
 * Routes by the first segments of their paths, in a trie: a segment is a literal, or may
 * be any one, as a variable is. Looking up takes as long as the path is, and twice as
 * long for each segment that some routes have as a literal and others as a variable,
 * whatever the number of routes. It is immutable; building takes time and memory in
 * proportion to the number of routes.
 * <p>
 * A lookup yields candidates, not the route: the predicates of the gateway decide on
 * each, in the order of the routes, so that the first that matches is the one that trying
 * all would have found.
 *
 * @param <T> type of a route
 */
public final class RouteIndex<T> {

	private final List<T> routes;

	private final Node root = new Node();

	private final RouteIndexSummary summary;

	private RouteIndex(Builder<T> builder) {
		this.routes = List.copyOf(builder.routes);
		Map<Obstacle, Integer> alwaysTested = new EnumMap<>(Obstacle.class);
		for (int route = 0; route < this.routes.size(); route++) {
			PathCondition condition = builder.conditions.get(route);
			Obstacle obstacle = condition.obstacle();
			if (obstacle != null) {
				alwaysTested.merge(obstacle, 1, Integer::sum);
				this.root.add(route);
			}
			for (List<String> segments : condition.paths()) {
				this.root.add(segments, route);
			}
		}
		this.summary = RouteIndexSummary.of(this.routes.size(), alwaysTested);
	}

	/**
	 * Start with no route.
	 * @param <T> type of a route
	 * @return the builder
	 */
	public static <T> Builder<T> builder() {
		return new Builder<>();
	}

	/**
	 * Routes that can match a path.
	 * @param path the path, parsed with {@link PathContainer.Options#HTTP_PATH}
	 * @return the routes in their order, each once; never one less than can match, but
	 * often more
	 */
	public Iterable<T> candidates(PathContainer path) {
		Found<T> found = new Found<>(this.routes);
		this.root.collect(path.elements(), 0, found);
		return found;
	}

	/**
	 * All routes.
	 * @return the routes in their order
	 */
	public List<T> routes() {
		return this.routes;
	}

	/**
	 * What the index does for its routes.
	 * @return the summary
	 */
	public RouteIndexSummary summary() {
		return this.summary;
	}

	/**
	 * Collects routes in the order in which they are tried.
	 *
	 * @param <T> type of a route
	 */
	public static final class Builder<T> {

		private final List<T> routes = new ArrayList<>();

		private final List<PathCondition> conditions = new ArrayList<>();

		private Builder() {
		}

		/**
		 * Add a route behind those that are there.
		 * @param route the route
		 * @param condition what its predicate is known to need
		 * @return this builder
		 */
		public Builder<T> add(T route, PathCondition condition) {
			this.routes.add(route);
			this.conditions.add(condition);
			return this;
		}

		/**
		 * Build the index.
		 * @return the index
		 */
		public RouteIndex<T> build() {
			return new RouteIndex<>(this);
		}

	}

	/**
	 * The first segments of paths, with the numbers of the routes that need these and no
	 * more, in ascending order.
	 */
	private static final class Node {

		private static final int[] NONE = {};

		private @Nullable Map<String, Node> children;

		/**
		 * The child for any next segment.
		 */
		private @Nullable Node any;

		private int[] members = NONE;

		private int size;

		void add(List<String> segments, int route) {
			Node node = this;
			for (String segment : segments) {
				node = node.child(segment);
			}
			node.add(route);
		}

		private Node child(String segment) {
			if (segment.equals(PathCondition.ANY)) {
				this.any = (this.any != null) ? this.any : new Node();
				return this.any;
			}
			if (this.children == null) {
				this.children = new HashMap<>(2);
			}
			return this.children.computeIfAbsent(segment, (key) -> new Node());
		}

		void add(int route) {
			// A route can have the same segments twice, in two patterns
			if (this.size > 0 && this.members[this.size - 1] == route) {
				return;
			}
			if (this.size == this.members.length) {
				this.members = Arrays.copyOf(this.members, Math.max(1, this.size * 2));
			}
			this.members[this.size++] = route;
		}

		void collect(List<Element> path, int position, Found<?> found) {
			if (this.size > 0) {
				found.add(this);
			}
			if (position == path.size() || !(path.get(position) instanceof Separator)) {
				return;
			}
			if (position + 1 == path.size()) {
				// The wildcard of /a/* matches also the empty end of /a/
				if (this.any != null) {
					this.any.collect(path, position + 1, found);
				}
			}
			else if (path.get(position + 1) instanceof PathSegment segment) {
				Node child = (this.children != null) ? this.children.get(segment.valueToMatch()) : null;
				if (child != null) {
					child.collect(path, position + 2, found);
				}
				if (this.any != null) {
					this.any.collect(path, position + 2, found);
				}
			}
		}

	}

	/**
	 * The nodes that a path leads to.
	 */
	private static final class Found<T> implements Iterable<T> {

		private final List<T> routes;

		private Node[] nodes = new Node[2];

		private int size;

		Found(List<T> routes) {
			this.routes = routes;
		}

		void add(Node node) {
			if (this.size == this.nodes.length) {
				this.nodes = Arrays.copyOf(this.nodes, this.size * 2);
			}
			this.nodes[this.size++] = node;
		}

		@Override
		public Iterator<T> iterator() {
			return new Candidates<>(this);
		}

	}

	/**
	 * Merges the routes of several nodes while they are asked for.
	 */
	private static final class Candidates<T> implements Iterator<T> {

		private static final int END = Integer.MAX_VALUE;

		private final Found<T> found;

		/**
		 * How many routes of each node are behind.
		 */
		private final int[] positions;

		private int next;

		Candidates(Found<T> found) {
			this.found = found;
			this.positions = new int[found.size];
			this.next = lowest();
		}

		private int lowest() {
			int lowest = END;
			for (int i = 0; i < this.positions.length; i++) {
				Node node = this.found.nodes[i];
				if (this.positions[i] < node.size) {
					lowest = Math.min(lowest, node.members[this.positions[i]]);
				}
			}
			return lowest;
		}

		@Override
		public boolean hasNext() {
			return this.next != END;
		}

		@Override
		public T next() {
			int route = this.next;
			if (route == END) {
				throw new NoSuchElementException();
			}
			// A route can be in several nodes, with one pattern in each
			for (int i = 0; i < this.positions.length; i++) {
				Node node = this.found.nodes[i];
				if (this.positions[i] < node.size && node.members[this.positions[i]] == route) {
					this.positions[i]++;
				}
			}
			this.next = lowest();
			return this.found.routes.get(route);
		}

	}

}
