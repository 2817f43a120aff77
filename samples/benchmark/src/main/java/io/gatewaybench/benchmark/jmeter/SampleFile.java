package io.gatewaybench.benchmark.jmeter;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.gatewaybench.benchmark.load.AgentResult;
import io.gatewaybench.benchmark.load.LatencyHistogram;
import io.gatewaybench.benchmark.load.LoadPlan;
import io.gatewaybench.benchmark.load.SecondSample;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.TypeResult;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * All samples of a stage, as JMeter wrote them to its file. Times count from the first
 * request of each agent, so clocks that differ do no harm.
 */
final class SampleFile {

	private static final double MILLIS = 1_000;

	private static final Second NOTHING = new Second();

	private final Map<String, AgentSamples> agents = new LinkedHashMap<>();

	private final Map<String, SampleRecorder> types = new LinkedHashMap<>();

	private final Map<Integer, Second> seconds = new HashMap<>();

	private final long timeoutNanos;

	private final long lead;

	private final long end;

	private SampleFile(LoadPlan plan, Stage stage, List<String> agents) {
		this.timeoutNanos = plan.timeouts().response().toNanos();
		plan.mix(stage).forEach((type) -> this.types.put(type.name(), new SampleRecorder(type, this.timeoutNanos)));
		agents.forEach((agent) -> this.agents.put(agent, new AgentSamples()));
		this.lead = stage.lead().toMillis();
		this.end = stage.sending().toMillis();
	}

	/**
	 * Reads a file.
	 * @param file the file, which need not be there if no request was sent
	 * @param plan the plan
	 * @param stage what was sent
	 * @param agents who sent it
	 * @throws IOException if it can't be read
	 */
	static SampleFile read(Path file, LoadPlan plan, Stage stage, List<String> agents) throws IOException {
		SampleFile samples = new SampleFile(plan, stage, agents);
		if (Files.exists(file)) {
			// Samples come when they end, so the first start is known at the end only
			forEach(file, (sample) -> samples.agent(sample).span(sample));
			forEach(file, (sample) -> samples.add(sample.within(samples.timeoutNanos)));
		}
		return samples;
	}

	private static void forEach(Path file, Consumer<Sample> action) throws IOException {
		try (BufferedReader reader = Files.newBufferedReader(file)) {
			for (String line = reader.readLine(); line != null; line = reader.readLine()) {
				Sample sample = Sample.parse(line);
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
		long start = sample.start() - agent.first;
		long ended = sample.end() - agent.first;
		SampleRecorder recorder = this.types.get(sample.type());
		if (recorder != null) {
			recorder.record(sample, ended >= this.lead && ended <= this.end, start >= this.lead);
		}
		if (start >= this.lead) {
			second(start - this.lead).offered++;
		}
		if (ended >= this.lead) {
			second(ended - this.lead).ended(sample);
		}
		agent.add(sample);
	}

	private Second second(long millis) {
		return this.seconds.computeIfAbsent((int) (millis / MILLIS), (any) -> new Second());
	}

	List<TypeResult> types() {
		return this.types.values().stream().map(SampleRecorder::result).toList();
	}

	List<SecondSample> series() {
		int last = this.seconds.keySet().stream().mapToInt(Integer::intValue).max().orElse(-1);
		// Also those in which nothing came
		return IntStream.rangeClosed(0, last)
			.mapToObj((second) -> this.seconds.getOrDefault(second, NOTHING).result(second))
			.toList();
	}

	/**
	 * How long the agents sent.
	 * @return seconds from the first request of an agent to its last response, of the
	 * slowest one
	 */
	double seconds() {
		return this.agents.values().stream().mapToLong((agent) -> agent.last - agent.first).max().orElse(0) / MILLIS;
	}

	/**
	 * What each agent did.
	 * @param planned the requests that it was to send, {@code null} if it ended by time
	 * @param started when the test was started, by the clock of this machine
	 * @param clocks what is known of the clock of an agent
	 */
	List<AgentResult> agents(@Nullable Double planned, long started, Function<String, AgentClock> clocks) {
		List<AgentResult> results = new ArrayList<>();
		this.agents.forEach((agent,
				samples) -> results.add(new AgentResult(agent, samples.sent, samples.ok.getTotalCount(), planned,
						LatencyHistogram.of(samples.ok).summary(), Math.max(0, samples.first - started),
						clocks.apply(agent).differsMillis())));
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

		private boolean any;

		void span(Sample sample) {
			this.first = this.any ? Math.min(this.first, sample.start()) : sample.start();
			this.last = this.any ? Math.max(this.last, sample.end()) : sample.end();
			this.any = true;
		}

		void add(Sample sample) {
			this.sent++;
			if (sample.ok()) {
				this.ok.recordValue(sample.serviceNanos());
			}
		}

	}

	/**
	 * The samples of one second.
	 */
	private static final class Second {

		// In milliseconds, as JMeter tells no more
		private final Histogram ok = new Histogram(1, LatencyHistogram.HIGHEST_NANOS / 1_000_000, 2);

		private long offered;

		private long errors;

		void ended(Sample sample) {
			if (sample.ok()) {
				this.ok.recordValue(Math.min(sample.serviceMillis(), this.ok.getHighestTrackableValue()));
			}
			else {
				this.errors++;
			}
		}

		SecondSample result(int second) {
			boolean none = this.ok.getTotalCount() == 0;
			return new SecondSample(second, this.offered, this.offered, this.ok.getTotalCount(), this.errors,
					none ? null : (Double) (double) this.ok.getValueAtPercentile(50),
					none ? null : (Double) (double) this.ok.getValueAtPercentile(99),
					none ? null : (Double) (double) this.ok.getMaxValue(), null);
		}

	}

}
