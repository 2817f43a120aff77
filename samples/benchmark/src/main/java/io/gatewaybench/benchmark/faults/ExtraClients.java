package io.gatewaybench.benchmark.faults;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.gatewaybench.benchmark.result.FaultResult;
import org.jspecify.annotations.Nullable;

/**
 * Clients beside the usual load, fifty at a time.
 */
final class ExtraClients {

	private static final int SIZE = 50;

	// Small, so that who does not read fills the buffers of the gateway soon
	private static final int RECEIVE_BUFFER = 4096;

	private static final int TIMEOUT_MILLIS = 5000;

	// An aborted upload costs as much as several requests. More of them would be too much
	// for a slow machine
	private static final long PAUSE_MILLIS = 400;

	private final URI gateway;

	private final AtomicLong visits = new AtomicLong();

	private final AtomicLong failed = new AtomicLong();

	private final AtomicReference<@Nullable String> failure = new AtomicReference<>();

	ExtraClients(URI gateway) {
		this.gateway = gateway;
	}

	/**
	 * Clients come one after another until the time is over.
	 * @param action what each of them does
	 * @param length how long
	 */
	void come(ClientAction action, Duration length) throws InterruptedException {
		long end = System.nanoTime() + length.toNanos();
		Callable<@Nullable Void> client = () -> {
			do {
				come(action, end);
				Thread.sleep(PAUSE_MILLIS);
			}
			while (System.nanoTime() < end);
			return null;
		};
		// Those that are late are interrupted
		try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
			clients.invokeAll(Collections.nCopies(SIZE, client), length.toMillis() + 2 * TIMEOUT_MILLIS,
					TimeUnit.MILLISECONDS);
		}
	}

	private void come(ClientAction action, long end) throws InterruptedException {
		this.visits.incrementAndGet();
		try (Socket socket = new Socket()) {
			socket.setReceiveBufferSize(RECEIVE_BUFFER);
			socket.setSoTimeout(TIMEOUT_MILLIS);
			socket.connect(new InetSocketAddress(this.gateway.getHost(), this.gateway.getPort()), TIMEOUT_MILLIS);
			action.happen(socket, end);
		}
		catch (IOException | RuntimeException ex) {
			this.failed.incrementAndGet();
			this.failure.compareAndSet(null, String.valueOf(ex.getMessage()));
		}
	}

	FaultResult.ExtraClients seen() {
		return new FaultResult.ExtraClients(this.visits.get(), this.failed.get(), this.failure.get());
	}

}
