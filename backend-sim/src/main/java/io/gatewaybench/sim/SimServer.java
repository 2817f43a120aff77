package io.gatewaybench.sim;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;

/**
 * All instances of a process on shared event loops.
 */
final class SimServer implements AutoCloseable {

	/** Longest request line in bytes. */
	static final int MAX_REQUEST_LINE = 4096;

	/** Longest header in bytes; gateways add fields. */
	static final int MAX_HEADER = 16 * 1024;

	private static final int BACKLOG = 4096;

	private static final long STOP_SECONDS = 2;

	private final Contents contents = new Contents();

	private final List<InstancePort> ports = new ArrayList<>();

	private final EventLoopGroup loops;

	private boolean closed;

	private SimServer(int threads) {
		this.loops = new MultiThreadIoEventLoopGroup(threads,
				Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
	}

	/**
	 * Starts all instances; either all listen or none.
	 * @param host address to listen on
	 * @param threads number of event loops
	 * @param instances names and ports
	 * @param profile how the endpoints behave
	 * @throws IOException if an instance can't listen, with a message for the user
	 */
	static SimServer start(String host, int threads, List<InstanceAddress> instances, Profile profile)
			throws IOException {
		SimServer server = new SimServer(threads);
		try {
			for (InstanceAddress instance : instances) {
				server.listen(host, instance, profile);
			}
		}
		catch (IOException | RuntimeException ex) {
			server.close();
			throw ex;
		}
		return server;
	}

	private void listen(String host, InstanceAddress instance, Profile profile) throws IOException {
		HttpDecoderConfig decoder = new HttpDecoderConfig().setMaxInitialLineLength(MAX_REQUEST_LINE)
			.setMaxHeaderSize(MAX_HEADER)
			// No field of a request is ever repeated in a response
			.setValidateHeaders(false);
		Class<? extends ServerChannel> type = Epoll.isAvailable() ? EpollServerSocketChannel.class
				: NioServerSocketChannel.class;
		InstancePort instancePort = new InstancePort(
				new ServerBootstrap().group(this.loops)
					.channel(type)
					.option(ChannelOption.SO_BACKLOG, BACKLOG)
					.childOption(ChannelOption.TCP_NODELAY, true)
					.childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT),
				new InetSocketAddress(host, instance.port()));
		Backend backend = new Backend(instance.name(), profile, this.contents, instancePort);
		ChannelFuture bound = instancePort.open(new ChannelInitializer<Channel>() {

			@Override
			protected void initChannel(Channel channel) {
				channel.pipeline().addLast(new HttpRequestDecoder(decoder), new BackendConnection(backend));
			}

		});
		if (!bound.isSuccess()) {
			throw new IOException("cannot listen on " + host + ":" + instance.port() + " for " + instance.name() + ": "
					+ reason(bound.cause()), bound.cause());
		}
		this.ports.add(instancePort);
	}

	private static String reason(Throwable cause) {
		String message = String.valueOf(cause.getMessage());
		return message.contains("Address already in use")
				? "the port is in use, stop the process that has it or choose another" : message;
	}

	/**
	 * Returns the port that each instance listens on, in their order.
	 */
	List<Integer> ports() {
		return this.ports.stream().map(InstancePort::port).toList();
	}

	/**
	 * Waits until {@link #close} is called.
	 * @throws InterruptedException if the thread is interrupted
	 */
	void awaitClose() throws InterruptedException {
		this.loops.terminationFuture().await();
	}

	/**
	 * Closes the ports and all connections, whatever they wait for.
	 */
	@Override
	public synchronized void close() {
		if (!this.closed) {
			this.closed = true;
			this.loops.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
			this.contents.release();
		}
	}

}
