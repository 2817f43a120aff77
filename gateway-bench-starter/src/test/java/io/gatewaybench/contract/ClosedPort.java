package io.gatewaybench.contract;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A port that refuses connections. It is bound, so that nobody else can get it meanwhile:
 * a gateway that got it would be its own upstream.
 */
final class ClosedPort implements AutoCloseable {

	private final Socket socket = new Socket();

	ClosedPort() throws IOException {
		this.socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
	}

	String url() {
		return "http://127.0.0.1:" + this.socket.getLocalPort();
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

}
