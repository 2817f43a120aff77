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

	private volatile boolean goingAway;

	private volatile @Nullable Frames closedFirst;

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
		this.traffic.open.incrementAndGet();
		this.peers = peers;
		this.deadline = all.timer().deadline(this);
		this.deadline.await(HANDOVER);
		all.began(this);
	}

	/**
	 * The client has left HTTP.
	 */
	public void begin() {
		this.deadline.await(this.all.idleTimeout());
	}

	/**
	 * Bytes of the client are about to be sent to the upstream.
	 */
	public void passFromClient(ByteBuffer bytes) {
		this.traffic.fromClients.add(bytes.remaining());
		pass(this.fromClient, bytes);
	}

	/**
	 * Bytes of the upstream are about to be sent to the client.
	 */
	public void passFromUpstream(ByteBuffer bytes) {
		this.traffic.fromUpstream.add(bytes.remaining());
		pass(this.fromUpstream, bytes);
	}

	private void pass(Frames frames, ByteBuffer bytes) {
		this.deadline.await(this.all.idleTimeout());
		frames.pass(bytes);
		if (frames.isClosed() && this.closedFirst == null) {
			this.closedFirst = frames;
		}
	}

	@Override
	public void abort() {
		this.goingAway = true;
		this.peers.abort();
	}

	/**
	 * {@return what the client has sent}
	 */
	public Frames fromClient() {
		return this.fromClient;
	}

	/**
	 * {@return what the upstream has sent}
	 */
	public Frames fromUpstream() {
		return this.fromUpstream;
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
		this.traffic.open.decrementAndGet();
		this.all.ended(this);
		this.all.metrics().webSocket(this.upstream, code());
		return true;
	}

	private int code() {
		Frames frames = this.closedFirst;
		if (frames != null) {
			return frames.code();
		}
		return this.goingAway ? Frames.GOING_AWAY : ABNORMAL;
	}

}
