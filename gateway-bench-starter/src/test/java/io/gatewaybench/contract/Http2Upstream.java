package io.gatewaybench.contract;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCountUtil;

/**
 * An upstream that speaks HTTP/2 and nothing else, and answers as a test tells it.
 */
final class Http2Upstream implements AutoCloseable {

	private static final long PATIENCE_SECONDS = 20;

	private final MultiThreadIoEventLoopGroup threads = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

	private final Queue<Channel> connections = new ConcurrentLinkedQueue<>();

	private final AtomicInteger accepted = new AtomicInteger();

	private final BlockingQueue<Stream> streams = new LinkedBlockingQueue<>();

	private final Channel server;

	private final String scheme;

	private volatile Answer answer = (stream) -> stream.head(true, ":status", "204");

	Http2Upstream() {
		this(null, Http2Settings.defaultSettings());
	}

	/**
	 * Start.
	 * @param tls what it needs for {@code https}, or {@code null}
	 * @param settings what it tells its clients
	 */
	Http2Upstream(SslContext tls, Http2Settings settings) {
		this.scheme = (tls != null) ? "https" : "http";
		this.server = new ServerBootstrap().group(this.threads)
			.channel(NioServerSocketChannel.class)
			.childHandler(new ChannelInitializer<Channel>() {

				@Override
				protected void initChannel(Channel connection) {
					Http2Upstream.this.connections.add(connection);
					Http2Upstream.this.accepted.incrementAndGet();
					if (tls != null) {
						connection.pipeline().addLast(tls.newHandler(connection.alloc()));
					}
					connection.pipeline()
						.addLast(Http2FrameCodecBuilder.forServer()
							.initialSettings(settings)
							.autoAckSettingsFrame(true)
							.build(), new Http2MultiplexHandler(new StreamInitializer()));
				}

			})
			.bind(InetAddress.getLoopbackAddress(), 0)
			.syncUninterruptibly()
			.channel();
	}

	String url() {
		return "%s://127.0.0.1:%d".formatted(this.scheme, ((InetSocketAddress) this.server.localAddress()).getPort());
	}

	/**
	 * Answer from now on, each stream in a thread of its own.
	 */
	void answer(Answer next) {
		this.answer = next;
	}

	/**
	 * Wait for the next stream.
	 */
	Stream next() throws InterruptedException {
		Stream stream = this.streams.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
		if (stream == null) {
			throw new AssertionError("No request came");
		}
		return stream;
	}

	int pendingStreams() {
		return this.streams.size();
	}

	int acceptedConnections() {
		return this.accepted.get();
	}

	/**
	 * Forget the requests so far, and close the connections.
	 */
	void startOver() {
		closeConnections();
		this.streams.clear();
		this.accepted.set(0);
	}

	void forgetStreams() {
		this.streams.clear();
	}

	void closeConnections() {
		this.connections.forEach((connection) -> connection.close().syncUninterruptibly());
		this.connections.clear();
	}

	@Override
	public void close() {
		this.server.close().syncUninterruptibly();
		closeConnections();
		this.threads.shutdownGracefully(0, 1, TimeUnit.SECONDS);
	}

	/**
	 * What an upstream does with a stream.
	 */
	interface Answer {

		void to(Stream stream) throws Exception;

	}

	private final class StreamInitializer extends ChannelInitializer<Channel> {

		@Override
		protected void initChannel(Channel channel) {
			channel.pipeline().addLast(new Stream());
		}

	}

	/**
	 * A request, and what is to become of it.
	 */
	final class Stream extends ChannelInboundHandlerAdapter {

		private static final byte[] END = new byte[0];

		private static final byte[] BROKEN = new byte[0];

		private final Map<String, String> headers = new TreeMap<>();

		private final BlockingQueue<byte[]> pieces = new LinkedBlockingQueue<>();

		private final CompletableFuture<Long> cancelled = new CompletableFuture<>();

		private Channel channel;

		@Override
		public void channelRead(ChannelHandlerContext context, Object message) {
			if (message instanceof Http2HeadersFrame head) {
				this.channel = context.channel();
				head.headers()
					.forEach((header) -> this.headers.merge(header.getKey().toString(), header.getValue().toString(),
							(one, other) -> one + ", " + other));
				if (head.isEndStream()) {
					this.pieces.add(END);
				}
				Http2Upstream.this.streams.add(this);
				Answer current = Http2Upstream.this.answer;
				Thread thread = new Thread(() -> answer(current), "http2-upstream");
				thread.setDaemon(true);
				thread.start();
			}
			else if (message instanceof Http2DataFrame data) {
				this.pieces.add(ByteBufUtil.getBytes(data.content()));
				if (data.isEndStream()) {
					this.pieces.add(END);
				}
			}
			ReferenceCountUtil.release(message);
		}

		@Override
		public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
			if (event instanceof Http2ResetFrame reset) {
				this.cancelled.complete(reset.errorCode());
				this.pieces.add(BROKEN);
			}
			super.userEventTriggered(context, event);
		}

		@Override
		public void channelInactive(ChannelHandlerContext context) {
			this.cancelled.complete(-1L);
			this.pieces.add(BROKEN);
		}

		private void answer(Answer current) {
			try {
				current.to(this);
			}
			catch (Exception ex) {
				// The gateway has broken off, or the test closes the upstream
				this.channel.close();
			}
		}

		String header(String name) {
			return this.headers.get(name);
		}

		/**
		 * Wait for the next piece of the body.
		 * @return the piece, {@code null} at the end
		 */
		byte[] read() throws IOException, InterruptedException {
			byte[] piece = this.pieces.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
			if (piece == null || piece == BROKEN) {
				throw new EOFException("The request broke off");
			}
			return (piece != END) ? piece : null;
		}

		/**
		 * Wait for the rest of the body.
		 */
		String readAll() throws IOException, InterruptedException {
			StringBuilder all = new StringBuilder();
			for (byte[] piece = read(); piece != null; piece = read()) {
				all.append(new String(piece, StandardCharsets.ISO_8859_1));
			}
			return all.toString();
		}

		/**
		 * Wait until the gateway breaks off.
		 * @return the error code, -1 if the stream just ended
		 */
		long awaitReset() throws Exception {
			return this.cancelled.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
		}

		/**
		 * Send a head, an interim one, or trailers.
		 */
		void head(boolean end, String... namesAndValues) throws InterruptedException {
			Http2Headers head = new DefaultHttp2Headers(false);
			for (int i = 0; i < namesAndValues.length; i += 2) {
				head.add(namesAndValues[i], namesAndValues[i + 1]);
			}
			this.channel.writeAndFlush(new DefaultHttp2HeadersFrame(head, end)).sync();
		}

		/**
		 * Send a piece of the body, as soon as the gateway takes it.
		 */
		void data(byte[] bytes, boolean end) throws InterruptedException {
			this.channel.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(bytes), end)).sync();
		}

		void data(String text, boolean end) throws InterruptedException {
			data(text.getBytes(StandardCharsets.ISO_8859_1), end);
		}

		void reset(Http2Error error) throws InterruptedException {
			this.channel.writeAndFlush(new DefaultHttp2ResetFrame(error)).sync();
		}

		/**
		 * Tell that nothing was done with this stream and those after it, as an upstream
		 * does that is about to stop.
		 */
		void refuseByGoAway() {
			int before = ((Http2StreamChannel) this.channel).stream().id() - 1;
			ChannelHandlerContext codec = this.channel.parent().pipeline().context(Http2FrameCodec.class);
			codec.executor().execute(() -> {
				((Http2FrameCodec) codec.handler()).goAway(codec, before, Http2Error.NO_ERROR.code(),
						Unpooled.EMPTY_BUFFER, codec.newPromise());
				codec.flush();
			});
		}

		void closeConnection() {
			this.channel.parent().close();
		}

	}

}
