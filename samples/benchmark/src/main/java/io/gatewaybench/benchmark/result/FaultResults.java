package io.gatewaybench.benchmark.result;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Everything that was found out about faults: the content of {@value #NAME}.
 *
 * @param schemaVersion the version of this structure, {@value #SCHEMA_VERSION}
 * @param status how far the run came
 * @param failure why it ended early, or {@code null}
 * @param startedAt when it began
 * @param finishedAt when it ended, or {@code null} while it runs
 * @param settings what the user could choose
 * @param environment the machine and the software
 * @param warmups how every gateway became warm
 * @param faults what was seen, in the order of execution
 */
public record FaultResults(int schemaVersion, RunResults.Status status, @Nullable String failure, Instant startedAt,
		@Nullable Instant finishedAt, Settings settings, Environment environment, List<WarmupCurve> warmups,
		List<FaultResult> faults) {

	/**
	 * The name of the file.
	 */
	public static final String NAME = "faults.json";

	/**
	 * The version that this code writes.
	 */
	public static final int SCHEMA_VERSION = 6;

	/**
	 * What the user could choose, and how long everything takes.
	 *
	 * @param rate requests per second, whatever the answers
	 * @param heap heap of every gateway, as in {@code -Xmx}
	 * @param warmup load before the first fault of every gateway, at most
	 * @param before load before a fault
	 * @param fault length of a fault
	 * @param after load after a fault
	 */
	public record Settings(double rate, String heap, Duration warmup, Duration before, Duration fault, Duration after) {
	}

	/**
	 * Whether everything held that must.
	 * @return whether no fault broke anything
	 */
	public boolean held() {
		return this.faults.stream().allMatch((fault) -> fault.broken().isEmpty());
	}

	/**
	 * Whether it is known of every request what became of it.
	 * @return whether all counts add up
	 */
	public boolean balanced() {
		return this.faults.stream()
			.allMatch((fault) -> fault.before().balanced() && fault.during().balanced() && fault.after().balanced());
	}

}
