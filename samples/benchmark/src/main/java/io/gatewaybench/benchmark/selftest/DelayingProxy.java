package io.gatewaybench.benchmark.selftest;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import io.gatewaybench.benchmark.failure.BenchFailure;

/**
 * The simplest gateway there is: passes bytes on, and lets what comes back wait for a
 * known time. Its connections end with those of its clients.
 */
final class DelayingProxy implements AutoCloseable {

	private final ServerSocket server;

	private final URI backend;

	private final long delayNanos;

	DelayingProxy(URI backend, Duration delay) {
		try {
			this.server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new BenchFailure("The proxy of the check does not start: " + ex.getMessage(), ex);
		}
		this.backend = backend;
		this.delayNanos = delay.toNanos();
		Thread.startVirtualThread(this::accept);
	}

	URI address() {
		return URI.create("http://127.0.0.1:" + this.server.getLocalPort());
	}

	private void accept() {
		try {
			while (true) {
				Socket client = this.server.accept();
				Socket upstream = new Socket(this.backend.getHost(), this.backend.getPort());
				Thread.startVirtualThread(() -> pass(client, upstream, 0));
				// The scheduler of virtual threads would add another tenth of a
				// millisecond
				Thread.ofPlatform().daemon().start(() -> pass(upstream, client, this.delayNanos));
			}
		}
		catch (IOException ex) {
			// Closed, or the backend is gone, which the requests of the check will tell
			close();
		}
	}

	private static void pass(Socket from, Socket to, long nanos) {
		try (from; to; InputStream in = from.getInputStream(); OutputStream out = to.getOutputStream()) {
			to.setTcpNoDelay(true);
			byte[] buffer = new byte[64 * 1024];
			for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
				long end = System.nanoTime() + nanos;
				for (long left = nanos; left > 0; left = end - System.nanoTime()) {
					LockSupport.parkNanos(left);
				}
				out.write(buffer, 0, length);
			}
		}
		catch (IOException ex) {
			// One end closed the connection, and so it is closed at the other
		}
	}

	@Override
	public void close() {
		try {
			this.server.close();
		}
		catch (IOException ex) {
			throw new BenchFailure("The proxy of the check does not end: " + ex.getMessage(), ex);
		}
	}

}
