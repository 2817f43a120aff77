package io.gatewaybench.internal.exchange;

import java.time.Duration;

import io.gatewaybench.upstream.UpstreamException;
import io.gatewaybench.upstream.UpstreamTimeouts;
import org.jspecify.annotations.Nullable;

/**
 * The body of a response on its way from the upstream to the client. There is none before
 * {@link UpstreamWait#bodyBegins}, so nothing can be reported of a body that has not
 * begun.
 */
public sealed interface ProxiedBody permits UpstreamWait {

	/**
	 * The body goes through the rewriter, and its beginning waits for its end. Until
	 * then, the request can be sent again.
	 */
	void bodyHeld();

	/**
	 * The client is ready for more. It is the upstream's turn, for at most
	 * {@link UpstreamTimeouts#read()}.
	 */
	void bytesAwaited();

	/**
	 * The upstream has sent what the client is ready for, or failed to. It is the
	 * client's turn, whose time is not limited here. If it was too late, what ends the
	 * body has run.
	 */
	void bytesArrived();

	/**
	 * The body of the upstream has ended. One that lasts until the connection ends seems
	 * to be whole when the deadline ends it.
	 * @return what is wrong if it is not whole, or {@code null}
	 */
	@Nullable UpstreamException bodyEnded();

	/**
	 * The body of the upstream broke off.
	 * @param error how
	 * @return what to tell the client
	 */
	UpstreamException bodyBroke(Throwable error);

	/**
	 * The client does not get the rest of the body, but to read it may be cheaper than
	 * another connection. Begins to wait for it.
	 * @param timeout how long the rest may take
	 * @return whether something ends the wait; if not, the body has to be dropped
	 */
	boolean restAwaited(Duration timeout);

	/** The rest of the body is not read. */
	void bodyDropped();

	/**
	 * The last byte of the body was written. A client that closes right after it cancels
	 * the exchange though all was written.
	 */
	void delivered();

	/**
	 * The client left. The server may complete the exchange nevertheless, as if all had
	 * been written.
	 */
	void clientLeft();

}
