package io.gatewaybench.benchmark.jmeter;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.gatewaybench.benchmark.load.AgentResult;
import io.gatewaybench.benchmark.load.LatencyHistogram;
import io.gatewaybench.benchmark.load.LoadPlan;
import io.gatewaybench.benchmark.load.Outcome;
import io.gatewaybench.benchmark.load.RequestType;
import io.gatewaybench.benchmark.load.SecondSample;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.StageRecorder;
import io.gatewaybench.benchmark.load.TypeResult;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * All samples of a stage, as they are in the file of the player. Times count from the
 * first request of each agent, so clocks that differ do no harm. JMeter knows no intended
 * start, so its response time begins with the connecting. Samples of agents come in
 * batches, so a percentile of a single second may have some of the next one.
 */
final class SampleFile {

	private final Map<String, AgentSamples> agents = new LinkedHashMap<>();

	private final List<RequestType> mix;

	private final List<String> types;

	private final StageRecorder recorder;

	private final long started;

	/**
	 * Reads a file.
	 * @param file the file, which need not be there if no request was sent
	 * @param plan the plan
	 * @param stage what was sent
	 * @param agents who sent it
	 * @param started when the agents were told to begin, by the clock of this machine
	 * @throws IOException if it can't be read
	 */
	SampleFile(Path file, LoadPlan plan, Stage stage, List<String> agents, long started) throws IOException {
		this.mix = plan.mix(stage);
		this.types = this.mix.stream().map(RequestType::name).toList();
		this.recorder = new StageRecorder(plan, stage, 0);
		agents.forEach((agent) -> this.agents.put(agent, new AgentSamples()));
		this.started = started;
		if (Files.exists(file)) {
			// Samples come when they end, so the first start is known at the end only
			long timeout = plan.timeouts().response().toMillis();
			forEach(file, timeout, (sample) -> agent(sample).span(sample, started));
			forEach(file, timeout, this::add);
		}
	}

	private static void forEach(Path file, long timeout, Consumer<Sample> action) throws IOException {
		try (BufferedReader reader = Files.newBufferedReader(file)) {
			for (String line = reader.readLine(); line != null; line = reader.readLine()) {
				Sample sample = Sample.parse(line, timeout);
				if (sample != null) {
					action.accept(sample);
				}
			}
		}
	}

	private AgentSamples agent(Sample sample) {
		return this.agents.computeIfAbsent(sample.agent(), (any) -> new AgentSamples());
	}

	private void add(Sample sample) {
		AgentSamples agent = agent(sample);
		if (sample.ok()) {
			agent.ok.recordValue(sample.serviceNanos());
		}
		int index = this.types.indexOf(sample.type());
		if (index < 0) {
			return;
		}
		RequestType type = this.mix.get(index);
		long start = (sample.start() - agent.first) * Sample.NANOS;
		long end = (sample.end() - agent.first) * Sample.NANOS;
		this.recorder.intended(index, start);
		this.recorder.sent(start);
		Integer status = sample.status();
		if (status != null) {
			this.recorder.status(index, status);
		}
		Outcome failure = sample.failure(type.expect().status());
		if (failure == null) {
			this.recorder.ok(index, start, end - sample.serviceNanos(), end, -1);
		}
		else {
			this.recorder.failed(index, failure, start, end, type.method() + " " + type.paths().getFirst(),
					sample.code());
		}
	}

	List<TypeResult> types() {
		return this.recorder.types();
	}

	List<SecondSample> series() {
		return this.recorder.series(0);
	}

	/**
	 * How long the agents sent.
	 * @return seconds from the first request of an agent to its last response, of the
	 * slowest one
	 */
	double seconds() {
		return this.agents.values().stream().mapToLong((agent) -> agent.last - agent.first).max().orElse(0) / 1e3;
	}

	/**
	 * What each agent did.
	 * @param planned the requests that it was to send, {@code null} if it ended by time
	 */
	List<AgentResult> agents(@Nullable Double planned) {
		List<AgentResult> results = new ArrayList<>();
		this.agents.forEach((agent,
				samples) -> results.add(new AgentResult(agent, samples.sent, samples.ok.getTotalCount(), planned,
						LatencyHistogram.of(samples.ok).summary(), Math.max(0, samples.first - this.started),
						samples.clock())));
		return results;
	}

	/**
	 * The samples of one agent.
	 */
	private static final class AgentSamples {

		private final Histogram ok = LatencyHistogram.newHistogram();

		private long sent;

		private long first;

		private long last;

		private long leastAhead = Long.MIN_VALUE;

		private long mostAhead = Long.MAX_VALUE;

		void span(Sample sample, long started) {
			this.first = (this.sent == 0) ? sample.start() : Math.min(this.first, sample.start());
			this.last = (this.sent == 0) ? sample.end() : Math.max(this.last, sample.end());
			this.sent++;
			this.leastAhead = Math.max(this.leastAhead, sample.end() - sample.arrived());
			this.mostAhead = Math.min(this.mostAhead, sample.start() - started);
		}

		/**
		 * How far the agent's clock differs at least. No request is sent before the
		 * agents are told to begin, and no sample arrives before it ends. Both times are
		 * known by the runner's clock.
		 * @return more than 0 if it is ahead of the runner's clock, less than 0 if it is
		 * behind
		 */
		long clock() {
			return (this.leastAhead > 0) ? this.leastAhead : Math.min(this.mostAhead, 0);
		}

	}

}
