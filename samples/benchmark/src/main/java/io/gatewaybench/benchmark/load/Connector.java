package io.gatewaybench.benchmark.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;

import javax.net.ssl.SSLException;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections in the protocol of the plan. With HTTP/2, several users share one,
 * and each of their requests is a stream of it. Used by the event loop only.
 */
final class Connector {

	// The largest buffer that Netty's allocator keeps at hand for the event loop
	private static final int READ_BYTES = 32_768;

	// Otherwise bodies wait for each other's window updates
	private static final int WINDOW = 1_048_576;

	private static final ChannelHandler CODEC = new Http2StreamFrameToHttpObjectCodec(false);

	private final Map<Integer, ChannelFuture> shared = new HashMap<>();

	private final Bootstrap bootstrap;

	private final LoadPlan plan;

	private final Protocol protocol;

	private final @Nullable SslContext tls;

	Connector(LoadPlan plan, InetSocketAddress target, EventLoop loop, Transport transport) {
		this.plan = plan;
		this.protocol = Protocol.of(plan.target());
		this.tls = this.protocol.tls() ? tls(this.protocol) : null;
		this.bootstrap = new Bootstrap().group(loop)
			.channel(transport.channel())
			.remoteAddress(target)
			.option(ChannelOption.TCP_NODELAY, true)
			.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) plan.timeouts().connect().toMillis())
			.option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
			.option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ_BYTES));
	}

	// Load is for gateways of one's own, which have certificates that nobody has signed
	private static SslContext tls(Protocol protocol) {
		try {
			return SslContextBuilder.forClient()
				.trustManager(InsecureTrustManagerFactory.INSTANCE)
				.applicationProtocolConfig(!protocol.multiplexed() ? ApplicationProtocolConfig.DISABLED
						: new ApplicationProtocolConfig(ApplicationProtocolConfig.Protocol.ALPN,
								SelectorFailureBehavior.NO_ADVERTISE, SelectedListenerFailureBehavior.ACCEPT,
								ApplicationProtocolNames.HTTP_2))
				.build();
		}
		catch (SSLException ex) {
			throw new IllegalStateException("this JDK can't speak TLS", ex);
		}
	}

	/**
	 * Opens the connection of a user. The one that users share may be open already.
	 * @param user the number of the user
	 * @param handlers what its channel has with HTTP/1.1
	 * @return done when requests can be sent
	 */
	ChannelFuture connect(int user, ChannelHandler... handlers) {
		if (!this.protocol.multiplexed()) {
			return connect(handlers);
		}
		int number = user / this.plan.streams();
		ChannelFuture known = this.shared.get(number);
		if (known == null || (known.isDone() && !isUsable(known.channel()))) {
			known = connect(Http2FrameCodecBuilder.forClient()
				.initialSettings(Http2Settings.defaultSettings().pushEnabled(false).initialWindowSize(WINDOW))
				.build(), new Http2MultiplexHandler(new ChannelInboundHandlerAdapter()));
			known.addListener((ChannelFuture done) -> {
				if (done.isSuccess()) {
					done.channel().writeAndFlush(new DefaultHttp2WindowUpdateFrame(WINDOW * this.plan.streams()));
				}
			});
			this.shared.put(number, known);
		}
		return known;
	}

	private ChannelFuture connect(ChannelHandler... handlers) {
		ChannelFuture connecting = this.bootstrap.clone().handler(new ChannelInitializer<Channel>() {

			@Override
			protected void initChannel(Channel channel) {
				if (Connector.this.tls != null) {
					channel.pipeline().addLast(handler(Connector.this.tls, channel));
				}
				channel.pipeline().addLast(handlers);
			}

		}).connect();
		// One that can't even be created is done
		return (this.tls == null || connecting.isDone()) ? connecting : secured(connecting);
	}

	private SslHandler handler(SslContext context, Channel channel) {
		SslHandler handler = context.newHandler(channel.alloc(), this.plan.target().getHost(), this.plan.port());
		handler.setHandshakeTimeoutMillis(this.plan.timeouts().connect().toMillis());
		return handler;
	}

	private ChannelFuture secured(ChannelFuture connecting) {
		ChannelPromise secured = connecting.channel().newPromise();
		connecting.addListener((ChannelFuture done) -> {
			if (!done.isSuccess()) {
				secured.setFailure(done.cause());
				return;
			}
			SslHandler handler = done.channel().pipeline().get(SslHandler.class);
			handler.handshakeFuture().addListener((shaken) -> {
				if (!shaken.isSuccess()) {
					secured.setFailure(shaken.cause());
				}
				else if (this.protocol.multiplexed()
						&& !ApplicationProtocolNames.HTTP_2.equals(handler.applicationProtocol())) {
					secured.setFailure(new IOException("the target does not offer HTTP/2 (ALPN)"));
					done.channel().close();
				}
				else {
					secured.setSuccess();
				}
			});
		});
		return secured;
	}

	/**
	 * What the next request is sent on.
	 * @param current what the last one was sent on, or a connection that is open
	 * @param handler what takes its response
	 * @return the same connection, or with HTTP/2 a new stream of it; {@code null} if it
	 * takes no more
	 */
	@Nullable Channel next(Channel current, ChannelHandler handler) {
		if (!this.protocol.multiplexed()) {
			return current;
		}
		Channel connection = (current instanceof Http2StreamChannel stream) ? stream.parent() : current;
		return !isUsable(connection) ? null
				: new Http2StreamChannelBootstrap(connection).handler(new ChannelInitializer<Channel>() {

					@Override
					protected void initChannel(Channel channel) {
						channel.pipeline().addLast(CODEC, handler);
					}

				}).open().getNow();
	}

	private static boolean isUsable(Channel connection) {
		Http2FrameCodec codec = connection.pipeline().get(Http2FrameCodec.class);
		return connection.isActive() && codec != null && !codec.connection().goAwayReceived();
	}

	/**
	 * Closes what users share.
	 */
	void close() {
		this.shared.values().forEach((each) -> each.channel().close());
	}

}
