package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import org.HdrHistogram.Histogram;

import io.gatewaybench.benchmark.engine.Counts;
import io.gatewaybench.benchmark.engine.GeneratorStats;
import io.gatewaybench.benchmark.engine.LatencyHistogram;
import io.gatewaybench.benchmark.engine.LatencyViews;
import io.gatewaybench.benchmark.engine.LoadEngine;
import io.gatewaybench.benchmark.engine.LoadResult;
import io.gatewaybench.benchmark.engine.ProgressEvent;
import io.gatewaybench.benchmark.engine.ProgressListener;
import io.gatewaybench.benchmark.engine.SecondSample;
import io.gatewaybench.benchmark.engine.StageResult;
import io.gatewaybench.benchmark.engine.TypeResult;
import io.gatewaybench.benchmark.plan.LoadPlan;
import io.gatewaybench.benchmark.plan.RequestType;
import io.gatewaybench.benchmark.plan.Stage;

/**
 * Sends next to nothing and claims 2,000 answers of 40 ms in 5 seconds, as 16 connections
 * get them.
 */
class StubEngine implements LoadEngine {

	private static final long REQUESTS = 2_000;

	private static final double SECONDS = 5;

	private final List<LoadPlan> plans = new CopyOnWriteArrayList<>();

	List<LoadPlan> plans() {
		return this.plans;
	}

	@Override
	public String name() {
		return "stub";
	}

	void during(Stage stage) throws IOException, InterruptedException {
	}

	@Override
	public LoadResult run(LoadPlan plan, ProgressListener progress) throws InterruptedException {
		this.plans.add(plan);
		List<StageResult> stages = new ArrayList<>();
		boolean enough = false;
		for (Stage stage : plan.stages()) {
			enough &= stage.dispensable();
			if (enough) {
				continue;
			}
			progress.on(new ProgressEvent.StageStart(stage.name(), stage.kind(), 5, ProcessHandle.current().pid()));
			ask(plan, stage);
			progress.on(new ProgressEvent.Progress(stage.name(), 0, REQUESTS, 0, 40.0));
			progress.on(new ProgressEvent.StageEnd(stage.name(), REQUESTS, 0));
			stages.add(result(plan, stage, seconds(stage)));
			enough = progress.enough();
		}
		return new LoadResult("stub", plan.id(), complete(), stages);
	}

	boolean complete() {
		return true;
	}

	double seconds(Stage stage) {
		return SECONDS;
	}

	private void ask(LoadPlan plan, Stage stage) {
		// Something for the gateway to do, so that it has CPU time
		try (HttpClient client = HttpClient.newHttpClient()) {
			for (int request = 0; request < 20; request++) {
				client.send(HttpRequest.newBuilder(plan.target().resolve("/service-a/api/heavy")).build(),
						HttpResponse.BodyHandlers.discarding());
			}
			during(stage);
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static StageResult result(LoadPlan plan, Stage stage) {
		return result(plan, stage, SECONDS);
	}

	private static StageResult result(LoadPlan plan, Stage stage, double seconds) {
		List<TypeResult> types = new ArrayList<>();
		for (RequestType type : plan.workload().mix()) {
			long count = Math.round(REQUESTS * type.weight() / 100);
			Histogram histogram = new Histogram(1_000, 120_000_000_000L, 3);
			histogram.recordValueWithCount(40_000_000, count);
			LatencyHistogram latency = LatencyHistogram.of(histogram);
			Histogram overhead = new Histogram(1_000, 120_000_000_000L, 3);
			overhead.recordValueWithCount(1_000_000, count);
			types.add(new TypeResult(type.name(), new Counts(count, count, 0, 0, 0, 0, 0), count, Map.of(200, count),
					List.of(), new LatencyViews(latency, latency, latency, LatencyHistogram.of(overhead)),
					type.name().equals("heavy") ? 70.0 : 20.0));
		}
		return new StageResult(stage.name(), stage.kind(), Instant.now(), seconds, types,
				List.of(new SecondSample(0, REQUESTS, REQUESTS, 0, 40.0, 40.0, 40.0)),
				new GeneratorStats(LatencyHistogram.of(new Histogram(1_000, 120_000_000_000L, 3)), 0.1, 16, 0, 0, 0));
	}

}
