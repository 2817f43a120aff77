package io.gatewaybench.internal.rewrite;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * Chunks that know who has released them, to find leaks and double releases.
 */
final class CountingChunks implements ChunkType<ByteBuffer> {

	private final Set<ByteBuffer> live = Collections.newSetFromMap(new IdentityHashMap<>());

	private final UnaryOperator<ByteBuffer> view;

	private boolean joining;

	CountingChunks() {
		this(ByteBuffer::asReadOnlyBuffer);
	}

	static CountingChunks joining() {
		CountingChunks chunks = new CountingChunks();
		chunks.joining = true;
		return chunks;
	}

	/**
	 * Create chunks.
	 * @param view how an engine sees them
	 */
	CountingChunks(UnaryOperator<ByteBuffer> view) {
		this.view = view;
	}

	ByteBuffer chunk(byte[] bytes) {
		return chunk(ByteBuffer.wrap(bytes));
	}

	ByteBuffer chunk(ByteBuffer buffer) {
		return track(buffer);
	}

	ByteBuffer chunk(String text) {
		return chunk(Bytes.of(text));
	}

	int live() {
		return this.live.size();
	}

	int liveBytes() {
		return this.live.stream().mapToInt(ByteBuffer::remaining).sum();
	}

	byte[] drain(HeldBody<ByteBuffer> body) {
		List<byte[]> parts = new ArrayList<>();
		for (ByteBuffer chunk = body.poll(); chunk != null; chunk = body.poll()) {
			byte[] part = new byte[length(chunk)];
			checked(chunk).duplicate().get(part);
			release(chunk);
			parts.add(part);
		}
		return Bytes.join(parts);
	}

	@Override
	public int length(ByteBuffer chunk) {
		return checked(chunk).remaining();
	}

	@Override
	public ByteBuffer view(ByteBuffer chunk) {
		return this.view.apply(checked(chunk));
	}

	@Override
	public ByteBuffer split(ByteBuffer chunk, int length) {
		if (length <= 0 || length >= chunk.remaining()) {
			throw new IllegalArgumentException("nothing to split at " + length);
		}
		ByteBuffer first = checked(chunk).slice(chunk.position(), length);
		chunk.position(chunk.position() + length);
		return track(first);
	}

	@Override
	public @Nullable ByteBuffer join(ByteBuffer last, ByteBuffer chunk) {
		if (!this.joining) {
			return null;
		}
		ByteBuffer joined = ByteBuffer.allocate(length(last) + length(chunk))
			.put(last.duplicate())
			.put(chunk.duplicate())
			.flip();
		release(last);
		release(chunk);
		return track(joined);
	}

	@Override
	public void release(ByteBuffer chunk) {
		checked(chunk);
		this.live.remove(chunk);
	}

	@Override
	public ByteBuffer wrap(byte[] bytes) {
		return chunk(bytes);
	}

	private ByteBuffer track(ByteBuffer chunk) {
		this.live.add(chunk);
		return chunk;
	}

	private ByteBuffer checked(ByteBuffer chunk) {
		if (!this.live.contains(chunk)) {
			throw new AssertionError("used after release");
		}
		return chunk;
	}

}
