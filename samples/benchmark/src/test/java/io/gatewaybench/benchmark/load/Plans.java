package io.gatewaybench.benchmark.load;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Builds small plans, and sends stages.
 */
public final class Plans {

	private final Model model;

	private final List<Stage> stages = new ArrayList<>();

	private List<RequestType> mix = List.of(get(new Expectation(200, 0, null)));

	private int port = 1;

	private int connections = 2;

	private Duration thinkTime = Duration.ZERO;

	private Duration timeout = Duration.ofSeconds(10);

	private Plans(Model model) {
		this.model = model;
	}

	public static Plans builder(Model model) {
		return new Plans(model);
	}

	public static RequestType get(Expectation expectation) {
		return new RequestType("data", 1, "GET", List.of("/data"), Map.of(), null, expectation);
	}

	public Plans port(int newPort) {
		this.port = newPort;
		return this;
	}

	public Plans mix(RequestType... types) {
		this.mix = List.of(types);
		return this;
	}

	public Plans connections(int count) {
		this.connections = count;
		return this;
	}

	Plans thinkTime(long millis) {
		this.thinkTime = Duration.ofMillis(millis);
		return this;
	}

	public Plans timeout(long millis) {
		this.timeout = Duration.ofMillis(millis);
		return this;
	}

	public Plans stage(String name, long millis) {
		this.stages.add(Stage.closed(name, Stage.Kind.MEASURE, Duration.ofMillis(millis)));
		return this;
	}

	public Plans stage(String name, long millis, double rate) {
		this.stages.add(new Stage(name, Stage.Kind.MEASURE, Duration.ofMillis(millis), rate, Arrivals.CONSTANT));
		return this;
	}

	public Plans stage(Stage stage) {
		this.stages.add(stage);
		return this;
	}

	/**
	 * The same stage, over as soon as each user has sent so many requests.
	 */
	public static Stage iterations(Stage stage, int perUser) {
		return new Stage(stage.name(), stage.kind(), stage.lead(), stage.duration(), stage.rate(), stage.arrivals(),
				stage.steps(), stage.connections(), perUser, stage.mix());
	}

	/**
	 * The same stage on fewer connections.
	 */
	public static Stage on(int connections, Stage stage) {
		return new Stage(stage.name(), stage.kind(), stage.lead(), stage.duration(), stage.rate(), stage.arrivals(),
				stage.steps(), connections, stage.iterations(), stage.mix());
	}

	public Plans warmup(String name, long millis) {
		return stage(Stage.closed(name, Stage.Kind.WARMUP, Duration.ofMillis(millis)));
	}

	public LoadPlan build() {
		return new LoadPlan("test", URI.create("http://127.0.0.1:" + this.port),
				new Workload(this.model, this.mix, this.connections, this.thinkTime),
				new Timeouts(Duration.ofSeconds(2), this.timeout), 42);
	}

	/**
	 * Sends all stages in a session.
	 * @param engine what sends
	 * @return what was measured, by the name of the stage
	 */
	public Map<String, StageResult> send(LoadEngine engine) throws InterruptedException {
		Map<String, StageResult> results = new LinkedHashMap<>();
		try (LoadSession session = engine.open(build())) {
			for (Stage stage : this.stages) {
				results.put(stage.name(), session.run(stage));
			}
		}
		return results;
	}

}
