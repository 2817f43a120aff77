package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;

import io.gatewaybench.benchmark.result.Environment;
import org.jspecify.annotations.Nullable;

/**
 * Compares the clock of this host with that of a target, which all hosts of a run see.
 * HTTP tells the time in seconds, so this looks for the moment at which it goes on.
 */
final class TargetClock {

	private static final Duration POLL = Duration.ofMillis(20);

	private static final Duration PATIENCE = Duration.ofMillis(2500);

	private TargetClock() {
	}

	/**
	 * Asks a target for its time.
	 * @param client what asks
	 * @param target the target
	 * @return how far this clock is ahead, as a detail of the environment; none if the
	 * target does not tell
	 */
	static Map<String, String> compare(HttpClient client, URI target) throws InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(target.resolve("/")).timeout(PATIENCE).build();
		@Nullable String last = null;
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (System.nanoTime() < deadline) {
			Instant before = Instant.now();
			String date = date(client, request);
			Duration there = Duration.between(before, Instant.now()).dividedBy(2);
			if (date == null) {
				return Map.of();
			}
			if (last != null && !date.equals(last)) {
				return detail(target, date, before.plus(there));
			}
			last = date;
			Thread.sleep(POLL);
		}
		return Map.of();
	}

	private static @Nullable String date(HttpClient client, HttpRequest request) throws InterruptedException {
		try {
			return client.send(request, HttpResponse.BodyHandlers.discarding())
				.headers()
				.firstValue("Date")
				.orElse(null);
		}
		catch (IOException ex) {
			// That it does not answer is told by those who need an answer
			return null;
		}
	}

	private static Map<String, String> detail(URI target, String date, Instant own) {
		try {
			Instant told = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
			return Map.of(Environment.CLOCK + target,
					String.format(Locale.ROOT, "%+d ms", Duration.between(told, own).toMillis()));
		}
		catch (DateTimeParseException ex) {
			return Map.of();
		}
	}

}
