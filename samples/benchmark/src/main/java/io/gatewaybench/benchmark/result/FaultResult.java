package io.gatewaybench.benchmark.result;

import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.load.Counts;
import io.gatewaybench.benchmark.load.LatencySummary;
import org.jspecify.annotations.Nullable;

/**
 * What clients saw when something went wrong, and what the gateway did about it.
 *
 * @param gateway what reports call the gateway
 * @param fault what went wrong, for example {@code kill}
 * @param before what became of the requests of the time before the fault
 * @param during what became of the requests of the stage that begins with the fault
 * @param after what became of the requests of the time after that
 * @param statuses how many complete responses had which HTTP status, in all three
 * @param failures different failures in plain words
 * @param outageMs how long it lasted, the start of an instance included
 * @param attempts how often the gateway sent a request to an instance
 * @param retries requests that the gateway sent to another instance
 * @param ejections how often the gateway did without an instance
 * @param recoveries how often it took one back
 * @param removed whether the gateway was told to do without the instance that failed
 * @param ejectedAfterMs from the fault to the first ejection, {@code null} if there was
 * none
 * @param backAfterMs from the end of the fault until the instance was in the rotation for
 * good, {@code null} if it never was out of it, or not back at the end of the load
 * @param response response times of the successful responses of the stage with the fault
 * @param extraClients clients beside the load
 * @param connectionsLeft connections to the instances that were still open when nobody
 * sent a request any more
 * @param broken what does not hold though it must, in sentences
 */
public record FaultResult(String gateway, String fault, Counts before, Counts during, Counts after,
		Map<Integer, Long> statuses, List<String> failures, double outageMs, long attempts, long retries,
		long ejections, long recoveries, boolean removed, @Nullable Double ejectedAfterMs, @Nullable Double backAfterMs,
		LatencySummary response, ExtraClients extraClients, long connectionsLeft, List<String> broken) {

	/**
	 * What clients beside the load did and saw.
	 *
	 * @param visits how many came
	 * @param failed how many were not answered as they must
	 * @param failure what the first of these saw, {@code null} if there is none
	 */
	public record ExtraClients(long visits, long failed, @Nullable String failure) {
	}

	/**
	 * The same, judged.
	 * @param whatDoesNotHold what does not hold
	 * @return a copy
	 */
	public FaultResult with(List<String> whatDoesNotHold) {
		return new FaultResult(this.gateway, this.fault, this.before, this.during, this.after, this.statuses,
				this.failures, this.outageMs, this.attempts, this.retries, this.ejections, this.recoveries,
				this.removed, this.ejectedAfterMs, this.backAfterMs, this.response, this.extraClients,
				this.connectionsLeft, whatDoesNotHold);
	}

	/**
	 * What became of all requests.
	 * @return the sum
	 */
	public Counts total() {
		return this.before.plus(this.during).plus(this.after);
	}

}
