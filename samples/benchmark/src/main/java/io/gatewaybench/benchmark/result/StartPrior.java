package io.gatewaybench.benchmark.result;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

import io.gatewaybench.benchmark.statistics.BetweenStarts;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * What is known of how starts differ, by metric: the content of
 * {@code between-starts.json}, which says where it comes from.
 */
public final class StartPrior {

	private static final Map<Metric, BetweenStarts> KNOWN = read();

	private StartPrior() {
	}

	/**
	 * What is known of a metric.
	 * @param metric the metric
	 * @return how the ratio of two gateways differs between starts
	 */
	public static BetweenStarts of(Metric metric) {
		return Objects.requireNonNull(KNOWN.get(metric));
	}

	private static Map<Metric, BetweenStarts> read() {
		try (InputStream in = Objects.requireNonNull(StartPrior.class.getResourceAsStream("between-starts.json"))) {
			Map<String, BetweenStarts> all = JsonMapper.shared()
				.convertValue(JsonMapper.shared().readTree(in).path("metrics"), new TypeReference<>() {
				});
			Map<Metric, BetweenStarts> known = new EnumMap<>(Metric.class);
			for (Metric metric : Metric.values()) {
				known.put(metric, Objects.requireNonNull(all.get(metric.key()), metric.key()));
			}
			return known;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("between-starts.json can't be read", ex);
		}
	}

}
