package io.gatewaybench.internal.websocket;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import io.gatewaybench.internal.upstream.Abortable;
import io.gatewaybench.internal.upstream.DeadlineTimer;
import org.jspecify.annotations.Nullable;

/**
 * One WebSocket between a client and an instance. The adapter copies the bytes, and tells
 * it of them.
 */
public final class WebSocketSession implements Abortable {

	/**
	 * No Close frame has passed before the end.
	 */
	private static final int ABNORMAL = 1006;

	/** Until the server has left HTTP. It takes no longer than to send 101. */
	private static final Duration HANDOVER = Duration.ofSeconds(10);

	private final WebSockets all;

	private final String upstream;

	private final WebSockets.Traffic traffic;

	private final Frames fromClient = new Frames();

	private final Frames fromUpstream = new Frames();

	private final AtomicBoolean ended = new AtomicBoolean();

	private final DeadlineTimer.Deadline deadline;

	private final Abortable peers;

	/** That of the first Close frame. */
	private volatile int code = ABNORMAL;

	/**
	 * The upstream has accepted the session.
	 * @param all counts it
	 * @param upstream name of the upstream
	 * @param peers what tells both sides that the gateway ends the session, as it was
	 * silent for too long or the gateway stops
	 */
	public WebSocketSession(WebSockets all, String upstream, Abortable peers) {
		this.all = all;
		this.upstream = upstream;
		this.traffic = all.traffic(upstream);
		this.traffic.open().incrementAndGet();
		this.peers = peers;
		this.deadline = all.timer.deadline(this);
		this.deadline.await(HANDOVER);
		all.sessions.add(this);
	}

	/**
	 * The client has left HTTP.
	 */
	public void begin() {
		this.deadline.await(this.all.idleTimeout);
	}

	/**
	 * Bytes are about to be sent on.
	 * @param toUpstream whether they are the client's
	 * @param bytes the bytes, which are left as they are
	 */
	public void pass(boolean toUpstream, ByteBuffer bytes) {
		this.deadline.await(this.all.idleTimeout);
		(toUpstream ? this.traffic.fromClients() : this.traffic.fromUpstream()).add(bytes.remaining());
		Frames frames = frames(toUpstream);
		frames.pass(bytes);
		if (frames.isClosed() && this.code == ABNORMAL) {
			this.code = frames.code();
		}
	}

	private Frames frames(boolean toUpstream) {
		return toUpstream ? this.fromClient : this.fromUpstream;
	}

	/**
	 * What tells one side that the gateway ends the session.
	 * @param toUpstream whether it is for the upstream
	 * @return a Close frame, or {@code null} where that would be part of another frame,
	 * or follow another Close frame
	 */
	public byte @Nullable [] goingAway(boolean toUpstream) {
		return frames(toUpstream).isBetweenFrames() ? Frames.goingAway(toUpstream) : null;
	}

	@Override
	public void abort() {
		if (this.code == ABNORMAL) {
			this.code = Frames.GOING_AWAY;
		}
		this.peers.abort();
	}

	/**
	 * {@return whether the session has ended}
	 */
	public boolean hasEnded() {
		return this.ended.get();
	}

	/**
	 * One side has ended it.
	 * @return whether this is the first to say so, which has to close both sides
	 */
	public boolean end() {
		if (!this.ended.compareAndSet(false, true)) {
			return false;
		}
		this.deadline.close();
		this.traffic.open().decrementAndGet();
		this.all.sessions.remove(this);
		this.all.leave();
		this.all.metrics.webSocket(this.upstream, this.code);
		return true;
	}

}
