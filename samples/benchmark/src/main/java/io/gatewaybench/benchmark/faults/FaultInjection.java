package io.gatewaybench.benchmark.faults;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.gatewaybench.benchmark.failure.BenchFailure;

/**
 * Lets a fault happen while somebody else sends the load.
 */
final class FaultInjection implements AutoCloseable {

	private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

	private final Fault fault;

	private final FaultContext context;

	private final Duration length;

	FaultInjection(Fault fault, FaultContext context, Duration length) {
		this.fault = fault;
		this.context = context;
		this.length = length;
	}

	/**
	 * Lets clients come that do what those of the fault will do.
	 */
	void rehearse() {
		ClientAction action = this.fault.action();
		if (action != null) {
			this.executor.submit(() -> {
				new ExtraClients(this.context.gateway().address()).come(action, Loads.REHEARSAL);
				return null;
			});
		}
	}

	/**
	 * Lets the fault begin.
	 * @return when it was, known at its end
	 */
	Future<Span> begin() {
		return this.executor.submit(this::happen);
	}

	private Span happen() throws InterruptedException, IOException {
		long begin = System.nanoTime();
		this.fault.happen(this.context, this.length);
		return new Span(begin, System.nanoTime());
	}

	/**
	 * Waits for the end.
	 * @param span what has begun
	 * @return when it was
	 */
	Span end(Future<Span> span) throws InterruptedException {
		try {
			return span.get();
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
