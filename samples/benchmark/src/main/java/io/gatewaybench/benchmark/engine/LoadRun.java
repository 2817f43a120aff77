package io.gatewaybench.benchmark.engine;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.gatewaybench.benchmark.plan.LoadPlan;
import io.gatewaybench.benchmark.plan.Stage;
import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/**
 * One run of a plan, stage after stage. All but {@link #start()} and {@link #cancel()}
 * happens on the event loop.
 */
final class LoadRun {

	private final LoadPlan plan;

	private final String engine;

	private final Transport transport;

	private final Timers timers;

	private final ConnectionPool pool;

	private final RequestMix mix;

	private final List<SplittableRandom> random;

	private final Consumer<ProgressEvent> events;

	private final CompletableFuture<LoadResult> result;

	private final List<StageResult> results = new ArrayList<>();

	private int nextStage;

	private boolean enough;

	private @Nullable StageRun current;

	LoadRun(LoadPlan plan, InetSocketAddress target, String engine, Transport transport, EventLoop loop, RequestMix mix,
			Consumer<ProgressEvent> events, CompletableFuture<LoadResult> result) {
		this.plan = plan;
		this.engine = engine;
		this.transport = transport;
		this.timers = new Timers(loop, result::completeExceptionally);
		this.pool = new ConnectionPool(plan, target, loop, transport, this.timers);
		this.mix = mix;
		this.random = random(plan);
		this.events = events;
		this.result = result;
	}

	/**
	 * Stages of the same load get the same requests and intended starts in every plan
	 * with this seed, whatever comes before them and whether it is left out.
	 */
	static List<SplittableRandom> random(LoadPlan plan) {
		Map<String, Integer> known = new HashMap<>();
		List<SplittableRandom> all = new ArrayList<>();
		for (Stage stage : plan.stages()) {
			String load = stage.kind() + " " + stage.connections() + " " + stage.rate();
			int number = known.merge(load, 1, Integer::sum);
			all.add(new SplittableRandom(plan.seed() + ((long) load.hashCode() << Integer.SIZE) + number));
		}
		return all;
	}

	/**
	 * Starts the run; the result comes by the future.
	 */
	void start() {
		this.timers.soon(this::next);
	}

	/**
	 * Ends the run at once, with what was measured so far.
	 */
	void cancel() {
		this.timers.soon(() -> {
			StageResult cut = (this.current != null) ? this.current.cancel() : null;
			if (cut != null) {
				this.results.add(cut);
			}
			end(false);
		});
	}

	/**
	 * Leaves out the dispensable stages that come next.
	 */
	void skip() {
		this.timers.soon(() -> this.enough = true);
	}

	private void next() {
		if (this.result.isDone()) {
			return;
		}
		while (this.enough && this.nextStage < this.plan.stages().size()
				&& this.plan.stages().get(this.nextStage).dispensable()) {
			this.nextStage++;
		}
		this.enough = false;
		if (this.nextStage == this.plan.stages().size()) {
			end(true);
			return;
		}
		int index = this.nextStage++;
		this.current = new StageRun(this.plan, this.plan.stages().get(index), this.pool, this.timers, this.mix,
				this.random.get(index), this.transport, this.events, this::stageDone);
		this.current.start();
	}

	private void stageDone(StageResult stage) {
		this.current = null;
		this.results.add(stage);
		next();
	}

	private void end(boolean complete) {
		this.result.complete(new LoadResult(this.engine, this.plan.id(), complete, this.results));
	}

}
