package io.gatewaybench.benchmark.result;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.load.AgentResult;
import io.gatewaybench.benchmark.load.Arrivals;
import io.gatewaybench.benchmark.load.Counts;
import io.gatewaybench.benchmark.load.LatencySummary;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.SecondSample;
import org.jspecify.annotations.Nullable;

/**
 * What was measured in one scenario in all slices of one start.
 *
 * @param id the scenario
 * @param title what reports call it
 * @param variant what reports call the gateway
 * @param control whether it is the direct control, without a gateway
 * @param baseline what reports call the variant it is compared with, {@code null} for the
 * first gateway under the same load
 * @param load what it was loaded with
 * @param start which start of the gateways it belongs to, from 1
 * @param slices how many slices it consists of
 * @param startedAt when the first slice began
 * @param seconds how long the windows of all slices lasted; with iterations until the
 * last response
 * @param counts what became of the requests
 * @param okPerSecond answers that passed every check and were complete within the
 * measurement, per second
 * @param latency the views of latency
 * @param types the same figures per type of request
 * @param series the same figures per second
 * @param gateway what it cost the gateway, {@code null} for the direct control
 * @param generator what it cost the load generator
 * @param resources what everybody used
 * @param theoreticalMaximum what the backends' latency allows, or {@code null} if they
 * did not tell it, or the load is not a closed loop
 * @param failures what the target did wrong, which is a result: the figures are used
 * @param remarks what a reader has to know of the figures: limits of generator and
 * backends, loads that were not as planned
 */
public record ScenarioResult(String id, String title, String variant, boolean control, @Nullable String baseline,
		LoadFigures load, int start, int slices, Instant startedAt, double seconds, Counts counts, double okPerSecond,
		LatencyFigures latency, List<TypeFigures> types, List<SecondSample> series, @Nullable GatewayFigures gateway,
		GeneratorFigures generator, Resources resources, @Nullable TheoreticalMaximum theoreticalMaximum,
		List<String> failures, List<String> remarks) {

	/**
	 * Copies the lists.
	 */
	public ScenarioResult {
		types = List.copyOf(types);
		series = List.copyOf(series);
		failures = List.copyOf(failures);
		remarks = List.copyOf(remarks);
	}

	/**
	 * The same measurement with other latencies.
	 * @param other the latencies
	 * @return a copy
	 */
	public ScenarioResult with(LatencyFigures other) {
		return new ScenarioResult(this.id, this.title, this.variant, this.control, this.baseline, this.load, this.start,
				this.slices, this.startedAt, this.seconds, this.counts, this.okPerSecond, other, this.types,
				this.series, this.gateway, this.generator, this.resources, this.theoreticalMaximum, this.failures,
				this.remarks);
	}

	/**
	 * What a scenario was loaded with.
	 *
	 * @param id its name; variants are compared under the same one
	 * @param selection the names of the requests that it sent, {@code null} if it sent
	 * all of the suite
	 * @param model open or closed
	 * @param connections in a closed loop the users, each with one request at a time; in
	 * the open model the most requests in flight
	 * @param thinkMs the pause of a user after each response in the closed model,
	 * {@code null} without one
	 * @param iterations how many requests each user was to send, {@code null} if the
	 * measurement ended by time
	 * @param rate requests per second in the open model, otherwise {@code null}
	 * @param arrivals how they were spread, otherwise {@code null}
	 * @param p99LimitMs the limit within which the highest rate was searched,
	 * {@code null} if the rate was given
	 * @param offered requests whose intended start was within the measurement
	 */
	public record LoadFigures(String id, @Nullable String selection, Model model, int connections,
			@Nullable Long thinkMs, @Nullable Integer iterations, @Nullable Double rate, @Nullable Arrivals arrivals,
			@Nullable Long p99LimitMs, long offered) {

		/**
		 * Whether requests started by a schedule.
		 * @return {@code false} for a closed loop
		 */
		public boolean openModel() {
			return this.model == Model.OPEN;
		}

		/**
		 * Whether the rate changed.
		 * @return whether it had steps, such as a burst
		 */
		public boolean hasSteps() {
			return this.arrivals == Arrivals.STEPPED;
		}

	}

	/**
	 * The views of latency.
	 *
	 * @param service from sending to the last byte, requests that passed every check
	 * @param response from the intended start to the last byte, the same requests
	 * @param slo response time of all requests, those without a successful response at
	 * the response timeout
	 * @param overhead service time of each request without what its backend says that it
	 * took, without figures if backends do not say
	 */
	public record LatencyFigures(LatencySummary service, LatencySummary response, LatencySummary slo,
			LatencySummary overhead) {
	}

	/**
	 * What became of the requests of one type.
	 *
	 * @param name the type
	 * @param share its part of all requests, 0 to 1
	 * @param counts what became of them
	 * @param statuses how many complete answers had which HTTP status
	 * @param failures some of the failures, in plain words
	 * @param service latency from sending to the last byte, requests that passed every
	 * check
	 * @param backendMeanMs mean latency that the backends achieved for it, or
	 * {@code null} if they did not tell it
	 */
	public record TypeFigures(String name, double share, Counts counts, Map<Integer, Long> statuses,
			List<String> failures, LatencySummary service, @Nullable Double backendMeanMs) {
	}

	/**
	 * What the scenario cost the gateway.
	 *
	 * @param startMillis from the start of the process until its health was 200
	 * @param cpuSeconds user and system time during the measurement
	 * @param cpuMicrosPerOk the same per answer that passed every check, without that of
	 * the JIT compilers, which have nothing to do in the long run; or {@code null}
	 * without any
	 * @param allocatedBytesPerOk memory that it allocated per answer that passed every
	 * check, or {@code null} where unknown
	 * @param betweenSlices the part of the CPU time that the gateway used between its
	 * slices, under all loads of the start, 0 to 1, or {@code null} where unknown. No
	 * figure has it
	 * @param liveHeapBytes heap in use after the collection at the end of the start, or
	 * {@code null} where unknown
	 * @param residentBytes memory of the process at the end of the measurement, or
	 * {@code null} where unknown
	 * @param command its command line
	 * @param flags the flags of its JVM, those it chose itself included, or {@code null}
	 * where unknown
	 * @param affinity the cores it may run on, empty where unknown
	 */
	public record GatewayFigures(long startMillis, double cpuSeconds, @Nullable Double cpuMicrosPerOk,
			@Nullable Double allocatedBytesPerOk, @Nullable Double betweenSlices, @Nullable Long liveHeapBytes,
			@Nullable Long residentBytes, List<String> command, @Nullable String flags, String affinity) {
	}

	/**
	 * What the scenario cost the load generator.
	 *
	 * @param engine the engine that measured
	 * @param cpuSeconds user and system time during the measurement
	 * @param reconnects connections that had to be opened anew
	 * @param lag its own lateness in the open model, from the intended start to sending
	 * @param agents what each agent did, none with an engine that has no agents
	 */
	public record GeneratorFigures(String engine, double cpuSeconds, long reconnects, LatencySummary lag,
			List<AgentResult> agents) {

		/**
		 * Copies the list.
		 */
		public GeneratorFigures {
			// Results that are older than this field have null
			agents = (agents != null) ? List.copyOf(agents) : List.of();
		}

	}

}
