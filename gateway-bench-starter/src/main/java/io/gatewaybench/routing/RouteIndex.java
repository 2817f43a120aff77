package io.gatewaybench.routing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

import io.gatewaybench.routing.PathCondition.Obstacle;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;
import org.springframework.http.server.PathContainer.Element;
import org.springframework.http.server.PathContainer.PathSegment;
import org.springframework.http.server.PathContainer.Separator;

/**
 * Routes by the leading literal segments of their paths, in a trie. Looking up takes as
 * long as the path is, not as many routes as there are. It is immutable; building takes
 * time and memory in proportion to the number of routes.
 * <p>
 * A lookup yields candidates, not the route: the predicates of the gateway decide on
 * each, in the order of the routes, so that the first that matches is the one that trying
 * all would have found.
 *
 * @param <T> type of a route
 * @since 0.1.0
 */
public final class RouteIndex<T> {

	private final List<T> routes;

	private final Node root;

	private final RouteIndexSummary summary;

	private RouteIndex(Builder<T> builder) {
		this.routes = List.copyOf(builder.routes);
		this.root = new Node(null);
		Map<Obstacle, Integer> alwaysTested = new EnumMap<>(Obstacle.class);
		for (int route = 0; route < this.routes.size(); route++) {
			PathCondition condition = builder.conditions.get(route);
			Obstacle obstacle = condition.obstacle();
			if (obstacle != null) {
				alwaysTested.merge(obstacle, 1, Integer::sum);
				this.root.add(route);
			}
			for (List<String> prefix : condition.prefixes()) {
				this.root.add(prefix, route);
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
		List<Element> elements = path.elements();
		Node node = this.root;
		for (int i = 0; i + 1 < elements.size(); i += 2) {
			Node child = (elements.get(i) instanceof Separator && elements.get(i + 1) instanceof PathSegment segment)
					? node.child(segment.valueToMatch()) : null;
			if (child == null) {
				break;
			}
			node = child;
		}
		return node;
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
	 * A prefix, with the numbers of the routes that have it in ascending order. Routes
	 * with a prefix of this prefix are those of its parents.
	 */
	private final class Node implements Iterable<T> {

		private static final int[] NONE = {};

		private final @Nullable Node parent;

		private final int depth;

		private @Nullable Map<String, Node> children;

		private int[] members = NONE;

		private int size;

		Node(@Nullable Node parent) {
			this.parent = parent;
			this.depth = (parent != null) ? parent.depth + 1 : 0;
		}

		@Nullable Node child(String segment) {
			return (this.children != null) ? this.children.get(segment) : null;
		}

		void add(List<String> prefix, int route) {
			Node node = this;
			for (String segment : prefix) {
				if (node.children == null) {
					node.children = new HashMap<>(2);
				}
				Node parent = node;
				node = node.children.computeIfAbsent(segment, (key) -> new Node(parent));
			}
			node.add(route);
		}

		void add(int route) {
			// A route can have the same prefix twice, in two patterns
			if (this.size > 0 && this.members[this.size - 1] == route) {
				return;
			}
			if (this.size == this.members.length) {
				this.members = Arrays.copyOf(this.members, Math.max(1, this.size * 2));
			}
			this.members[this.size++] = route;
		}

		@Override
		public Iterator<T> iterator() {
			return new Candidates(this);
		}

	}

	/**
	 * Merges the routes of a prefix and of its parents while they are asked for.
	 */
	private final class Candidates implements Iterator<T> {

		private static final int END = Integer.MAX_VALUE;

		private final Node deepest;

		/**
		 * How many routes of each depth are behind.
		 */
		private final int[] positions;

		private int next;

		Candidates(Node deepest) {
			this.deepest = deepest;
			this.positions = new int[deepest.depth + 1];
			this.next = lowest();
		}

		private int lowest() {
			int lowest = END;
			for (Node node = this.deepest; node != null; node = node.parent) {
				int position = this.positions[node.depth];
				if (position < node.size) {
					lowest = Math.min(lowest, node.members[position]);
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
			// A route can be in several depths, with one pattern in each
			for (Node node = this.deepest; node != null; node = node.parent) {
				int position = this.positions[node.depth];
				if (position < node.size && node.members[position] == route) {
					this.positions[node.depth] = position + 1;
				}
			}
			this.next = lowest();
			return RouteIndex.this.routes.get(route);
		}

	}

}
