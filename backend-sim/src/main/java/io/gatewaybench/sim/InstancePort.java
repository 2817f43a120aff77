package io.gatewaybench.sim;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import org.jspecify.annotations.Nullable;

/**
 * The port of an instance, which can be shut for a while.
 */
final class InstancePort {

	private static final System.Logger LOGGER = System.getLogger(InstancePort.class.getName());

	private static final long RETRY_MILLIS = 100;

	private final Set<Channel> inside = ConcurrentHashMap.newKeySet();

	private final ServerBootstrap bootstrap;

	private SocketAddress address;

	private @Nullable Channel listening;

	/**
	 * A port that nobody listens on yet.
	 * @param bootstrap what listens
	 * @param address where, port 0 for a free one
	 */
	InstancePort(ServerBootstrap bootstrap, InetSocketAddress address) {
		this.bootstrap = bootstrap;
		this.address = address;
	}

	/**
	 * Listens for the first time.
	 * @param handler what serves the connections
	 * @return done, or failed
	 */
	synchronized ChannelFuture open(ChannelHandler handler) {
		ChannelFuture bound = this.bootstrap.childHandler(handler).bind(this.address).awaitUninterruptibly();
		if (bound.isSuccess()) {
			this.listening = bound.channel();
			this.address = bound.channel().localAddress();
		}
		return bound;
	}

	/**
	 * Listens again on the same port, if it is shut.
	 */
	synchronized void open() {
		if (this.listening == null) {
			ChannelFuture bound = this.bootstrap.bind(this.address);
			this.listening = bound.channel();
			bound.addListener((ChannelFuture done) -> {
				if (!done.isSuccess()) {
					tryAgain(done);
				}
			});
		}
	}

	private synchronized void tryAgain(ChannelFuture failed) {
		if (this.listening == failed.channel()) {
			LOGGER.log(System.Logger.Level.WARNING, "Cannot listen on " + this.address + " again, trying on",
					failed.cause());
			this.listening = null;
			failed.channel().eventLoop().schedule(() -> open(), RETRY_MILLIS, TimeUnit.MILLISECONDS);
		}
	}

	/**
	 * Refuses new connections, and resets those that are open.
	 * @param spared a connection that stays open
	 */
	synchronized void shut(Channel spared) {
		if (this.listening != null) {
			this.listening.close();
			this.listening = null;
		}
		this.inside.stream().filter((connection) -> !connection.equals(spared)).forEach(InstancePort::reset);
	}

	synchronized int port() {
		return ((InetSocketAddress) this.address).getPort();
	}

	synchronized void entered(Channel connection) {
		this.inside.add(connection);
		if (this.listening == null) {
			// It waited to be accepted when the port was shut
			reset(connection);
		}
	}

	void left(Channel connection) {
		this.inside.remove(connection);
	}

	/**
	 * Closes a connection so that its client sees a reset, not an end.
	 * @param connection the connection
	 */
	static void reset(Channel connection) {
		connection.config().setOption(ChannelOption.SO_LINGER, 0);
		connection.close();
	}

}
