package io.gatewaybench.benchmark.result;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.gatewaybench.benchmark.engine.Counts;
import io.gatewaybench.benchmark.engine.LatencySummary;
import org.jspecify.annotations.Nullable;

/**
 * What clients saw when one of two instances failed, and what the gateway did about it.
 *
 * @param gateway what reports call the gateway
 * @param fault what happened to the instance, for example {@code kill}
 * @param before what became of the requests of the time before the fault
 * @param during what became of the requests of the stage that begins with the fault
 * @param after what became of the requests of the time after that
 * @param statuses how many complete responses had which HTTP status, in all three
 * @param failures different failures in plain words
 * @param outageMs how long the instance was not well, its start included
 * @param retries requests that the gateway sent to another instance
 * @param ejections how often the gateway did without the instance
 * @param recoveries how often it took it back
 * @param ejectedAfterMs from the fault to the first ejection, {@code null} if there was
 * none
 * @param backAfterMs from the end of the fault until the instance was in the rotation for
 * good, {@code null} if it never was out of it, or not back at the end of the load
 * @param response response times of the right answers of the stage with the fault
 */
public record FaultResult(String gateway, String fault, Counts before, Counts during, Counts after,
		Map<Integer, Long> statuses, List<String> failures, double outageMs, long retries, long ejections,
		long recoveries, @Nullable Double ejectedAfterMs, @Nullable Double backAfterMs, LatencySummary response) {

	/**
	 * Copies the collections.
	 */
	public FaultResult {
		statuses = Collections.unmodifiableMap(new TreeMap<>(statuses));
		failures = List.copyOf(failures);
	}

	/**
	 * What became of all requests.
	 * @return the sum
	 */
	public Counts total() {
		return this.before.plus(this.during).plus(this.after);
	}

}
