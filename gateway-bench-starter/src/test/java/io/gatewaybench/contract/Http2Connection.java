package io.gatewaybench.contract;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;

/**
 * A cleartext connection of an HTTP/2 client that knows that the server speaks HTTP/2.
 * Each frame is sent when it is asked for, so that a test decides what is in which frame.
 */
public final class Http2Connection implements AutoCloseable {

	/**
	 * Error codes of RFC 9113.
	 */
	public static final int NO_ERROR = 0;

	public static final int CANCEL = 8;

	private static final int DATA = 0;

	private static final int HEADERS = 1;

	private static final int RST_STREAM = 3;

	private static final int SETTINGS = 4;

	private static final int PING = 6;

	private static final int GOAWAY = 7;

	private static final int WINDOW_UPDATE = 8;

	private static final int CONTINUATION = 9;

	private static final int END_STREAM = 0x1;

	private static final int ACK = 0x1;

	private static final int END_HEADERS = 0x4;

	private static final int PADDED = 0x8;

	private static final int PRIORITY = 0x20;

	private static final int INITIAL_WINDOW = 65_535;

	private static final int MAX_FRAME = 16_384;

	private final Socket socket;

	private final DataOutputStream out;

	private final DefaultHttp2HeadersEncoder encoder = new DefaultHttp2HeadersEncoder();

	private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false, 1_000_000);

	private final Map<Integer, Stream> streams = new HashMap<>();

	private int nextStream = 1;

	private long window = INITIAL_WINDOW;

	private int initialWindow = INITIAL_WINDOW;

	private boolean closed;

	private int resets;

	public Http2Connection(int port) throws IOException {
		this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
		this.socket.setTcpNoDelay(true);
		this.out = new DataOutputStream(this.socket.getOutputStream());
		synchronized (this) {
			this.out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
			// No push
			frame(SETTINGS, 0, 0, new byte[] { 0, 2, 0, 0, 0, 0 });
			// Streams limit what they take, the connection does not
			frame(WINDOW_UPDATE, 0, 0, number(Integer.MAX_VALUE - INITIAL_WINDOW));
		}
		Thread reader = new Thread(this::read, "http2-client");
		reader.setDaemon(true);
		reader.start();
	}

	/**
	 * Open a stream with a request.
	 * @param headers names and values, names of HTTP/2 first
	 * @param end whether the request has no body
	 */
	public synchronized Stream open(List<Map.Entry<String, String>> headers, boolean end) throws IOException {
		Stream stream = new Stream(this.nextStream, this.initialWindow);
		if (this.closed) {
			throw new IOException("The connection is closed");
		}
		this.streams.put(stream.id, stream);
		this.nextStream += 2;
		stream.headers(headers, end);
		return stream;
	}

	/**
	 * Whether a stream can be opened.
	 */
	public synchronized boolean isOpen() {
		return !this.closed;
	}

	/**
	 * How many streams were broken off by the client.
	 */
	synchronized int resets() {
		return this.resets;
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

	/**
	 * End the connection in the middle of whatever it does.
	 */
	public void reset() throws IOException {
		this.socket.setSoLinger(true, 0);
		this.socket.close();
	}

	private synchronized void frame(int type, int flags, int stream, byte[] payload) throws IOException {
		byte[] frame = new byte[9 + payload.length];
		frame[0] = (byte) (payload.length >> 16);
		frame[1] = (byte) (payload.length >> 8);
		frame[2] = (byte) payload.length;
		frame[3] = (byte) type;
		frame[4] = (byte) flags;
		System.arraycopy(number(stream), 0, frame, 5, 4);
		System.arraycopy(payload, 0, frame, 9, payload.length);
		this.out.write(frame);
	}

	private static byte[] number(int value) {
		return new byte[] { (byte) (value >> 24), (byte) (value >> 16), (byte) (value >> 8), (byte) value };
	}

	private static int number(byte[] payload, int offset) {
		return Unpooled.wrappedBuffer(payload).getInt(offset);
	}

	private void read() {
		try (Socket closing = this.socket) {
			DataInputStream in = new DataInputStream(closing.getInputStream());
			ByteArrayOutputStream block = new ByteArrayOutputStream();
			int flagsOfBlock = 0;
			while (true) {
				int lengthAndType = in.readInt();
				int type = lengthAndType & 0xff;
				int flags = in.readUnsignedByte();
				int id = in.readInt() & Integer.MAX_VALUE;
				byte[] payload = in.readNBytes(lengthAndType >>> 8);
				if (type == HEADERS || type == CONTINUATION) {
					if (type == HEADERS) {
						flagsOfBlock = flags;
					}
					block.write(content(payload, (type == HEADERS) ? flags : 0));
					if ((flags & END_HEADERS) != 0) {
						List<Map.Entry<String, String>> headers = decode(id, block.toByteArray());
						block.reset();
						event(id, new Headers(headers, (flagsOfBlock & END_STREAM) != 0));
					}
				}
				else if (type == DATA) {
					event(id, new Data(content(payload, flags), payload.length, (flags & END_STREAM) != 0));
				}
				else {
					control(type, flags, id, payload);
				}
			}
		}
		catch (IOException | Http2Exception ex) {
			synchronized (this) {
				this.closed = true;
				List.copyOf(this.streams.values()).forEach((stream) -> stream.add(new Reset(-1)));
			}
		}
	}

	private synchronized void control(int type, int flags, int id, byte[] payload) throws IOException {
		if (type == RST_STREAM) {
			event(id, new Reset(number(payload, 0)));
		}
		else if (type == SETTINGS && (flags & ACK) == 0) {
			for (int i = 0; i < payload.length; i += 6) {
				if (payload[i + 1] == 4) {
					int changed = number(payload, i + 2);
					this.streams.values().forEach((stream) -> stream.window += changed - this.initialWindow);
					this.initialWindow = changed;
				}
			}
			frame(SETTINGS, ACK, 0, new byte[0]);
		}
		else if (type == PING && (flags & ACK) == 0) {
			frame(PING, ACK, 0, payload);
		}
		else if (type == GOAWAY) {
			this.closed = true;
			int last = number(payload, 0);
			List.copyOf(this.streams.values())
				.stream()
				.filter((stream) -> stream.id > last)
				.forEach((stream) -> stream.add(new Reset(number(payload, 4))));
		}
		else if (type == WINDOW_UPDATE) {
			if (id == 0) {
				this.window += number(payload, 0);
			}
			else if (this.streams.containsKey(id)) {
				this.streams.get(id).window += number(payload, 0);
			}
		}
		notifyAll();
	}

	private static byte[] content(byte[] payload, int flags) {
		int from = ((flags & PADDED) != 0) ? 1 : 0;
		int padding = (from == 1) ? payload[0] & 0xff : 0;
		from += ((flags & PRIORITY) != 0) ? 5 : 0;
		return ByteBufUtil.getBytes(Unpooled.wrappedBuffer(payload), from, payload.length - from - padding);
	}

	private List<Map.Entry<String, String>> decode(int id, byte[] block) throws Http2Exception {
		List<Map.Entry<String, String>> headers = new ArrayList<>();
		this.decoder.decodeHeaders(id, Unpooled.wrappedBuffer(block))
			.forEach((header) -> headers.add(Map.entry(header.getKey().toString(), header.getValue().toString())));
		return headers;
	}

	private synchronized void event(int id, Event event) {
		Stream stream = this.streams.get(id);
		if (stream != null) {
			stream.add(event);
		}
	}

	/**
	 * Something that came from the server.
	 */
	public interface Event {

		/**
		 * Whether it is the last on its stream.
		 */
		boolean end();

	}

	/**
	 * A head, an interim one, or trailers.
	 *
	 * @param headers names and values
	 * @param end whether the response ends with it
	 */
	public record Headers(List<Map.Entry<String, String>> headers, boolean end) implements Event {

		/**
		 * Status, or 0 of trailers.
		 */
		public int status() {
			return this.headers.stream()
				.filter((header) -> header.getKey().equals(":status"))
				.mapToInt((header) -> Integer.parseInt(header.getValue()))
				.findFirst()
				.orElse(0);
		}

	}

	/**
	 * A part of a body.
	 *
	 * @param content its bytes
	 * @param size what it takes of the windows
	 * @param end whether the response ends with it
	 */
	public record Data(byte[] content, int size, boolean end) implements Event {

	}

	/**
	 * The stream was broken off.
	 *
	 * @param code error code, or -1 where the connection ended
	 */
	public record Reset(int code) implements Event {

		@Override
		public boolean end() {
			return true;
		}

	}

	/**
	 * One request and its response.
	 */
	public final class Stream {

		private final int id;

		private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

		private long window;

		private int taken;

		private boolean requestEnded;

		private boolean responseEnded;

		private boolean reset;

		private Stream(int id, long window) {
			this.id = id;
			this.window = window;
		}

		/**
		 * Send the head, or trailers.
		 */
		public void headers(List<Map.Entry<String, String>> headers, boolean end) throws IOException {
			Http2Headers block = new DefaultHttp2Headers(false);
			headers.forEach((header) -> block.add(header.getKey(), header.getValue()));
			synchronized (Http2Connection.this) {
				ByteBuf buffer = Unpooled.buffer();
				try {
					Http2Connection.this.encoder.encodeHeaders(this.id, block, buffer);
				}
				catch (Http2Exception ex) {
					throw new IOException(ex);
				}
				int type = HEADERS;
				int flags = end ? END_STREAM : 0;
				ended(end, this.responseEnded);
				do {
					byte[] part = new byte[Math.min(MAX_FRAME, buffer.readableBytes())];
					buffer.readBytes(part);
					frame(type, flags | (buffer.isReadable() ? 0 : END_HEADERS), this.id, part);
					type = CONTINUATION;
					flags = 0;
				}
				while (buffer.isReadable());
			}
		}

		/**
		 * Send a part of the body, as soon as the server takes it.
		 */
		public void data(byte[] content, boolean end) throws IOException {
			int sent = 0;
			do {
				synchronized (Http2Connection.this) {
					int length = awaitWindow(Math.min(MAX_FRAME, content.length - sent));
					byte[] part = new byte[length];
					System.arraycopy(content, sent, part, 0, length);
					sent += length;
					this.window -= length;
					Http2Connection.this.window -= length;
					ended(end && sent == content.length, this.responseEnded);
					frame(DATA, (end && sent == content.length) ? END_STREAM : 0, this.id, part);
				}
			}
			while (sent < content.length);
		}

		private int awaitWindow(int wanted) throws IOException {
			long free = Math.min(this.window, Http2Connection.this.window);
			while (wanted > 0 && free <= 0) {
				failIfReset();
				try {
					Http2Connection.this.wait();
				}
				catch (InterruptedException ex) {
					throw new IOException(ex);
				}
				free = Math.min(this.window, Http2Connection.this.window);
			}
			failIfReset();
			return (int) Math.min(wanted, free);
		}

		/**
		 * Break off.
		 */
		public void reset(int code) throws IOException {
			synchronized (Http2Connection.this) {
				if (Http2Connection.this.streams.containsKey(this.id)) {
					add(new Reset(code));
					frame(RST_STREAM, 0, this.id, number(code));
					Http2Connection.this.resets++;
				}
			}
		}

		/**
		 * Wait for what comes next.
		 */
		public Event next() throws InterruptedException {
			return this.events.take();
		}

		/**
		 * Wait for what comes next, but not for ever.
		 * @return {@code null} if nothing came
		 */
		public Event next(Duration patience) throws InterruptedException {
			return this.events.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
		}

		/**
		 * Let the server send as much more as was taken. Many small updates would be an
		 * attack to a server.
		 */
		public void taken(Data data) throws IOException {
			this.taken += data.size();
			if (this.taken >= INITIAL_WINDOW / 2 && !data.end()) {
				frame(WINDOW_UPDATE, 0, this.id, number(this.taken));
				frame(WINDOW_UPDATE, 0, 0, number(this.taken));
				this.taken = 0;
			}
		}

		private void add(Event event) {
			this.events.add(event);
			this.reset |= event instanceof Reset;
			ended(this.requestEnded || this.reset, event.end());
			Http2Connection.this.notifyAll();
		}

		private void ended(boolean request, boolean response) {
			this.requestEnded = request;
			this.responseEnded = response;
			if (request && response) {
				Http2Connection.this.streams.remove(this.id);
			}
		}

		private void failIfReset() throws IOException {
			if (this.reset || Http2Connection.this.socket.isClosed()) {
				throw new IOException("The stream was reset");
			}
		}

	}

}
