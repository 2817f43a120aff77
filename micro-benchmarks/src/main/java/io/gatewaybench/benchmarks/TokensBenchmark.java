package io.gatewaybench.benchmarks;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.async.ByteArrayFeeder;
import tools.jackson.core.json.JsonFactory;

/**
 * One whole body through Jackson's non-blocking parser, only to check it: what any
 * rewriter on top of its tokens costs at least.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class TokensBenchmark {

	/** The body to check. */
	@Param
	public Body body = Body.HEAVY;

	private final JsonFactory factory = new JsonFactory();

	private ByteBuffer[] chunks = {};

	/**
	 * Makes the body.
	 */
	@Setup
	public void setUp() {
		this.chunks = Chunks.of(this.body.bytes(), false);
	}

	/**
	 * Checks the body.
	 * @return the number of tokens
	 */
	@Benchmark
	public int tokens() {
		int tokens = 0;
		try (JsonParser parser = this.factory.createNonBlockingByteArrayParser(ObjectReadContext.empty())) {
			ByteArrayFeeder feeder = (ByteArrayFeeder) parser.nonBlockingInputFeeder();
			for (ByteBuffer chunk : this.chunks) {
				feeder.feedInput(chunk.array(), 0, chunk.limit());
				while (parser.nextToken() != JsonToken.NOT_AVAILABLE) {
					tokens++;
				}
			}
			feeder.endOfInput();
			while (parser.nextToken() != null) {
				tokens++;
			}
		}
		return tokens;
	}

}
