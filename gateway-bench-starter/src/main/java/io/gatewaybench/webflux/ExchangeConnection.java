package io.gatewaybench.webflux;

import io.gatewaybench.internal.upstream.Abortable;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.NettyInbound;
import reactor.netty.NettyOutbound;

import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.web.server.ServerWebExchange;

/**
 * Connection of an exchange to its upstream. It is closed only while it belongs to the
 * exchange. The gateway closes it when the client leaves, but not in the connection's
 * thread. Reactor Netty (1.3.6) asks at once whether the response is complete, and closes
 * later; in between, the next request may get the connection. So a client that leaves as
 * its response ends would break the request of another one.
 */
final class ExchangeConnection implements Connection, Abortable {

	private final Connection connection;

	private final EventLoop thread;

	private ExchangeConnection(Connection connection, EventLoop thread) {
		this.connection = connection;
		this.thread = thread;
	}

	/**
	 * A connection that the exchange has given back has no thread any more, and to close
	 * it closes nothing.
	 */
	static Connection guarded(Connection connection) {
		Channel channel = connection.channel();
		return channel.isRegistered() ? new ExchangeConnection(connection, channel.eventLoop()) : connection;
	}

	/**
	 * The connection of the exchange, or {@code null} if it has none that can be closed.
	 */
	static @Nullable ExchangeConnection of(ServerWebExchange exchange) {
		Object connection = exchange.getAttribute(ServerWebExchangeUtils.CLIENT_RESPONSE_CONN_ATTR);
		return (connection instanceof ExchangeConnection guarded) ? guarded : null;
	}

	/**
	 * The thread of the connection. The channel can't be asked for it once the response
	 * is complete.
	 */
	EventLoop thread() {
		return this.thread;
	}

	/**
	 * Close the connection, and let the response fail.
	 */
	@Override
	public void abort() {
		inThread(this.thread, () -> this.connection.channel().close());
	}

	@Override
	public void dispose() {
		inThread(this.thread, this.connection::dispose);
	}

	/**
	 * In the thread of the connection, no response ends between question and answer.
	 */
	static void inThread(EventLoop thread, Runnable close) {
		if (thread.inEventLoop() || thread.isShuttingDown()) {
			close.run();
		}
		else {
			thread.execute(close);
		}
	}

	@Override
	public <T extends Connection> @Nullable T as(Class<T> type) {
		return this.connection.as(type);
	}

	@Override
	public Channel channel() {
		return this.connection.channel();
	}

	@Override
	public NettyInbound inbound() {
		return this.connection.inbound();
	}

	@Override
	public NettyOutbound outbound() {
		return this.connection.outbound();
	}

	@Override
	public boolean isDisposed() {
		return this.connection.isDisposed();
	}

	@Override
	public boolean isPersistent() {
		return this.connection.isPersistent();
	}

	@Override
	public Connection markPersistent(boolean persist) {
		this.connection.markPersistent(persist);
		return this;
	}

	@Override
	public Mono<Void> onTerminate() {
		return this.connection.onTerminate();
	}

}
