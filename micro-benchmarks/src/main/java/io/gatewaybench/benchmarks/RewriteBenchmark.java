package io.gatewaybench.benchmarks;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

import io.gatewaybench.internal.rewrite.BodyRewriter;
import io.gatewaybench.internal.rewrite.HeldBody;
import io.gatewaybench.internal.rewrite.RewriteOutcome;
import io.gatewaybench.internal.rewrite.RewriteSettings;
import io.gatewaybench.rewrite.Engine;
import io.gatewaybench.rewrite.GatewayMetadata;
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
import org.openjdk.jmh.infra.Blackhole;

/**
 * One whole body through a rewriter, as an adapter drives it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class RewriteBenchmark {

	/** The body to rewrite. */
	@Param
	public Body body = Body.HEAVY;

	/** The way to rewrite it. */
	@Param
	public Engine engine = Engine.SPLICE;

	/** Where its chunks are, as in WebMVC (heap) and in WebFlux (direct). */
	@Param({ "heap", "direct" })
	public String memory = "heap";

	private ByteBuffer[] chunks = {};

	private BodyRewriter rewriter = BodyRewriter.disabled();

	/**
	 * Makes the body and checks that it is rewritten at all.
	 */
	@Setup
	public void setUp() {
		byte[] bytes = this.body.bytes();
		this.chunks = Chunks.of(bytes, this.memory.equals("direct"));
		this.rewriter = BodyRewriter.of(new RewriteSettings("_gateway", this.engine, 256 * 1024,
				GatewayMetadata.of("WebFlux", System::currentTimeMillis)));
		HeldBody<ByteBuffer> rewritten = rewritten();
		if (rewritten.outcome() != RewriteOutcome.ADDED) {
			throw new IllegalStateException(this.body + " was " + rewritten.outcome());
		}
		System.out.println("# " + this.body + ": " + bytes.length + " bytes");
	}

	/**
	 * Rewrites the body.
	 * @param blackhole takes the chunks that leave
	 * @return what holds the body
	 */
	@Benchmark
	public Object rewrite(Blackhole blackhole) {
		HeldBody<ByteBuffer> rewritten = rewritten();
		for (ByteBuffer chunk = rewritten.poll(); chunk != null; chunk = rewritten.poll()) {
			blackhole.consume(chunk);
		}
		return rewritten;
	}

	private HeldBody<ByteBuffer> rewritten() {
		HeldBody<ByteBuffer> held = this.rewriter.begin(Chunks.INSTANCE, -1);
		for (ByteBuffer chunk : this.chunks) {
			// The body cuts its chunks, and the next one needs them whole
			held.add(chunk.duplicate());
		}
		held.end();
		return held;
	}

}
