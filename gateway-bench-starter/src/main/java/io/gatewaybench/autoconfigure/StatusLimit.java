package io.gatewaybench.autoconfigure;

import java.util.HashSet;
import java.util.Set;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Lets the meters of requests have so many statuses. An upstream may answer with 800,
 * each of which would make a meter for every route and method. A registry asks only when
 * a meter is new. It does not count what is denied, as with Spring Boot's limit of URIs:
 * it would remember every meter that a filter maps to another.
 */
final class StatusLimit implements MeterFilter {

	static final int MAX_STATUSES = 100;

	private static final Log logger = LogFactory.getLog(StatusLimit.class);

	private static final Set<String> METERS = Set.of("http.server.requests", "http.client.requests",
			"spring.cloud.gateway.requests", "gateway.bench.requests", "gateway.bench.exchange",
			"gateway.bench.attempt");

	private static final Set<String> TAGS = Set.of("status", "http.status_code", "httpStatusCode");

	private final Set<String> known = new HashSet<>();

	private boolean told;

	@Override
	public MeterFilterReply accept(Meter.Id id) {
		if (!METERS.contains(id.getName())) {
			return MeterFilterReply.NEUTRAL;
		}
		for (Tag tag : id.getTagsAsIterable()) {
			if (TAGS.contains(tag.getKey()) && isCode(tag.getValue()) && !add(tag.getValue())) {
				return MeterFilterReply.DENY;
			}
		}
		return MeterFilterReply.NEUTRAL;
	}

	/**
	 * There are few names, such as {@code IO_ERROR}.
	 */
	private static boolean isCode(String status) {
		return Character.isDigit(status.charAt(0));
	}

	private synchronized boolean add(String status) {
		if (this.known.contains(status) || this.known.size() < MAX_STATUSES) {
			this.known.add(status);
			return true;
		}
		if (!this.told) {
			this.told = true;
			logger.warn("There are too many statuses for a meter each: '" + status
					+ "' and all further ones are not counted. The limit is " + MAX_STATUSES);
		}
		return false;
	}

}
