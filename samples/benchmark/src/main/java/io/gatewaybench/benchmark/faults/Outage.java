package io.gatewaybench.benchmark.faults;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.gatewaybench.benchmark.failure.BenchFailure;
import org.jspecify.annotations.Nullable;

/**
 * Lets an instance fail and recover while somebody else sends the load.
 */
final class Outage implements AutoCloseable {

	private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

	private final Fault fault;

	private final Instance instance;

	private final Duration length;

	private @Nullable Future<Span> span;

	Outage(Fault fault, Instance instance, Duration usual) {
		this.fault = fault;
		this.instance = instance;
		this.length = fault.length(usual);
	}

	void begin() {
		this.span = this.executor.submit(this::happen);
	}

	private Span happen() throws InterruptedException {
		long begin = System.nanoTime();
		this.fault.begin(this.instance, this.length);
		Thread.sleep(Math.max(0, this.length.toNanos() - (System.nanoTime() - begin)) / 1_000_000);
		this.fault.end(this.instance);
		return new Span(begin, System.nanoTime());
	}

	/**
	 * Waits for the end.
	 * @return when it was
	 */
	Span span() throws InterruptedException {
		if (this.span == null) {
			throw new BenchFailure("The load ended before " + this.fault.id() + " could begin");
		}
		try {
			return this.span.get();
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof BenchFailure failure) ? failure
					: new BenchFailure("The fault " + this.fault.id() + " failed: " + ex.getCause(), ex);
		}
	}

	/**
	 * Ends it wherever it is; the instance may be left in any state.
	 */
	@Override
	public void close() {
		this.executor.shutdownNow();
		this.executor.close();
	}

	/**
	 * A time, by {@link System#nanoTime()}.
	 *
	 * @param begin when it began
	 * @param end when it ended
	 */
	record Span(long begin, long end) {
	}

}
