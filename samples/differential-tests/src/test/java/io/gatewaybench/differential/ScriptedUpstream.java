package io.gatewaybench.differential;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An upstream that finds its script by the first part of the path, and remembers each
 * request as it came.
 */
final class ScriptedUpstream implements AutoCloseable {

	/**
	 * What can follow the last chunk.
	 */
	static final String TRAILERS = "X-Trailer: 1\r\n\r\n";

	/**
	 * Body of the response to a request that comes in front of a script's.
	 */
	static final String PIPELINED = "in front";

	private static final Pattern ID = Pattern.compile("s-\\d+");

	private final Queue<String> strangers = new ConcurrentLinkedQueue<>();

	private final ServerSocket server = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress());

	private final Map<String, Exchange> exchanges;

	private final Set<Socket> connections = ConcurrentHashMap.newKeySet();

	ScriptedUpstream() throws IOException {
		this(new ConcurrentHashMap<>());
	}

	/**
	 * Another instance of an upstream.
	 */
	ScriptedUpstream(ScriptedUpstream first) throws IOException {
		this(first.exchanges);
	}

	private ScriptedUpstream(Map<String, Exchange> exchanges) throws IOException {
		this.exchanges = exchanges;
		Thread.ofVirtual().start(this::accept);
	}

	String url() {
		return "http://127.0.0.1:" + this.server.getLocalPort();
	}

	/**
	 * Requests that nobody sent.
	 */
	List<String> strangers() {
		return List.copyOf(this.strangers);
	}

	int openConnections() {
		return this.connections.size();
	}

	/**
	 * Expect the requests of a script.
	 * @param id first part of the path
	 */
	Exchange expect(String id, Script script) {
		Exchange exchange = new Exchange(script);
		this.exchanges.put(id, exchange);
		return exchange;
	}

	void forget(String id) {
		this.exchanges.remove(id);
	}

	@Override
	public void close() throws IOException {
		this.server.close();
		for (Socket connection : this.connections) {
			connection.close();
		}
	}

	private void accept() {
		try {
			while (true) {
				Socket socket = this.server.accept();
				this.connections.add(socket);
				Thread.ofVirtual().start(() -> serve(socket));
			}
		}
		catch (IOException ex) {
			// Closed by the test
		}
	}

	private void serve(Socket socket) {
		try (socket) {
			socket.setTcpNoDelay(true);
			InputStream in = new BufferedInputStream(socket.getInputStream());
			boolean again = true;
			while (again) {
				List<String> head = Wire.head(in);
				again = head != null && serve(socket, in, head);
			}
		}
		catch (IOException | InterruptedException ex) {
			// The gateway has closed the connection
		}
		finally {
			this.connections.remove(socket);
		}
	}

	private boolean serve(Socket socket, InputStream in, List<String> head) throws IOException, InterruptedException {
		Matcher id = ID.matcher(head.get(0));
		if (!id.find()) {
			this.strangers.add(head.get(0));
			return false;
		}
		if (head.get(0).contains("/pipelined")) {
			socket.getOutputStream()
				.write("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s".formatted(PIPELINED.length(), PIPELINED)
					.getBytes(StandardCharsets.ISO_8859_1));
			return true;
		}
		Exchange exchange = this.exchanges.get(id.group());
		if (exchange == null) {
			return false;
		}
		Attempt attempt = exchange.begin(head);
		try {
			return serve(socket, in, exchange, attempt);
		}
		finally {
			attempt.ended.countDown();
		}
	}

	private static boolean serve(Socket socket, InputStream in, Exchange exchange, Attempt attempt)
			throws IOException, InterruptedException {
		Script script = exchange.script;
		if (attempt.number <= script.fails()) {
			if (script.failBy().equals("request")) {
				attempt.read(in);
			}
			socket.setSoLinger(true, 0);
			return false;
		}
		if (script.echoes()) {
			return echo(socket, in, script, attempt);
		}
		Thread reader = Thread.ofVirtual().unstarted(() -> attempt.read(in));
		if (script.answer().equals("whole")) {
			attempt.read(in);
			if (!attempt.body.isComplete()) {
				return false;
			}
		}
		else if (script.answer().equals("head")) {
			reader.start();
		}
		boolean again = answer(socket, exchange, reader);
		if (!again) {
			// A response until close would never end if the request did not
			socket.shutdownOutput();
		}
		awaitEnd(reader);
		if (again && attempt.body.isComplete()) {
			return true;
		}
		if (again) {
			socket.shutdownOutput();
		}
		if (script.answer().equals("deaf")) {
			// What arrives at a closed socket would reset it, and the response with it
			TimeUnit.MILLISECONDS.sleep(300);
		}
		else {
			socket.setSoTimeout((int) GatewayProcess.PATIENCE.toMillis());
			in.transferTo(OutputStream.nullOutputStream());
		}
		return false;
	}

	/**
	 * Answer with what is read. Whoever sends all before it reads waits for ever.
	 */
	private static boolean echo(Socket socket, InputStream in, Script script, Attempt attempt) throws IOException {
		OutputStream out = socket.getOutputStream();
		out.write(head(script, new byte[0]).getBytes(StandardCharsets.ISO_8859_1));
		attempt.body.echoTo(out);
		attempt.read(in);
		out.write(chunks(List.of(), false));
		return attempt.body.isComplete();
	}

	/**
	 * Wait for the end of a request that is read while it is answered. Two who read from
	 * one connection would each get a part of it.
	 */
	private static void awaitEnd(Thread reader) throws InterruptedException {
		if (reader.getState() != Thread.State.NEW) {
			reader.join(GatewayProcess.PATIENCE);
		}
	}

	/**
	 * Answer.
	 * @return whether the connection can be used again
	 */
	private static boolean answer(Socket socket, Exchange exchange, Thread reader)
			throws IOException, InterruptedException {
		Script script = exchange.script;
		OutputStream out = socket.getOutputStream();
		for (int interim : script.interim()) {
			out.write("HTTP/1.1 %d Interim\r\n%s\r\n".formatted(interim, (interim == 103) ? "Link: </a>\r\n" : "")
				.getBytes(StandardCharsets.ISO_8859_1));
			out.flush();
		}
		byte[] response = response(script);
		int length = (script.responseCut() < 0) ? response.length
				: (int) ((long) response.length * script.responseCut() / 1000);
		byte[] sent = Arrays.copyOf(response, length);
		int written = 0;
		for (byte[] piece : Script.cut(sent, script.responsePieces())) {
			TimeUnit.MILLISECONDS.sleep(script.responsePause());
			out.write(piece);
			out.flush();
			written += piece.length;
			if (script.paced()) {
				exchange.awaitClient(contentOf(sent, written));
			}
		}
		if (script.responseCut() >= 0) {
			if (script.responseCutBy().equals("silence")) {
				awaitEnd(reader);
				socket.setSoTimeout((int) GatewayProcess.PATIENCE.toMillis());
				socket.getInputStream().transferTo(OutputStream.nullOutputStream());
			}
			socket.setSoLinger(script.responseCutBy().equals("reset"), 0);
			throw new IOException("Broken off");
		}
		return script.keepsConnection();
	}

	private static int contentOf(byte[] response, int length) {
		Body body = new Body();
		try {
			InputStream in = new ByteArrayInputStream(response, 0, length);
			Wire.body(in, Wire.head(in), true, body);
		}
		catch (IOException ex) {
			// More is to come
		}
		return body.length();
	}

	static byte[] response(Script script) {
		byte[] content = script.responseContent();
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		bytes.writeBytes(head(script, content).getBytes(StandardCharsets.ISO_8859_1));
		if (script.bodiless()) {
			return bytes.toByteArray();
		}
		if (isChunked(script)) {
			bytes.writeBytes(
					chunks(Script.cut(content, Math.max(1, script.responsePieces())), script.responseTrailers()));
		}
		else {
			bytes.writeBytes(content);
		}
		return bytes.toByteArray();
	}

	private static boolean isChunked(Script script) {
		boolean none = script.status() == 204 || script.status() == 304;
		return script.oddity() == Script.Oddity.LENGTH_AND_CHUNKED || (script.framing().equals("chunked") && !none);
	}

	private static String head(Script script, byte[] content) {
		Script.Oddity oddity = script.oddity();
		String version = switch (oddity) {
			case HTTP_1_0 -> "HTTP/1.0";
			case BAD_VERSION -> "HTTP/9.9x";
			default -> "HTTP/1.1";
		};
		String status = switch (oddity) {
			case BAD_STATUS -> "2x0";
			case LONG_STATUS -> "2000";
			case SHORT_STATUS -> "20";
			default -> String.valueOf(script.status());
		};
		String reason = (oddity == Script.Oddity.NO_REASON) ? "" : "Said";
		StringBuilder head = new StringBuilder("%s %s %s\r\n".formatted(version, status, reason));
		head.append(oddity.lines());
		head.append("Content-Type: %s\r\n".formatted(script.type()));
		script.responseHeaders()
			.forEach((header) -> head.append("%s: %s\r\n".formatted(header.getKey(), header.getValue())));
		boolean none = script.status() == 204 || script.status() == 304;
		boolean both = oddity == Script.Oddity.LENGTH_AND_CHUNKED;
		if (!none && (both || script.framing().equals("length"))) {
			head.append("Content-Length: %d\r\n".formatted(content.length));
		}
		if (isChunked(script)) {
			head.append("Transfer-Encoding: chunked\r\n");
		}
		if (!script.keepsConnection()) {
			head.append("Connection: close\r\n");
		}
		return head.append("\r\n").toString();
	}

	static byte[] chunks(List<byte[]> pieces, boolean trailers) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		for (byte[] piece : pieces) {
			bytes.writeBytes("%x\r\n".formatted(piece.length).getBytes(StandardCharsets.US_ASCII));
			bytes.writeBytes(piece);
			bytes.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
		}
		bytes.writeBytes(("0\r\n" + (trailers ? TRAILERS : "\r\n")).getBytes(StandardCharsets.US_ASCII));
		return bytes.toByteArray();
	}

	/**
	 * All attempts to have one script answered.
	 */
	static final class Exchange {

		private final Script script;

		private final List<Attempt> attempts = new ArrayList<>();

		private volatile Body client = new Body();

		private volatile boolean withheld;

		private Exchange(Script script) {
			this.script = script;
		}

		/**
		 * Whose client gets the response.
		 */
		void watch(Body client) {
			this.client = client;
		}

		boolean isWithheld() {
			return this.withheld;
		}

		private void awaitClient(int length) throws InterruptedException {
			long until = System.nanoTime() + GatewayProcess.TIMEOUT.toNanos() * 3 / 4;
			while (this.client.length() < length && !this.withheld) {
				this.withheld = System.nanoTime() > until;
				TimeUnit.MILLISECONDS.sleep(2);
			}
		}

		private synchronized Attempt begin(List<String> head) {
			Attempt attempt = new Attempt(this.attempts.size() + 1, head);
			this.attempts.add(attempt);
			return attempt;
		}

		synchronized List<Attempt> attempts() {
			return List.copyOf(this.attempts);
		}

	}

	/**
	 * A request as it came.
	 */
	static final class Attempt {

		private final int number;

		private final List<String> head;

		private final Body body = new Body();

		private final CountDownLatch ended = new CountDownLatch(1);

		private final long begun = System.nanoTime();

		private Attempt(int number, List<String> head) {
			this.number = number;
			this.head = head;
		}

		private void read(InputStream in) {
			try {
				Wire.body(in, this.head, false, this.body);
			}
			catch (IOException | RuntimeException ex) {
				// Incomplete, as the body tells
			}
		}

		/**
		 * Whether the gateway asked once more, for the whole of what it will change.
		 */
		boolean isRepeatedWithoutRange(Oracle.Run run) {
			return this.number > 1 && !Wire.values(run.attempts().get(0).head, "range").isEmpty();
		}

		/**
		 * Whether the gateway may have waited for the attempt before as long as it does.
		 * When that began is not known here: a busy machine lets the upstream see it
		 * late.
		 * @param client when the client began, so not later than the gateway
		 */
		boolean mayFollowTimeout(long client) {
			return this.begun - client >= GatewayProcess.TIMEOUT.toNanos();
		}

		List<String> head() {
			return this.head;
		}

		Body body() {
			return this.body;
		}

		/**
		 * Wait until the upstream has nothing more to do with it.
		 */
		boolean awaitEnd() throws InterruptedException {
			return this.ended.await(2 * GatewayProcess.PATIENCE.toSeconds(), TimeUnit.SECONDS);
		}

	}

}
