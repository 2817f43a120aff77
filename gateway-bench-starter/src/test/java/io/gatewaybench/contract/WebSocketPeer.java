package io.gatewaybench.contract;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import io.gatewaybench.contract.HttpExchange.Message;

/**
 * One side of a WebSocket, byte for byte.
 */
final class WebSocketPeer implements AutoCloseable {

	static final int TEXT = 0x81;

	static final int BINARY = 0x82;

	static final int CLOSE = 0x88;

	static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";

	static final String ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

	private static final byte[] MASK = { 1, 2, 3, 4 };

	private final Socket socket;

	private final boolean client;

	private final DataInputStream in;

	private WebSocketPeer(Socket socket, boolean client) throws IOException {
		this.socket = socket;
		this.client = client;
		this.socket.setTcpNoDelay(true);
		// An upstream waits as long as the test does
		this.socket.setSoTimeout(client ? 20_000 : 0);
		this.in = new DataInputStream(socket.getInputStream());
	}

	/**
	 * A client that has sent its handshake.
	 * @param more lines of its head
	 */
	static WebSocketPeer client(int port, String target, String... more) throws IOException {
		return client(new Socket(InetAddress.getLoopbackAddress(), port), target, more);
	}

	static WebSocketPeer client(Socket socket, String target, String... more) throws IOException {
		WebSocketPeer client = new WebSocketPeer(socket, true);
		StringBuilder head = new StringBuilder("GET " + target + " HTTP/1.1\r\nHost: gateway\r\n");
		head.append("Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n");
		head.append("Sec-WebSocket-Key: ").append(KEY).append("\r\n");
		Arrays.stream(more).forEach((line) -> head.append(line).append("\r\n"));
		client.write(head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
		return client;
	}

	/**
	 * The side of an upstream.
	 */
	static WebSocketPeer server(Socket socket) throws IOException {
		return new WebSocketPeer(socket, false);
	}

	Message readHead() throws IOException {
		return Message.read(this.in, true, () -> {
		});
	}

	Message readMessage() throws IOException {
		return Message.read(this.in, false, () -> {
		});
	}

	void write(byte[] bytes) throws IOException {
		this.socket.getOutputStream().write(bytes);
	}

	void write(String text) throws IOException {
		write(text.getBytes(StandardCharsets.ISO_8859_1));
	}

	void accept(String... more) throws IOException {
		StringBuilder head = new StringBuilder("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n");
		head.append("Upgrade: WebSocket\r\nSec-WebSocket-Accept: ").append(ACCEPT).append("\r\n");
		Arrays.stream(more).forEach((line) -> head.append(line).append("\r\n"));
		write(head.append("\r\n").toString());
	}

	void send(int first, byte[] payload) throws IOException {
		write(frame(first, payload));
	}

	void sendText(String text) throws IOException {
		send(TEXT, text.getBytes(StandardCharsets.UTF_8));
	}

	void sendClose(int code) throws IOException {
		send(CLOSE, new byte[] { (byte) (code >> 8), (byte) code });
	}

	/**
	 * The bytes of a frame, masked if it is the client's.
	 */
	byte[] frame(int first, byte[] payload) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		DataOutputStream out = new DataOutputStream(bytes);
		out.write(first);
		int masked = this.client ? 0x80 : 0;
		if (payload.length < 126) {
			out.write(masked | payload.length);
		}
		else if (payload.length < 65536) {
			out.write(masked | 126);
			out.writeShort(payload.length);
		}
		else {
			out.write(masked | 127);
			out.writeLong(payload.length);
		}
		if (this.client) {
			out.write(MASK);
		}
		for (int i = 0; i < payload.length; i++) {
			out.write(this.client ? payload[i] ^ MASK[i % 4] : payload[i]);
		}
		return bytes.toByteArray();
	}

	Frame read() throws IOException {
		int first = this.in.readUnsignedByte();
		int second = this.in.readUnsignedByte();
		long length = second & 0x7f;
		length = (length == 126) ? this.in.readUnsignedShort() : (length == 127) ? this.in.readLong() : length;
		byte[] mask = ((second & 0x80) != 0) ? this.in.readNBytes(4) : new byte[4];
		byte[] payload = this.in.readNBytes((int) length);
		if (payload.length < length) {
			throw new IOException("The frame broke off");
		}
		for (int i = 0; i < payload.length; i++) {
			payload[i] ^= mask[i % 4];
		}
		return new Frame(first, (second & 0x80) != 0, payload);
	}

	String readText() throws IOException {
		return new String(read().payload(), StandardCharsets.UTF_8);
	}

	/**
	 * Whether the other side has ended the connection, and nothing came before that.
	 */
	boolean isEnded() {
		try {
			return this.in.read() < 0;
		}
		catch (SocketTimeoutException ex) {
			return false;
		}
		catch (IOException ex) {
			return true;
		}
	}

	OutputStream out() throws IOException {
		return this.socket.getOutputStream();
	}

	void shutdownOutput() throws IOException {
		this.socket.shutdownOutput();
	}

	void reset() throws IOException {
		this.socket.setSoLinger(true, 0);
		this.socket.close();
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

	/**
	 * A frame as it came.
	 */
	record Frame(int first, boolean masked, byte[] payload) {

		int code() {
			return ((this.payload[0] & 0xff) << 8) | (this.payload[1] & 0xff);
		}

	}

}
