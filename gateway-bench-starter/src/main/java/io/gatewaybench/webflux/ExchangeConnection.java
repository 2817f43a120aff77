package io.gatewaybench.webflux;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.NettyInbound;
import reactor.netty.NettyOutbound;

import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.web.server.ServerWebExchange;

/**
 * Connection of an exchange to its upstream, which is closed only as long as it belongs
 * to the exchange. The gateway closes it when the client leaves, in another thread than
 * that of the connection. Reactor Netty (1.3.6) asks at once whether the response is
 * complete, and closes later; in between, the next request may get the connection. So a
 * client that leaves as its response ends would break the request of another one.
 */
final class ExchangeConnection implements Connection {

	private final Connection connection;

	private ExchangeConnection(Connection connection) {
		this.connection = connection;
	}

	/**
	 * Take the place of the connection that the gateway closes.
	 */
	static void guard(ServerWebExchange exchange) {
		exchange.getAttributes()
			.computeIfPresent(ServerWebExchangeUtils.CLIENT_RESPONSE_CONN_ATTR,
					(name, connection) -> new ExchangeConnection((Connection) connection));
	}

	/**
	 * In the thread of the connection, no response ends between question and answer.
	 */
	@Override
	public void dispose() {
		EventLoop thread = channel().eventLoop();
		if (thread.inEventLoop() || thread.isShuttingDown()) {
			this.connection.dispose();
		}
		else {
			thread.execute(this.connection::dispose);
		}
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
