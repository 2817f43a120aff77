package io.gatewaybench.benchmark.suite;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import io.gatewaybench.benchmark.load.Arrivals;
import io.gatewaybench.benchmark.load.Expectation;
import io.gatewaybench.benchmark.load.InvalidValueException;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.Protocol;
import io.gatewaybench.benchmark.load.RequestType;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.Step;
import io.gatewaybench.benchmark.load.Workload;

/**
 * The keys of a suite's file.
 *
 * @param imports files whose content comes before this one's: names of shipped ones, or
 * paths relative to this file
 * @param title what the suite is about
 * @param answer what the suite is run for; CPU time per request under the last load if it
 * is missing
 * @param choose what a user should choose in which case, in sentences; shown with the
 * answer
 * @param hosts where components can run beside this machine; see {@link Host}
 * @param components what runs for the whole run, such as backends; see {@link Component}
 * @param templates keys that components and variants can extend
 * @param variants what is compared; see {@link VariantKeys} and {@link Component}
 * @param prefixes what stands before the paths of the requests; nothing if it is missing
 * @param requests the requests by name
 * @param loads what each variant is loaded with
 * @param fullLoads what each variant is loaded with instead in a full run, as the
 * published rounds were; the same loads if it is missing
 * @param study what was published, if anything was
 * @param failIf conditions that fail a run where they hold; none if it is missing
 */
record SuiteFile(@JsonProperty("import") @Nullable List<String> imports, String title, @Nullable Question answer,
		@Nullable List<String> choose, @Nullable Map<String, Host.Keys> hosts,
		@Nullable Map<String, JsonNode> components, @Nullable Map<String, JsonNode> templates,
		Map<String, JsonNode> variants, @Nullable List<String> prefixes, Map<String, RequestKeys> requests,
		List<LoadKeys> loads, @Nullable List<LoadKeys> fullLoads, @Nullable Study study,
		@Nullable List<String> failIf) {

	SuiteFile {
		required("title", title, "say what is compared");
		required("variants", variants, "name what is compared");
		required("requests", requests, "name what is sent");
		required("loads", loads, "say how much is sent, such as [{users: 16}]");
		prefixes = (prefixes != null) ? List.copyOf(prefixes) : List.of("");
	}

	// The compiler trusts the annotations, and a file may leave out what it wants
	private static void required(String key, @Nullable Object value, String advice) {
		boolean empty = value == null || "".equals(value) || List.of().equals(value) || Map.of().equals(value);
		InvalidValueException.unless(!empty, key, value, advice);
	}

	/**
	 * What a variant has beside the keys of its component.
	 *
	 * @param title the name in reports; its id if it is missing
	 * @param prefixes what stands before the paths of the requests, instead of the
	 * suite's
	 * @param gatewayField the type in the {@code _gateway} field that every response must
	 * end with
	 * @param baseline id of the variant that it is compared with; the first one that is
	 * no control if it is missing
	 * @param process name of the process that it shares with other variants; it has one
	 * of its own if it is missing
	 * @param threads how many requests it works on at a time at most; without limit if it
	 * is missing
	 * @param onlyFull whether it takes part only in full runs, and where the user chooses
	 * it
	 * @param protocol what load speaks with it; HTTP/1.1 without TLS if it is missing
	 * @param streams how many users share a connection with HTTP/2; 10 if it is missing
	 */
	record VariantKeys(@Nullable String title, @Nullable List<String> prefixes, @Nullable String gatewayField,
			@Nullable String baseline, @Nullable String process, @Nullable Integer threads, boolean onlyFull,
			@Nullable Protocol protocol, @Nullable Integer streams) {

		// What servers allow at least
		private static final int MOST_STREAMS = 100;

		private static final int STREAMS = 10;

		static final Set<String> NAMES = Set.of("title", "prefixes", "gateway-field", "baseline", "process", "threads",
				"only-full", "protocol", "streams");

		VariantKeys {
			InvalidValueException.unless(threads == null || threads >= 1, "threads", threads, "choose 1 or more");
			InvalidValueException.unless(
					streams == null
							|| (protocol != null && protocol.multiplexed() && streams >= 1 && streams <= MOST_STREAMS),
					"streams", streams, "choose 1 to " + MOST_STREAMS + ", with protocol h2 or h2c");
			if (process != null) {
				Suite.checkId("process", process);
			}
		}

		/**
		 * What load speaks with a component.
		 */
		Protocol protocol(Component component) {
			boolean known = component instanceof Component.Remote remote && !remote.isReference();
			boolean tls = known && ((Component.Remote) component).url().startsWith("https:");
			Protocol spoken = (this.protocol != null) ? this.protocol : tls ? Protocol.HTTPS : Protocol.HTTP;
			InvalidValueException.unless(!known || spoken.tls() == tls, "protocol", spoken,
					"with a url of https choose https or h2, with one of http choose http or h2c");
			return spoken;
		}

		int users() {
			return (this.streams != null) ? this.streams : STREAMS;
		}

	}

	/**
	 * One kind of request.
	 *
	 * @param weight its share in the mix, relative to the sum of all weights; 1 if it is
	 * missing
	 * @param method the HTTP method; GET if it is missing
	 * @param path the path with its query, encoded; a query alone belongs to the path
	 * that the prefix is
	 * @param headers further request headers
	 * @param body the request body
	 * @param bodySize the bytes of a body that is made of nothing but its size
	 * @param status the status of a successful response; 200 if it is missing
	 * @param minBytes the least size of its body
	 * @param backend how long the backend takes for it, where no response tells
	 * @param webSocket whether it opens a WebSocket
	 */
	record RequestKeys(@Nullable Double weight, @Nullable String method, String path,
			@Nullable Map<String, String> headers, @Nullable String body, int bodySize, @Nullable Integer status,
			@Nullable Integer minBytes, @Nullable Duration backend, boolean webSocket) {

		RequestKeys {
			InvalidValueException.unless(path != null && path.matches("[/?].*"), "path", path,
					"write a path that begins with /, or with ? behind a prefix");
			InvalidValueException.unless(backend == null || backend.isPositive(), "backend", backend,
					"choose 1ms or more, or leave it out");
			InvalidValueException.unless(!webSocket || status == null, "status", status,
					"the status of a WebSocket is 101; leave it out");
			InvalidValueException.unless(status == null || status != Expectation.WEB_SOCKET, "status", status,
					"choose 200 to 599, or write web-socket: true");
		}

		RequestType type(String name, Variant variant) {
			InvalidValueException.unless(!this.webSocket || !variant.protocol().multiplexed(), "webSocket", true,
					"it takes HTTP/1.1, and variant " + variant.id() + " speaks HTTP/2");
			return new RequestType(name, (this.weight != null) ? this.weight : 1,
					(this.method != null) ? this.method : "GET",
					variant.prefixes().stream().map((prefix) -> prefix + this.path).toList(), Suite.copy(this.headers),
					this.body, this.bodySize, expectation(variant.gatewayField()), this.backend);
		}

		private Expectation expectation(@Nullable String gatewayField) {
			int least = (this.minBytes != null) ? this.minBytes : 0;
			// Frames are no JSON that could end with a field
			return this.webSocket ? new Expectation(Expectation.WEB_SOCKET, least, null)
					: new Expectation((this.status != null) ? this.status : 200, least, gatewayField);
		}

	}

	/**
	 * How much is sent: by users who wait for their responses (closed model), or at a
	 * rate whatever the responses (open model).
	 *
	 * @param users the users of the closed model
	 * @param iterations how many requests each user sends; as many as the length of the
	 * measurement allows if it is missing
	 * @param maxDuration how long a measurement with iterations may take; 10 minutes if
	 * it is missing
	 * @param thinkTime the pause of a user between response and next request
	 * @param rate requests per second of the open model
	 * @param connections the most requests in flight of the open model; 256 if it is
	 * missing
	 * @param arrivals how they are spread, constant or poisson; constant if it is missing
	 * @param steps factors of the rate, one after the other and again
	 * @param p99Limit searches the highest rate whose P99 of the response time is within
	 * this, beginning with {@code rate}
	 * @param requests names of the requests that it sends; all if it is missing
	 */
	record LoadKeys(@Nullable Integer users, @Nullable Integer iterations, @Nullable Duration maxDuration,
			@Nullable Duration thinkTime, @Nullable Double rate, @Nullable Integer connections,
			@Nullable Arrivals arrivals, @Nullable List<Step> steps, @Nullable Duration p99Limit,
			@Nullable List<String> requests) {

		private static final int MOST_USERS = 60_000;

		LoadKeys {
			InvalidValueException.unless((users == null) != (rate == null), (users == null) ? "users" : "rate", rate,
					"write either users or rate");
			InvalidValueException.unless(users == null || (users >= 1 && users <= MOST_USERS), "users", users,
					"choose 1 to " + MOST_USERS);
			InvalidValueException.unless(rate == null || (rate >= 1 && rate <= Stage.HIGHEST_RATE), "rate", rate,
					"choose 1 to 1000000 per second");
			InvalidValueException.unless(maxDuration == null || iterations != null, "max-duration", maxDuration,
					"it belongs to iterations; other loads are measured in slices");
			if (rate != null) {
				absent("iterations", iterations, "they belong to users; leave them out");
				absent("think-time", thinkTime, "it belongs to users; leave it out");
			}
			else {
				absent("connections", connections, "each user has one; leave it out");
				absent("arrivals", arrivals, "they belong to a rate; leave it out");
				absent("steps", steps, "they belong to a rate; leave them out");
			}
			InvalidValueException.unless(arrivals == null || (arrivals == Arrivals.STEPPED) == (steps != null),
					"arrivals", arrivals, "write constant or poisson without steps, or steps alone");
			InvalidValueException.unless(steps == null || steps.stream().anyMatch((step) -> step.peak() > 0), "steps",
					steps, "one at least needs a factor above 0");
			InvalidValueException.unless(p99Limit == null || (rate != null && steps == null), "p99-limit", p99Limit,
					"it belongs to a rate without steps, with which the search begins");
			InvalidValueException.unless(p99Limit == null || p99Limit.toMillis() >= 1, "p99-limit", p99Limit,
					"choose 1ms or more");
			InvalidValueException.unless(requests == null || !requests.isEmpty(), "requests", requests,
					"name one at least, or leave them out");
		}

		private static void absent(String key, @Nullable Object value, String advice) {
			InvalidValueException.unless(value == null, key, value, advice);
		}

		/**
		 * The load of a variant.
		 * @param all every request of the suite as the variant gets it
		 */
		Load load(List<RequestType> all) {
			List<String> names = all.stream().map(RequestType::name).toList();
			for (String name : Suite.copy(this.requests)) {
				InvalidValueException.unless(names.contains(name), "requests", name,
						"choose from " + String.join(", ", names));
			}
			List<RequestType> mix = all.stream()
				.filter((type) -> this.requests == null || this.requests.contains(type.name()))
				.toList();
			String selection = (this.requests != null) ? String.join("-", this.requests) : null;
			if (this.users != null) {
				return Load.closed(new Workload(Model.CLOSED, mix, this.users,
						(this.thinkTime != null) ? this.thinkTime : Duration.ZERO), selection, end());
			}
			Workload open = new Workload(Model.OPEN, mix,
					(this.connections != null) ? this.connections : Load.OPEN_CONNECTIONS, Duration.ZERO);
			Arrivals spread = (this.arrivals != null) ? this.arrivals : Arrivals.CONSTANT;
			return new Load(open, selection, (this.rate != null) ? this.rate : 0,
					(this.steps != null) ? Arrivals.STEPPED : spread, Suite.copy(this.steps), null, this.p99Limit);
		}

		private @Nullable Iterations end() {
			return (this.iterations != null) ? new Iterations(this.iterations,
					(this.maxDuration != null) ? this.maxDuration : Iterations.MAX_DURATION) : null;
		}

	}

}
