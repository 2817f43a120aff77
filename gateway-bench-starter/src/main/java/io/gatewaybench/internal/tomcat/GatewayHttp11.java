package io.gatewaybench.internal.tomcat;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.channels.SelectionKey;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;

import jakarta.servlet.http.HttpServletResponse;
import org.apache.coyote.ActionCode;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint.NioSocketWrapper;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * HTTP/1.1 of Tomcat for a gateway. The head of a request has to come in some time (RFC
 * 9110, section 15.5.9). Tomcat limits the time between two reads only, so a client that
 * sends byte by byte keeps its connection for ever. A server that begins to stop closes
 * the connections that serve no request. Tomcat closes them when the last request of all
 * has ended, and does not answer what comes on them until then.
 *
 * <p>
 * Public because Tomcat creates it by its name.
 */
public final class GatewayHttp11 extends Http11NioProtocol {

	/**
	 * Tomcat makes one for each request that is served at the same time, and keeps some.
	 */
	private final Set<Requests> processors = Collections
		.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

	private volatile long headMillis;

	/**
	 * Create the protocol, without a limit.
	 */
	public GatewayHttp11() {
	}

	/**
	 * Limit the time of heads.
	 * @param timeout from the first byte of a head to its last one; zero for no limit
	 */
	void limitHeads(Duration timeout) {
		this.headMillis = timeout.toMillis();
	}

	@Override
	protected Processor createProcessor() {
		Requests processor = new Requests(this);
		this.processors.add(processor);
		return processor;
	}

	@Override
	public void closeServerSocketGraceful() {
		super.closeServerSocketGraceful();
		Set<SocketWrapperBase<?>> served = served();
		for (SocketWrapperBase<NioChannel> socket : getEndpoint().getConnections()) {
			if (isIdle(socket) && !served.contains(socket)) {
				socket.close();
			}
		}
	}

	/**
	 * A connection of HTTP/2 and one with a part of a head have a processor. One that
	 * waits for the body of a request looks as if it were idle.
	 */
	private static boolean isIdle(SocketWrapperBase<NioChannel> socket) {
		return socket.getCurrentProcessor() == null && socket instanceof NioSocketWrapper polled
				&& polled.interestOpsHas(SelectionKey.OP_READ);
	}

	private Set<SocketWrapperBase<?>> served() {
		Set<SocketWrapperBase<?>> served = new HashSet<>();
		synchronized (this.processors) {
			for (Requests processor : this.processors) {
				SocketWrapperBase<?> socket = processor.served;
				if (socket != null) {
					served.add(socket);
				}
			}
		}
		return served;
	}

	/**
	 * Serves the requests of one connection after the other.
	 */
	private static final class Requests extends Http11Processor {

		private final GatewayHttp11 protocol;

		/** The connection whose request is served at the moment. */
		private volatile @Nullable SocketWrapperBase<?> served;

		Requests(GatewayHttp11 protocol) {
			super(protocol, protocol.getAdapter());
			this.protocol = protocol;
		}

		@Override
		public SocketState process(SocketWrapperBase<?> socket, SocketEvent event) throws IOException {
			this.served = socket;
			try {
				return (event == SocketEvent.ERROR && hasTimedOut(socket)) ? answerLateHead()
						: super.process(socket, event);
			}
			finally {
				this.served = null;
			}
		}

		/**
		 * Whether no more of a head has come in time.
		 */
		private boolean hasTimedOut(SocketWrapperBase<?> socket) {
			return socket.getError() instanceof SocketTimeoutException && !isAsync() && !isUpgrade()
					&& this.request.getStartTimeNanos() != -1;
		}

		/**
		 * What comes in small pieces is looked at with each of them.
		 */
		@Override
		public SocketState service(SocketWrapperBase<?> socket) throws IOException {
			SocketState state = super.service(socket);
			long limit = this.protocol.headMillis;
			if (state != SocketState.LONG || isAsync() || limit == 0) {
				return state;
			}
			long left = limit - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - this.request.getStartTimeNanos());
			if (left <= 0) {
				return answerLateHead();
			}
			int between = this.protocol.getConnectionTimeout();
			socket.setReadTimeout((between > 0) ? Math.min(left, between) : left);
			return state;
		}

		private SocketState answerLateHead() {
			// What has come of them may be wrong in itself
			this.request.getMimeHeaders().recycle();
			this.response.setStatus(HttpServletResponse.SC_REQUEST_TIMEOUT);
			this.response.setContentLength(0);
			action(ActionCode.CLOSE, null);
			getAdapter().log(this.request, this.response, System.nanoTime() - this.request.getStartTimeNanos());
			return SocketState.CLOSED;
		}

	}

	/**
	 * Keeps in a native image what Tomcat creates.
	 */
	static final class Hints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.reflection().registerType(GatewayHttp11.class, MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
		}

	}

}
