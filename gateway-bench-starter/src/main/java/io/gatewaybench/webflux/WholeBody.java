package io.gatewaybench.webflux;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.gatewaybench.rewrite.HeldBody;
import io.gatewaybench.rewrite.RewriteOutcome;
import io.gatewaybench.upstream.UpstreamException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.LimitedDataBufferList;

/**
 * A body that is held to its end anyway, as its length tells, on its way through the
 * rewriter. It leaves in one piece, which the server sends together with its head.
 */
final class WholeBody {

	private final Supplier<HeldBody<DataBuffer>> bodies;

	private final Consumer<HeldBody<DataBuffer>> beforeFirst;

	private final Consumer<RewriteOutcome> afterLast;

	private final DataBufferFactory factory;

	/**
	 * Create the way.
	 * @param bodies makes the holder of one body
	 * @param beforeFirst called when the body is complete, before it leaves
	 * @param afterLast called after that
	 * @param factory makes one buffer of several
	 */
	WholeBody(Supplier<HeldBody<DataBuffer>> bodies, Consumer<HeldBody<DataBuffer>> beforeFirst,
			Consumer<RewriteOutcome> afterLast, DataBufferFactory factory) {
		this.bodies = bodies;
		this.beforeFirst = beforeFirst;
		this.afterLast = afterLast;
		this.factory = factory;
	}

	/**
	 * Rewrite a body.
	 * @param source body of the upstream
	 * @param length how much there is of it at most, in bytes
	 * @return the new body, or the {@link UpstreamException} that it came to nothing
	 */
	Mono<DataBuffer> rewrite(Flux<DataBuffer> source, int length) {
		return source.collect(() -> new LimitedDataBufferList(length), LimitedDataBufferList::add)
			.onErrorMap(UpstreamException::broken)
			.map(this::rewrite)
			.doOnDiscard(DataBuffer.class, DataBufferUtils::release);
	}

	private DataBuffer rewrite(List<DataBuffer> chunks) {
		HeldBody<DataBuffer> body = this.bodies.get();
		Iterator<DataBuffer> rest = chunks.iterator();
		try {
			rest.forEachRemaining(body::add);
			body.end();
			this.beforeFirst.accept(body);
			DataBuffer joined = join(body);
			this.afterLast.accept(Objects.requireNonNull(body.outcome()));
			return joined;
		}
		catch (RuntimeException | Error ex) {
			body.release();
			rest.forEachRemaining(DataBufferUtils::release);
			throw ex;
		}
	}

	private DataBuffer join(HeldBody<DataBuffer> body) {
		List<DataBuffer> pieces = new ArrayList<>(4);
		for (DataBuffer piece = body.poll(); piece != null; piece = body.poll()) {
			pieces.add(isNative(piece) ? piece : copy(piece));
		}
		return pieces.isEmpty() ? this.factory.wrap(new byte[0]) : this.factory.join(pieces);
	}

	/**
	 * The gateway's own buffers are, those of other filters need not be.
	 */
	private boolean isNative(DataBuffer piece) {
		return piece.factory().getClass() == this.factory.getClass();
	}

	private DataBuffer copy(DataBuffer piece) {
		DataBuffer copy = this.factory.allocateBuffer(piece.readableByteCount()).write(piece);
		DataBufferUtils.release(piece);
		return copy;
	}

}
