package io.gatewaybench.benchmark.topology;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

import io.gatewaybench.benchmark.failure.BenchFailure;

/**
 * A TCP port of the loopback address that nobody listened on a moment ago.
 */
public final class FreePort {

	// Above those of hosts, which may be this machine
	private static final int LOWEST = 21_000;

	// Of Linux; other systems begin higher
	private static final int LOWEST_OF_CLIENTS = 32_768;

	private static final int ATTEMPTS = 100;

	// A program that starts does not listen yet
	private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

	private FreePort() {
	}

	/**
	 * Looks for a port that stays free while nobody listens on it, because no client gets
	 * it: one below those that the operating system gives away.
	 * @return the port
	 */
	public static int find() {
		return ThreadLocalRandom.current()
			.ints(LOWEST, LOWEST_OF_CLIENTS)
			.limit(ATTEMPTS)
			.filter((port) -> isFree(port) && GIVEN.add(port))
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

}
