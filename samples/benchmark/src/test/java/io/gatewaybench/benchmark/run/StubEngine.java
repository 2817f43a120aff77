package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.gatewaybench.benchmark.load.Counts;
import io.gatewaybench.benchmark.load.GeneratorStats;
import io.gatewaybench.benchmark.load.LatencyHistogram;
import io.gatewaybench.benchmark.load.LatencyViews;
import io.gatewaybench.benchmark.load.LoadEngine;
import io.gatewaybench.benchmark.load.LoadPlan;
import io.gatewaybench.benchmark.load.LoadSession;
import io.gatewaybench.benchmark.load.RequestType;
import io.gatewaybench.benchmark.load.SecondSample;
import io.gatewaybench.benchmark.load.Stage;
import io.gatewaybench.benchmark.load.StageResult;
import io.gatewaybench.benchmark.load.TypeResult;
import org.HdrHistogram.Histogram;

/**
 * Sends next to nothing and claims 2,000 answers of 40 ms in 5 seconds, as 16 connections
 * get them.
 */
class StubEngine implements LoadEngine {

	private static final long REQUESTS = 2_000;

	private static final double SECONDS = 5;

	private static final LatencyHistogram NO_LAG = LatencyHistogram.empty();

	// To encode a histogram takes longer than all else that this engine does
	private static final Map<RequestType, TypeResult> ANSWERS = new ConcurrentHashMap<>();

	private final List<Sent> sent = new CopyOnWriteArrayList<>();

	private final AtomicInteger open = new AtomicInteger();

	/**
	 * What was sent in a session.
	 */
	record Sent(LoadPlan plan, List<Stage> stages) {
	}

	List<Sent> sent() {
		return this.sent;
	}

	List<LoadPlan> plans() {
		return this.sent.stream().map(Sent::plan).toList();
	}

	/**
	 * How many sessions are not closed.
	 */
	int open() {
		return this.open.get();
	}

	void during(Stage stage) throws IOException, InterruptedException {
	}

	@Override
	public LoadSession open(LoadPlan plan) {
		Sent session = new Sent(plan, new CopyOnWriteArrayList<>());
		this.sent.add(session);
		this.open.incrementAndGet();
		return new LoadSession() {

			@Override
			public long pid() {
				return ProcessHandle.current().pid();
			}

			@Override
			public StageResult run(Stage stage) throws InterruptedException {
				plan.check(stage, false);
				session.stages().add(stage);
				ask(plan, stage);
				return played(plan, stage);
			}

			@Override
			public void close() {
				StubEngine.this.open.decrementAndGet();
			}

		};
	}

	boolean complete(Stage stage) {
		return true;
	}

	StageResult played(LoadPlan plan, Stage stage) {
		return result(plan, stage, complete(stage));
	}

	void ask(LoadPlan plan, Stage stage) throws InterruptedException {
		// Something for the gateway to do, so that it has CPU time
		try (HttpClient client = HttpClient.newHttpClient()) {
			for (int request = 0; request < 20; request++) {
				client.send(HttpRequest.newBuilder(plan.target().resolve("/service-a/api/heavy")).build(),
						HttpResponse.BodyHandlers.discarding());
			}
			during(stage);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static StageResult result(LoadPlan plan, Stage stage) {
		return result(plan, stage, true);
	}

	private static StageResult result(LoadPlan plan, Stage stage, boolean complete) {
		List<TypeResult> types = plan.workload()
			.mix()
			.stream()
			.map((type) -> ANSWERS.computeIfAbsent(type, StubEngine::answers))
			.toList();
		return new StageResult(stage.name(), stage.kind(), Instant.now(), SECONDS, complete, types,
				List.of(new SecondSample(0, REQUESTS, REQUESTS, REQUESTS, 0, 40.0, 40.0, 40.0, null)),
				new GeneratorStats(NO_LAG, 0.1, 0, 0, List.of()));
	}

	private static TypeResult answers(RequestType type) {
		long count = Math.round(REQUESTS * type.weight() / 100);
		LatencyHistogram latency = latency(40_000_000, count);
		return new TypeResult(type.name(), new Counts(count, count, 0, 0, 0, 0, 0, 0), count, Map.of(200, count),
				List.of(), new LatencyViews(latency, latency, latency, latency(1_000_000, count)),
				type.name().equals("heavy") ? 70.0 : 20.0);
	}

	private static LatencyHistogram latency(long nanos, long count) {
		Histogram histogram = LatencyHistogram.newHistogram();
		histogram.recordValueWithCount(nanos, count);
		return LatencyHistogram.of(histogram);
	}

}
