package io.gatewaybench.benchmark.result;

import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A slice: a second or two in which one scenario was played. A round has one of each
 * scenario, so slices of a round saw the machine at nearly the same time.
 *
 * @param scenario id of the scenario
 * @param start which start of the gateways it belongs to, from 1
 * @param round which round of the start, from 1
 * @param startedAt when it began
 * @param figures what was measured, by metric. A percentile has what the slice adds to
 * that of its start: the pseudo-value of the jackknife
 * @param others CPU time of backends and generator in µs per successful response, which
 * tells how fast the machine was; {@code null} where unknown
 * @param steal the part of the machine that the hypervisor gave to other machines, 0 to 1
 * @param foreign the part that other programs had, 0 to 1
 * @param jit the part of the gateway's CPU time that its JIT compilers had, 0 to 1
 * @see <a href="https://doi.org/10.1214/aos/1176344552">Efron, Bootstrap methods: another
 * look at the jackknife (Annals of Statistics, 1979)</a>
 */
public record Slice(String scenario, int start, int round, Instant startedAt, Map<Metric, Double> figures,
		@Nullable Double others, double steal, double foreign, double jit) {

	/**
	 * Copies the map.
	 */
	public Slice {
		Map<Metric, Double> copy = new EnumMap<>(Metric.class);
		copy.putAll(figures);
		figures = Collections.unmodifiableMap(copy);
	}

	/**
	 * How much of the CPU time was not for the run.
	 * @param slices slices of any scenarios
	 * @param scenarios the ids of those to look at
	 * @return the mean part that other machines and other programs had, 0 to 1
	 */
	public static double taken(List<Slice> slices, Collection<String> scenarios) {
		return slices.stream()
			.filter((slice) -> scenarios.contains(slice.scenario))
			.mapToDouble((slice) -> slice.steal + slice.foreign)
			.average()
			.orElse(0);
	}

}
