package io.gatewaybench.benchmark.selftest;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

import io.gatewaybench.benchmark.failure.BenchFailure;

/**
 * The simplest gateway there is: passes bytes on, and lets what comes back wait for a
 * known time.
 */
final class DelayingProxy implements AutoCloseable {

	private static final int BUFFER = 64 * 1024;

	private final ServerSocket server;

	private final URI backend;

	private final long delayNanos;

	private final Set<Socket> open = ConcurrentHashMap.newKeySet();

	private DelayingProxy(ServerSocket server, URI backend, Duration delay) {
		this.server = server;
		this.backend = backend;
		this.delayNanos = delay.toNanos();
	}

	static DelayingProxy start(URI backend, Duration delay) {
		try {
			DelayingProxy proxy = new DelayingProxy(new ServerSocket(0, 100, InetAddress.getLoopbackAddress()), backend,
					delay);
			Thread.startVirtualThread(proxy::accept);
			return proxy;
		}
		catch (IOException ex) {
			throw new BenchFailure("The proxy of the check does not start: " + ex.getMessage(), ex);
		}
	}

	URI address() {
		return URI.create("http://127.0.0.1:" + this.server.getLocalPort());
	}

	private void accept() {
		try {
			while (true) {
				Socket client = opened(this.server.accept());
				Socket upstream = opened(new Socket(this.backend.getHost(), this.backend.getPort()));
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

	private Socket opened(Socket socket) throws IOException {
		socket.setTcpNoDelay(true);
		this.open.add(socket);
		return socket;
	}

	private void pass(Socket from, Socket to, long nanos) {
		try (from; to; InputStream in = from.getInputStream(); OutputStream out = to.getOutputStream()) {
			byte[] buffer = new byte[BUFFER];
			int length = in.read(buffer);
			while (length >= 0) {
				long end = System.nanoTime() + nanos;
				for (long left = nanos; left > 0; left = end - System.nanoTime()) {
					LockSupport.parkNanos(left);
				}
				out.write(buffer, 0, length);
				length = in.read(buffer);
			}
		}
		catch (IOException ex) {
			// One end closed the connection, and so it is closed at the other
		}
		finally {
			this.open.remove(from);
			this.open.remove(to);
		}
	}

	@Override
	public void close() {
		try {
			this.server.close();
			for (Socket socket : this.open) {
				socket.close();
			}
		}
		catch (IOException ex) {
			throw new BenchFailure("The proxy of the check does not end: " + ex.getMessage(), ex);
		}
	}

}
