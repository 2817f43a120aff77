package io.gatewaybench.benchmark.topology;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/**
 * A TCP port of the loopback address that nobody listened on a moment ago.
 */
public final class FreePort {

	private FreePort() {
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
