package io.gatewaybench.internal.rewrite;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.gatewaybench.rewrite.Engine;
import io.gatewaybench.rewrite.GatewayMetadata;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What became of a body.
 *
 * @param bytes what left
 * @param outcome what the rewriter says about it
 * @param length the exact length, or -1 if the first chunk left before the end
 */
record Rewritten(byte[] bytes, @Nullable RewriteOutcome outcome, long length) {

	static final String VALUE = "{\"type\":\"WebFlux\",\"timestamp\":1702234542456,\"processed\":true}";

	static final String FIELD = "\"_gateway\":" + VALUE;

	static BodyRewriter rewriter(Engine engine, long maxBufferSize) {
		return BodyRewriter.of(new RewriteSettings("_gateway", engine, maxBufferSize,
				GatewayMetadata.of("WebFlux", () -> 1702234542456L)));
	}

	/**
	 * Everything leaves after the end.
	 */
	static Rewritten of(BodyRewriter rewriter, List<byte[]> parts) {
		return of(rewriter, buffers(parts), new CountingChunks(), false);
	}

	/**
	 * Everything leaves as soon as it may.
	 */
	static Rewritten streamed(BodyRewriter rewriter, List<byte[]> parts) {
		return of(rewriter, buffers(parts), new CountingChunks(), true);
	}

	/**
	 * The engine sees the buffers as they are.
	 */
	static Rewritten ofBuffers(BodyRewriter rewriter, List<ByteBuffer> parts) {
		return of(rewriter, parts, new CountingChunks(ByteBuffer::duplicate), true);
	}

	/**
	 * Buffers are made one where they can be.
	 */
	static Rewritten joined(BodyRewriter rewriter, List<ByteBuffer> parts) {
		return of(rewriter, parts, CountingChunks.joining(), true);
	}

	String text() {
		return new String(this.bytes, StandardCharsets.UTF_8);
	}

	private static List<ByteBuffer> buffers(List<byte[]> parts) {
		return parts.stream().map(ByteBuffer::wrap).toList();
	}

	private static Rewritten of(BodyRewriter rewriter, List<ByteBuffer> parts, CountingChunks chunks,
			boolean streamed) {
		HeldBody<ByteBuffer> body = rewriter.begin(chunks, -1);
		List<byte[]> output = new ArrayList<>();
		for (ByteBuffer part : parts) {
			body.add(chunks.chunk(part));
			if (streamed) {
				output.add(chunks.drain(body));
			}
		}
		body.end();
		output.add(chunks.drain(body));
		assertThat(chunks.live()).isZero();
		return new Rewritten(Bytes.join(output), body.outcome(), body.exactLength());
	}

	@Override
	public boolean equals(Object other) {
		return other instanceof Rewritten rewritten && Arrays.equals(this.bytes, rewritten.bytes)
				&& this.outcome == rewritten.outcome && this.length == rewritten.length;
	}

	@Override
	public int hashCode() {
		return Arrays.hashCode(this.bytes);
	}

	@Override
	public String toString() {
		return this.outcome + " " + this.length + " " + text();
	}

}
