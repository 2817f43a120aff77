package io.gatewaybench.benchmark.load;

import java.util.Base64;
import java.util.HexFormat;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static io.gatewaybench.benchmark.load.EngineFixture.OK;
import static io.gatewaybench.benchmark.load.EngineFixture.assertAll;
import static io.gatewaybench.benchmark.load.EngineFixture.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * WebSockets of targets that are right, wrong, silent and gone.
 */
class WebSocketClientTests {

	private static final Expectation SOCKET = new Expectation(101, 5, null);

	// A text of "hello", and Close with 1000
	private static final String HELLO = "8105" + "68656c6c6f";

	private static final String CLOSE = "880203e8";

	@Test
	void theHandshakeHasAKeyOfItsOwnEachTime() throws Exception {
		Queue<String> heads = new ConcurrentLinkedQueue<>();
		try (StubServer server = new StubServer((exchange) -> {
			heads.add(exchange.head());
			exchange.send(exchange.switching() + "~");
			// The reason is backend;dur=1.5
			exchange.send(HexFormat.of().parseHex(HELLO + "881103e8" + "6261636b656e643b6475723d312e35"));
		})) {
			StageResult result = run(plan(server.port()));
			assertAll(result, Counts::ok);
			assertThat(result.total().statuses()).containsOnlyKeys(101);
			assertThat(result.generator().reconnects()).isPositive();
			assertThat(result.total().backendMeanMs()).isEqualTo(1.5);
		}
		assertThat(heads).hasSizeGreaterThan(1)
			.doesNotHaveDuplicates()
			.allSatisfy((head) -> assertThat(head).startsWith("GET /data HTTP/1.1\r\nHost: ")
				.contains("\r\nConnection: Upgrade\r\n", "\r\nUpgrade: websocket\r\n",
						"\r\nSec-WebSocket-Version: 13\r\n")
				.satisfies((same) -> assertThat(Base64.getDecoder().decode(StubServer.key(same))).hasSize(16)));
	}

	@Test
	void pingsAndTheCloseAreAnsweredWithAMask() throws Exception {
		Queue<String> frames = new ConcurrentLinkedQueue<>();
		try (StubServer server = new StubServer((exchange) -> {
			// A ping between two fragments, a pong, and a binary frame
			exchange.send(exchange.switching() + "~");
			exchange.send(HexFormat.of().parseHex("0103" + "68656c" + "89012a" + "8002" + "6c6f" + "8a00" + "820100"));
			String pong = unmasked(exchange.read(7));
			exchange.send(HexFormat.of().parseHex(CLOSE));
			frames.add(pong + unmasked(exchange.read(8)));
		})) {
			assertAll(run(plan(server.port())), Counts::ok);
		}
		assertThat(frames).isNotEmpty().containsOnly("8a812a" + "888203e8");
	}

	@Test
	void framesThatComeByteByByteAreRight() throws Exception {
		try (StubServer server = new StubServer((exchange) -> {
			for (byte each : StubServer.bytes(exchange.switching() + "~")) {
				exchange.send(new byte[] { each });
			}
			for (byte each : HexFormat.of().parseHex(HELLO + CLOSE)) {
				exchange.send(new byte[] { each });
			}
		})) {
			assertAll(run(plan(server.port())), Counts::ok);
		}
	}

	static Stream<Arguments> faults() {
		return Stream.of(
				fault("200", Counts::httpError, "expected status 101, got 200", (exchange) -> exchange.send(OK)),
				fault("426", Counts::httpError, "expected status 101, got 426",
						(exchange) -> exchange.send("HTTP/1.1 426 Upgrade Required~Content-Length: 0~~")),
				fault("wrong accept", Counts::reset, "expected Sec-WebSocket-Accept", (exchange) -> exchange.send(
						"HTTP/1.1 101 Switching Protocols~Upgrade: websocket~Connection: Upgrade~Sec-WebSocket-Accept: a~~")),
				fault("no accept", Counts::reset, ", got null",
						(exchange) -> exchange
							.send("HTTP/1.1 101 Switching Protocols~Upgrade: websocket~Connection: Upgrade~~")),
				frames("cut in a frame", Counts::reset, "closed without a Close frame, after 5 bytes", HELLO + "810568",
						StubServer.Exchange::close),
				frames("no Close", Counts::reset, "closed without a Close frame, after 5 bytes", HELLO,
						StubServer.Exchange::close),
				frames("silence", Counts::timeout, "only 5 bytes", HELLO, StubServer.Exchange::never),
				frames("cut and silence", Counts::timeout, "only 5 bytes", HELLO + "8105", StubServer.Exchange::never),
				frames("Close with 1011", Counts::reset, "the WebSocket was closed with 1011 no",
						HELLO + "880403f36e6f", StubServer.Exchange::never),
				frames("Close without a code", Counts::reset, "the WebSocket was closed with -1", HELLO + "8800",
						StubServer.Exchange::never),
				frames("a mask", Counts::reset, "masked", "8185" + "00000000" + "68656c6c6f",
						StubServer.Exchange::never),
				frames("no frame", Counts::reset, "reserved opcode", "8300", StubServer.Exchange::never),
				frames("a frame of 4 GB", Counts::reset, "Max frame length", "827f0000000100000000",
						StubServer.Exchange::never),
				frames("too little", Counts::wrongBody, "expected a body of 5 bytes at least, got 4",
						"810468656c6c" + CLOSE, StubServer.Exchange::never));
	}

	private static Arguments fault(String name, ToLongFunction<Counts> outcome, String reason,
			StubServer.Answer answer) {
		return arguments(name, outcome, reason, answer);
	}

	private static Arguments frames(String name, ToLongFunction<Counts> outcome, String reason, String frames,
			StubServer.Answer end) {
		return arguments(name, outcome, reason, (StubServer.Answer) (exchange) -> {
			exchange.send(exchange.switching() + "~");
			exchange.send(HexFormat.of().parseHex(frames));
			end.to(exchange);
		});
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("faults")
	void everyOtherEndIsAFailure(String name, ToLongFunction<Counts> outcome, String reason, StubServer.Answer answer)
			throws Exception {
		try (StubServer server = new StubServer(answer)) {
			StageResult result = run(plan(server.port()));
			assertAll(result, outcome);
			assertThat(result.total().failures()).isNotEmpty()
				.allSatisfy((failure) -> assertThat(failure).startsWith("GET /data: ").contains(reason));
		}
	}

	@Test
	void aSwitchThatNobodyAskedForIsStillAFailure() throws Exception {
		try (StubServer server = StubServer.answering("HTTP/1.1 101 Switching Protocols~Upgrade: websocket~~")) {
			StageResult result = run(Plans.builder(Model.CLOSED).port(server.port()).stage("measure", 100));
			assertAll(result, Counts::reset);
			assertThat(result.total().failures()).first().asString().contains("it switches to another protocol");
		}
	}

	/**
	 * The two bytes in front of the mask, and what is behind it.
	 */
	private static String unmasked(byte[] frame) {
		byte[] plain = new byte[frame.length - 4];
		plain[0] = frame[0];
		plain[1] = frame[1];
		for (int i = 6; i < frame.length; i++) {
			plain[i - 4] = (byte) (frame[i] ^ frame[2 + (i - 6) % 4]);
		}
		return HexFormat.of().formatHex(plain);
	}

	private static Plans plan(int port) {
		return Plans.builder(Model.CLOSED).port(port).mix(Plans.get(SOCKET)).timeout(250).stage("measure", 100);
	}

}
