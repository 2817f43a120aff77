package io.gatewaybench.benchmark.topology;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

import io.gatewaybench.benchmark.failure.BenchFailure;

/**
 * A TCP port of the loopback address that nobody listened on a moment ago.
 */
public final class FreePort {

	private static final int LOWEST = 20_000;

	// Of Linux; other systems begin higher
	private static final int LOWEST_OF_CLIENTS = 32_768;

	private static final int ATTEMPTS = 100;

	private FreePort() {
	}

	/**
	 * Looks for a port that stays free while nobody listens on it, because no client gets
	 * it: one below those that the operating system gives away.
	 * @return the port
	 */
	public static int findOutsideOfClients() {
		return ThreadLocalRandom.current()
			.ints(LOWEST, LOWEST_OF_CLIENTS)
			.limit(ATTEMPTS)
			.filter(FreePort::isFree)
			.findFirst()
			.orElseThrow(() -> new BenchFailure(
					"No free TCP port from " + LOWEST + " to " + LOWEST_OF_CLIENTS + " on the loopback address"));
	}

	private static boolean isFree(int port) {
		try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
			return socket.isBound();
		}
		catch (IOException ex) {
			return false;
		}
	}

	/**
	 * Asks the operating system for a port.
	 * @return the port
	 */
	public static int find() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("no free TCP port on the loopback address", ex);
		}
	}

}
