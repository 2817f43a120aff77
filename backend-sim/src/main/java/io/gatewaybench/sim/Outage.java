package io.gatewaybench.sim;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a whole instance for a while.
 *
 * @param kind what is wrong
 * @param length for how long
 */
record Outage(Kind kind, Duration length) {

	private static final Duration LONGEST = Duration.ofMinutes(10);

	private static final Pattern LENGTH = Pattern.compile("(?<number>[0-9]{1,6})(?<unit>ms|s|m)");

	/**
	 * Reads the query of a request.
	 * @param target origin form or absolute form
	 * @return the outage
	 * @throws IllegalArgumentException if the query asks for none that is possible, with
	 * a message for the client
	 */
	static Outage of(String target) {
		return new Outage(Kind.named(RequestTarget.parameter(target, "kind")),
				length(RequestTarget.parameter(target, "for")));
	}

	private static Duration length(@Nullable String text) {
		Matcher matcher = LENGTH.matcher((text != null) ? text : "");
		if (matcher.matches()) {
			long number = Long.parseLong(matcher.group("number"));
			Duration length = switch (matcher.group("unit")) {
				case "ms" -> Duration.ofMillis(number);
				case "s" -> Duration.ofSeconds(number);
				default -> Duration.ofMinutes(number);
			};
			if (length.isPositive() && length.compareTo(LONGEST) <= 0) {
				return length;
			}
		}
		throw new IllegalArgumentException("for takes a duration from 1ms to 10m, such as 500ms or 7s");
	}

	/**
	 * What can be wrong.
	 */
	enum Kind {

		/** New connections are refused, and those that are open are reset. */
		REFUSE {

			@Override
			Answer.Service spoil(Answer.Service service) {
				return service;
			}

		},

		/** Connections are reset in the middle of the body. */
		RESET {

			@Override
			Answer.Service spoil(Answer.Service service) {
				return service.with(new Fault(1, Fault.Breach.RESET));
			}

		},

		/** The answer is 500. */
		ERROR {

			@Override
			Answer.Service spoil(Answer.Service service) {
				return service.with(new Fault(1, new Fault.Error(HttpResponseStatus.INTERNAL_SERVER_ERROR)));
			}

		},

		/** Answers take a hundred times as long. */
		SLOW {

			@Override
			Answer.Service spoil(Answer.Service service) {
				return service.slowedDown(100);
			}

		},

		/** Every tenth response ends its connection without saying so. */
		CLOSING {

			@Override
			Answer.Service spoil(Answer.Service service) {
				return service.with(new Fault(10, Fault.Breach.CLOSE));
			}

		},

		/** Requests with a body are refused with 413 before the body has come. */
		EARLY_RESPONSES {

			@Override
			Answer.Service spoil(Answer.Service service) {
				return service.endpoint().takesBody() ? service.with(new Fault(1, Fault.Breach.EARLY)) : service;
			}

		},

		/** Responses with the status 100, 102 and 103 come before the response. */
		INTERIM_RESPONSES {

			@Override
			Answer.Service spoil(Answer.Service service) {
				return service.with(new Fault(1, Fault.Breach.INTERIM));
			}

		};

		/**
		 * Returns what becomes of an endpoint.
		 * @param service the endpoint as it is otherwise
		 */
		abstract Answer.Service spoil(Answer.Service service);

		Map<String, Answer.Service> spoil(Map<String, Answer.Service> services) {
			return services.entrySet()
				.stream()
				.collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, (entry) -> spoil(entry.getValue())));
		}

		String key() {
			return name().toLowerCase(Locale.ROOT).replace('_', '-');
		}

		private static Kind named(@Nullable String key) {
			Optional<Kind> kind = Arrays.stream(values()).filter((each) -> each.key().equals(key)).findFirst();
			return kind.orElseThrow(() -> new IllegalArgumentException(
					"kind takes one of " + Arrays.stream(values()).map(Kind::key).collect(Collectors.joining(", "))));
		}

	}

}
