package io.gatewaybench.internal.upstream;

import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import org.springframework.util.Assert;

/**
 * Which upstreams are asked whether their instances are healthy, and how.
 *
 * @param paths path to ask for, by the name of the upstream; others are not asked
 * @param interval time from the start of one check of an instance to the next, which
 * waits for the end of the one before
 * @param timeout time in which the whole answer has to come
 */
public record HealthCheckSettings(Map<String, String> paths, Duration interval, Duration timeout) {

	private static final Duration MAX_TIME = Duration.ofHours(24);

	/**
	 * Check the settings.
	 */
	public HealthCheckSettings {
		paths = Map.copyOf(paths);
		Assert.isTrue(isTime(interval) && isTime(timeout), "the time is from 1ms to 24h");
		paths.values()
			.forEach((path) -> Assert.isTrue(isPath(path),
					"the path starts with a slash and is legal in a URL, such as /actuator/health"));
	}

	private static boolean isTime(Duration time) {
		return time.toMillis() > 0 && time.compareTo(MAX_TIME) <= 0;
	}

	private static boolean isPath(String path) {
		try {
			return path.startsWith("/") && URI.create("http://localhost" + path).getRawFragment() == null;
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

	/**
	 * Check one more upstream.
	 * @param upstream name of the upstream
	 * @param path path to ask for
	 * @return the settings with it
	 */
	public HealthCheckSettings with(String upstream, String path) {
		Map<String, String> more = new HashMap<>(this.paths);
		more.put(upstream, path);
		return new HealthCheckSettings(more, this.interval, this.timeout);
	}

}
