package io.gatewaybench.webmvc;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Consumer;

import io.gatewaybench.internal.rewrite.BodyRewriter;
import io.gatewaybench.internal.rewrite.HeldBody;
import io.gatewaybench.internal.rewrite.RewriteOutcome;
import org.jspecify.annotations.Nullable;

/**
 * A body on its way through the rewriter. It reads from the upstream only while nothing
 * is ready for the client.
 */
final class RewrittenBody {

	private static final int CHUNK = 16 * 1024;

	/** Up to which a body of known length has one chunk, so that it takes few reads. */
	private static final int MAX_CHUNK = 64 * 1024;

	private final int chunkSize;

	private final ResponseBody upstream;

	private final HeldBody<ByteBuffer> body;

	private final Consumer<RewriteOutcome> afterLast;

	private ByteBuffer free = ByteBuffer.allocate(0);

	private @Nullable ByteBuffer current;

	private boolean counted;

	private boolean closed;

	/**
	 * Create the body.
	 * @param upstream body of the upstream
	 * @param length how many bytes are to come, or -1 if unknown
	 * @param rewriter what rewrites it
	 * @param afterLast called when the last byte has been read
	 */
	RewrittenBody(ResponseBody upstream, long length, BodyRewriter rewriter, Consumer<RewriteOutcome> afterLast) {
		this.upstream = upstream;
		this.body = rewriter.begin(ByteBufferChunks.INSTANCE, length);
		// One more than the body, so that its end shows without another chunk
		this.chunkSize = (this.body.isWhole() && length < MAX_CHUNK) ? (int) length + 1 : CHUNK;
		this.afterLast = afterLast;
	}

	/**
	 * Read until the first bytes are ready to leave, or the body has ended, so that the
	 * headers can be told.
	 * @return the body
	 * @throws IOException if the upstream breaks off
	 */
	HeldBody<ByteBuffer> begin() throws IOException {
		advance();
		return this.body;
	}

	int read(byte[] target, int offset, int length) throws IOException {
		Objects.checkFromIndexSize(offset, length, target.length);
		if (length == 0) {
			return 0;
		}
		ByteBuffer chunk = advance();
		if (chunk == null) {
			return -1;
		}
		int count = Math.min(length, chunk.remaining());
		chunk.get(target, offset, count);
		return count;
	}

	long transferTo(OutputStream out) throws IOException {
		long transferred = 0;
		for (ByteBuffer chunk = advance(); chunk != null; chunk = advance()) {
			int length = chunk.remaining();
			out.write(chunk.array(), chunk.arrayOffset() + chunk.position(), length);
			chunk.position(chunk.limit());
			transferred += length;
		}
		return transferred;
	}

	/**
	 * The chunk to read from, or {@code null} at the end.
	 */
	private @Nullable ByteBuffer advance() throws IOException {
		if (this.closed) {
			throw new IOException("Stream closed");
		}
		while (this.current == null || !this.current.hasRemaining()) {
			this.current = this.body.poll();
			if (this.current == null) {
				if (this.body.isEnded()) {
					count();
					return null;
				}
				fill();
			}
		}
		return this.current;
	}

	private void fill() throws IOException {
		if (!this.free.hasRemaining()) {
			this.free = ByteBuffer.allocate(this.chunkSize);
		}
		int length = this.upstream.readUpstream(this.free.array(), this.free.position(), this.free.remaining());
		if (length < 0) {
			this.body.end();
			return;
		}
		this.body.add(this.free.duplicate().limit(this.free.position() + length));
		this.free.position(this.free.position() + length);
	}

	private void count() {
		if (!this.counted) {
			this.counted = true;
			this.afterLast.accept(Objects.requireNonNull(this.body.outcome()));
		}
	}

	/**
	 * Nobody waits for it any more, though a thread may still read it.
	 */
	void drop() {
		this.body.giveBack();
	}

	/**
	 * Nothing more is read.
	 */
	void close() {
		this.closed = true;
		this.body.release();
	}

}
