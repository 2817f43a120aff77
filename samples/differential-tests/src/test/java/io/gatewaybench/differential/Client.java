package io.gatewaybench.differential;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.gatewaybench.contract.Http2Connection;
import io.gatewaybench.contract.Http2Connection.Data;
import io.gatewaybench.contract.Http2Connection.Event;
import io.gatewaybench.contract.Http2Connection.Headers;
import io.gatewaybench.contract.Http2Connection.Reset;

/**
 * Plays the client of a script.
 */
final class Client {

	private final Script script;

	private final int port;

	private final String id;

	private final String target;

	private final CountDownLatch answered = new CountDownLatch(1);

	private final Body body;

	private final List<String> head = new ArrayList<>();

	private volatile int status;

	private volatile String end = "";

	private volatile boolean expectationFailed;

	private boolean answeredTwice;

	Client(Script script, int port, String id) {
		this.script = script;
		this.id = id;
		this.port = port;
		this.target = "/" + script.route() + "/" + id + script.target();
		this.body = new Body(script.leave());
	}

	/**
	 * What the client saw.
	 *
	 * @param status status, or 0 where no response came
	 * @param head lines of the head
	 * @param body body
	 * @param end how it ended
	 * @param expectationFailed whether nothing answered its expectation
	 * @param answeredTwice whether another response followed
	 */
	record Outcome(int status, List<String> head, Body body, String end, boolean expectationFailed,
			boolean answeredTwice) {

		boolean complete() {
			return this.end.equals("complete");
		}

	}

	Body body() {
		return this.body;
	}

	Outcome play() throws InterruptedException {
		try {
			if (this.script.http2()) {
				playHttp2();
			}
			else {
				playHttp1();
			}
		}
		catch (Body.Enough ex) {
			this.end = "left";
		}
		catch (SocketTimeoutException ex) {
			this.end = "timeout";
		}
		catch (IOException | RuntimeException ex) {
			this.end = "broken: " + ex.getMessage();
		}
		return new Outcome(this.status, List.copyOf(this.head), this.body, this.end, this.expectationFailed,
				this.answeredTwice);
	}

	private void playHttp1() throws IOException, InterruptedException {
		byte[] head = requestHead();
		List<byte[]> pieces = requestBody();
		int length = head.length + pieces.stream().mapToInt((piece) -> piece.length).sum();
		int cut = (this.script.cut() < 0) ? length : (int) ((long) length * this.script.cut() / 1000);
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
			socket.setTcpNoDelay(true);
			socket.setSoTimeout((int) GatewayProcess.PATIENCE.toMillis());
			OutputStream out = socket.getOutputStream();
			int first = Math.min(cut, this.script.split() * head.length / 1000);
			if (first > 0) {
				out.write(head, 0, first);
				TimeUnit.MILLISECONDS.sleep(5);
			}
			out.write(head, Math.max(first, 0), Math.min(cut, head.length) - Math.max(first, 0));
			out.flush();
			Thread writer = Thread.ofVirtual().start(() -> {
				try {
					writeBody(out, pieces, cut - head.length);
					if (cut < length) {
						socket.setSoLinger(this.script.cutBy().equals("reset"), 0);
						socket.close();
					}
				}
				catch (IOException | InterruptedException ex) {
					// The gateway wants no more, or the client has left
				}
			});
			TimeUnit.MILLISECONDS.sleep(this.script.readPause());
			InputStream in = new BufferedInputStream(socket.getInputStream(), 512);
			for (int i = 0; i < this.script.pipelined(); i++) {
				readPipelined(in);
			}
			read(in);
			if (this.script.peculiarity().frames() && !this.script.peculiarity().answers().isEmpty()) {
				this.answeredTwice = Wire.isMore(in);
			}
			if (this.script.answer().equals("head") && !this.script.clientBreaksOff()) {
				// Whoever closes before all is sent has broken off
				writer.join(Duration.ofSeconds(5));
			}
		}
	}

	private void readPipelined(InputStream in) throws IOException {
		List<String> lines = Wire.head(in);
		Body before = new Body();
		if (lines != null) {
			Wire.body(in, lines, true, before);
		}
		if (!ScriptedUpstream.PIPELINED.equals(new String(before.content(), StandardCharsets.ISO_8859_1))) {
			throw new IOException("A request in front got " + lines);
		}
	}

	private byte[] requestHead() {
		StringBuilder head = new StringBuilder();
		head.append("GET /plain/%s/pipelined HTTP/1.1\r\nHost: gateway\r\n\r\n".formatted(this.id)
			.repeat(this.script.pipelined()));
		head.append(
				"%s %s HTTP/1.%d\r\n".formatted(this.script.method(), requestTarget(), this.script.http10() ? 0 : 1));
		if (!this.script.peculiarity().hasHost()) {
			head.append("Host: gateway\r\n");
		}
		if (this.script.pipelined() > 0) {
			head.append("Connection: close\r\n");
		}
		head.append(this.script.peculiarity().lines());
		requestHeaders().forEach((header) -> head.append("%s: %s\r\n".formatted(header.getKey(), header.getValue())));
		if (this.script.body().equals("chunked")) {
			head.append("Transfer-Encoding: chunked\r\n");
		}
		return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
	}

	private List<Map.Entry<String, String>> requestHeaders() {
		List<Map.Entry<String, String>> headers = new ArrayList<>(this.script.headers());
		if (this.script.body().equals("length")) {
			headers.add(Map.entry("Content-Length", String.valueOf(this.script.content().length)));
		}
		if (this.script.expects()) {
			headers.add(Map.entry("Expect", "100-continue"));
		}
		return headers;
	}

	private String requestTarget() {
		return switch (this.script.form()) {
			case "absolute" -> "http://gateway" + this.target;
			case "elsewhere" -> "http://elsewhere" + this.target;
			case "authority" -> "gateway:80";
			case "asterisk" -> "*";
			default -> this.target;
		};
	}

	private List<byte[]> requestBody() throws IOException {
		if (this.script.peculiarity().frames()) {
			return List.of(this.script.peculiarity().sent(this.id));
		}
		List<byte[]> pieces = Script.cut(this.script.content(), this.script.pieces());
		if (!this.script.body().equals("chunked")) {
			return pieces;
		}
		List<byte[]> chunks = new ArrayList<>();
		for (byte[] piece : pieces) {
			ByteArrayOutputStream chunk = new ByteArrayOutputStream();
			chunk.write("%x\r\n".formatted(piece.length).getBytes(StandardCharsets.US_ASCII));
			chunk.write(piece);
			chunk.write("\r\n".getBytes(StandardCharsets.US_ASCII));
			chunks.add(chunk.toByteArray());
		}
		ByteArrayOutputStream last = new ByteArrayOutputStream();
		if (this.script.malformed()) {
			last.write("xyz\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
		}
		else {
			last.write(ScriptedUpstream.chunks(List.of(), this.script.trailers()));
		}
		chunks.add(last.toByteArray());
		return chunks;
	}

	private void writeBody(OutputStream out, List<byte[]> pieces, int limit) throws IOException, InterruptedException {
		if (limit >= 0 && !awaitContinue()) {
			return;
		}
		int left = limit;
		for (byte[] piece : pieces) {
			int length = Math.min(left, piece.length);
			if (length > 0) {
				TimeUnit.MILLISECONDS.sleep(this.script.pause());
				out.write(piece, 0, length);
				out.flush();
				left -= length;
			}
		}
	}

	/**
	 * Wait for what the client expects.
	 * @return whether to send the body; nobody wants it where the response is there
	 */
	private boolean awaitContinue() throws InterruptedException {
		if (this.script.expects() && !this.answered.await(10, TimeUnit.SECONDS)) {
			this.expectationFailed = true;
		}
		return !this.script.expects() || this.status < 200;
	}

	private void read(InputStream in) throws IOException {
		List<String> lines;
		do {
			lines = Wire.head(in);
			if (lines == null) {
				this.end = "closed";
				return;
			}
			this.status = Integer.parseInt(lines.get(0).split(" ")[1]);
			this.answered.countDown();
		}
		while (this.status < 200);
		this.head.addAll(lines);
		boolean none = this.script.method().equals("HEAD") || this.status == 204 || this.status == 304;
		Wire.body(in, none ? List.of("") : lines, !none, this.body);
		boolean untilClose = !none && Wire.values(lines, "content-length").isEmpty()
				&& Wire.values(lines, "transfer-encoding").isEmpty();
		this.end = untilClose ? "complete as the connection closed" : "complete";
	}

	private void playHttp2() throws IOException, InterruptedException {
		List<Map.Entry<String, String>> headers = new ArrayList<>();
		headers.add(Map.entry(":method", this.script.method()));
		headers.add(Map.entry(":scheme", "http"));
		headers.add(Map.entry(":authority", "gateway"));
		headers.add(Map.entry(":path", this.target));
		requestHeaders()
			.forEach((header) -> headers.add(Map.entry(header.getKey().toLowerCase(Locale.ROOT), header.getValue())));
		try (Http2Connection connection = new Http2Connection(this.port)) {
			Http2Connection.Stream stream = connection.open(headers, !this.script.hasBody());
			Thread writer = Thread.ofVirtual().start(() -> {
				try {
					write(connection, stream);
				}
				catch (IOException | InterruptedException ex) {
					// The gateway wants no more
				}
			});
			TimeUnit.MILLISECONDS.sleep(this.script.readPause());
			read(stream);
			if (this.script.answer().equals("head") && !this.script.clientBreaksOff()) {
				writer.join(Duration.ofSeconds(5));
			}
			if (this.end.equals("left") || this.end.equals("timeout")) {
				stream.reset(Http2Connection.CANCEL);
				// The frame has to be read before the connection ends
				TimeUnit.MILLISECONDS.sleep(200);
			}
		}
	}

	private void write(Http2Connection connection, Http2Connection.Stream stream)
			throws IOException, InterruptedException {
		if (!this.script.hasBody()) {
			return;
		}
		if (!awaitContinue()) {
			return;
		}
		byte[] content = this.script.content();
		boolean cut = this.script.cut() >= 0;
		byte[] sent = cut ? Arrays.copyOf(content, (int) ((long) content.length * this.script.cut() / 1000)) : content;
		for (byte[] piece : Script.cut(sent, this.script.pieces())) {
			TimeUnit.MILLISECONDS.sleep(this.script.pause());
			stream.data(piece, false);
		}
		if (!cut && this.script.trailers()) {
			stream.headers(List.of(Map.entry("x-trailer", "1")), true);
		}
		else if (!cut) {
			stream.data(new byte[0], true);
		}
		else if (this.script.cutBy().equals("reset")) {
			connection.reset();
		}
		else {
			stream.reset(Http2Connection.CANCEL);
		}
	}

	private void read(Http2Connection.Stream stream) throws IOException, InterruptedException {
		long until = System.nanoTime() + GatewayProcess.PATIENCE.toNanos();
		Event event;
		do {
			event = stream.next(Duration.ofNanos(until - System.nanoTime()));
			switch (event) {
				case null -> this.end = "timeout";
				case Reset reset -> this.end = "broken: " + reset;
				case Headers headers -> read(headers);
				case Data data -> {
					this.body.add(data.content(), data.content().length);
					stream.taken(data);
				}
				default -> throw new IllegalStateException("Unknown: " + event);
			}
		}
		while (event != null && !event.end());
		if (event != null && !(event instanceof Reset)) {
			List<String> lengths = Wire.values(this.head, "content-length");
			boolean none = this.script.method().equals("HEAD") || this.status == 304;
			boolean right = none || lengths.isEmpty() || Long.parseLong(lengths.get(0)) == this.body.content().length;
			this.end = right ? "complete" : "broken: not as long as its length";
		}
		if (this.end.equals("complete")) {
			this.body.complete();
		}
	}

	private void read(Headers headers) {
		if (headers.status() == 0) {
			headers.headers().forEach((trailer) -> this.body.trailer(trailer.getKey() + ": " + trailer.getValue()));
		}
		else {
			this.status = headers.status();
			this.answered.countDown();
		}
		if (headers.status() >= 200) {
			this.head.add("HTTP/2 " + this.status);
			headers.headers()
				.stream()
				.filter((header) -> !header.getKey().startsWith(":"))
				.forEach((header) -> this.head.add(header.getKey() + ": " + header.getValue()));
		}
	}

}
