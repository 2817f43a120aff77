package io.gatewaybench.upstream;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Chooses the instance of an upstream that takes a request. A bean of this type takes the
 * place of {@code gateway-bench.load-balancing.policy} for all upstreams. Ejection,
 * health checks and retries work as before: an instance that is out is no candidate.
 *
 * <p>
 * It is called once for each attempt, and by many threads at a time. So it must be fast,
 * and safe for that.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface InstanceChooser {

	/**
	 * Choose an instance.
	 * @param candidates the instances that take requests and have not been tried. There
	 * is at least one, and each is there as often as its weight says. Immutable
	 * @param request the request that the instance is for
	 * @return the index of the one that takes the request
	 */
	int choose(List<? extends Candidate> candidates, Request request);

	/**
	 * An instance that takes requests.
	 */
	interface Candidate {

		/**
		 * Where it is.
		 * @return the instance
		 */
		Instance instance();

		/**
		 * Its share of the requests in relation to the other instances.
		 * @return the weight, from 1 to {@value Upstream#MAX_WEIGHT}
		 */
		int weight();

		/**
		 * How many requests this gateway has sent to it that are not answered yet.
		 * @return the number, which other threads change all the time
		 */
		int requests();

	}

	/**
	 * What is known of a request, as the filters of its route left it. Nothing is read
	 * before it is asked for.
	 */
	interface Request {

		/**
		 * A request of which nothing is known.
		 */
		Request NONE = new Request() {
		};

		/**
		 * The values of a header.
		 * @param name name of the header, in any case
		 * @return the values in their order, empty if there is no such header
		 */
		default List<String> headers(String name) {
			return List.of();
		}

		/**
		 * The query of the URL.
		 * @return the query as it was sent, {@code null} if there is none
		 */
		default @Nullable String query() {
			return null;
		}

		/**
		 * Where the client is, as the server tells it. With
		 * {@code server.forward-headers-strategy}, that may be what a proxy said.
		 * @return its IP address, {@code null} if it is not known
		 */
		default @Nullable String clientAddress() {
			return null;
		}

		/**
		 * Whether it came by {@code https}.
		 * @return whether it did
		 */
		default boolean isSecure() {
			return false;
		}

		/**
		 * The first value of a header.
		 * @param name name of the header, in any case
		 * @return the value, {@code null} if there is no such header
		 */
		default @Nullable String header(String name) {
			List<String> values = headers(name);
			return values.isEmpty() ? null : values.get(0);
		}

		/**
		 * The value of a cookie.
		 * @param name name of the cookie
		 * @return the value as it was sent, {@code null} if there is no such cookie
		 */
		default @Nullable String cookie(String name) {
			for (String pairs : headers("Cookie")) {
				String value = find(pairs, ';', name);
				if (value != null) {
					return value;
				}
			}
			return null;
		}

		/**
		 * The first value of a parameter in the query.
		 * @param name name of the parameter, as it is spelled in the URL
		 * @return the value as it was sent, not decoded; {@code null} if there is no such
		 * parameter
		 */
		default @Nullable String queryParameter(String name) {
			String pairs = query();
			return (pairs != null) ? find(pairs, '&', name) : null;
		}

		private static @Nullable String find(String pairs, char separator, String name) {
			int from = 0;
			while (from < pairs.length()) {
				int end = pairs.indexOf(separator, from);
				end = (end < 0) ? pairs.length() : end;
				while (from < end && pairs.charAt(from) == ' ') {
					from++;
				}
				int equals = from + name.length();
				if (equals < end && pairs.charAt(equals) == '=' && pairs.startsWith(name, from)) {
					return pairs.substring(equals + 1, end).stripTrailing();
				}
				from = end + 1;
			}
			return null;
		}

	}

}
