package io.gatewaybench.benchmark.load;

import java.io.File;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static io.gatewaybench.benchmark.load.EngineFixture.ANY;
import static io.gatewaybench.benchmark.load.EngineFixture.assertAll;
import static org.assertj.core.api.Assertions.assertThat;

class ProtocolTests {

	// A busy machine takes its time for a handshake
	private static final Duration PATIENT = Duration.ofSeconds(30);

	@TempDir
	private static Path directory;

	private static File certificate;

	@BeforeAll
	static void certificate() throws Exception {
		Path file = directory.resolve("tls.pem");
		Files.writeString(file, SelfSigned.pem());
		certificate = file.toFile();
	}

	@ParameterizedTest
	@CsvSource({ "HTTP, 20", "HTTPS, 20", "H2, 2", "H2C, 2" })
	void usersShareConnectionsOfHttp2Only(Protocol protocol, int connections) throws Exception {
		try (Server server = new Server(protocol)) {
			assertAll(run(server.port(), protocol, get(), PATIENT), Counts::ok);
			assertThat(server.connections).hasValue(connections);
		}
	}

	@ParameterizedTest
	@EnumSource(Protocol.class)
	void bodiesOfAnySizeGoBothWays(Protocol protocol) throws Exception {
		RequestType upload = new RequestType("upload", 1, "POST", List.of("/echo"), Map.of("X-Any", "a", "Host", "b"),
				null, 100_000, new Expectation(200, 100_000, null), null);
		RequestType head = new RequestType("head", 1, "HEAD", List.of("/"), Map.of(), null, ANY);
		try (Server server = new Server(protocol)) {
			// Without the optimizing compiler, TLS takes a second for 3 MB
			StageResult result = run(server.port(), protocol, List.of(upload, head), PATIENT, 3);
			assertAll(result, Counts::ok);
			assertThat(result.generator().reconnects()).isZero();
		}
	}

	@ParameterizedTest
	@EnumSource(Protocol.class)
	void aTargetThatIsSilentLosesItsRequestsOnly(Protocol protocol) throws Exception {
		RequestType silent = new RequestType("silent", 0.1, "GET", List.of("/silent"), Map.of(), null, ANY);
		try (Server server = new Server(protocol)) {
			StageResult result = run(server.port(), protocol, List.of(silent, get().getFirst()), Duration.ofSeconds(3),
					4);
			Counts counts = result.total().counts();
			assertThat(result.balanced()).isTrue();
			assertThat(counts.timeout()).isPositive();
			assertThat(counts.ok()).isPositive();
			assertThat(counts.ok() + counts.timeout()).isEqualTo(counts.intended());
		}
	}

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = { "H2", "H2C" })
	void usersMoveFromAConnectionThatIsGoingAway(Protocol protocol) throws Exception {
		RequestType last = new RequestType("last", 1, "GET", List.of("/last"), Map.of(), null, ANY);
		RequestType usual = get().getFirst();
		try (Server server = new Server(protocol)) {
			StageResult result = run(server.port(), protocol, List.of(last, usual, usual.named("more")), PATIENT);
			assertThat(result.balanced()).isTrue();
			assertThat(server.connections.get()).isGreaterThan(2);
			assertThat(result.total().counts().ok()).isGreaterThan(result.total().counts().intended() / 2);
		}
	}

	@Test
	void aTargetWithoutHttp2IsRefusedWithTheReason() throws Exception {
		try (Server server = new Server(Protocol.HTTPS)) {
			StageResult result = run(server.port(), Protocol.H2, get(), PATIENT);
			assertAll(result, Counts::refused);
			assertThat(result.total().failures()).anyMatch((failure) -> failure.contains("does not offer HTTP/2"));
		}
	}

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = "H2C")
	void aTargetThatSpeaksPlainHttpFailsNothingButTheRequests(Protocol protocol) throws Exception {
		try (Server server = new Server(Protocol.HTTP)) {
			StageResult result = run(server.port(), protocol, get(), PATIENT);
			assertThat(result.balanced()).isTrue();
			assertThat(result.total().counts().intended()).isPositive();
			assertThat(result.total().counts().ok()).isZero();
		}
	}

	private static List<RequestType> get() {
		return List.of(new RequestType("data", 1, "GET", List.of("/data"), Map.of(), null,
				new Expectation(200, 50_000, null)));
	}

	private static StageResult run(int port, Protocol protocol, List<RequestType> mix, Duration timeout)
			throws Exception {
		return run(port, protocol, mix, timeout, 10);
	}

	private static StageResult run(int port, Protocol protocol, List<RequestType> mix, Duration timeout, int iterations)
			throws Exception {
		LoadPlan plan = new LoadPlan("test", protocol.target(URI.create("http://127.0.0.1:" + port)),
				new Workload(Model.CLOSED, mix, 20, Duration.ZERO), new Timeouts(Duration.ofSeconds(20), timeout), 42,
				10);
		try (LoadSession session = new NettyLoadSession(plan)) {
			Stage stage = Stage.closed("measure", Stage.Kind.MEASURE, Duration.ofMinutes(1));
			return session.run(Plans.iterations(stage, iterations));
		}
	}

	private static final class Server extends ChannelInitializer<Channel> implements AutoCloseable {

		private final AtomicInteger connections = new AtomicInteger();

		private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

		private final Protocol protocol;

		private final SslContext tls;

		private final Channel channel;

		Server(Protocol protocol) throws Exception {
			this.protocol = protocol;
			this.tls = protocol.tls() ? tls() : null;
			this.channel = new ServerBootstrap().group(this.group)
				.channel(NioServerSocketChannel.class)
				.childHandler(this)
				.bind("127.0.0.1", 0)
				.sync()
				.channel();
		}

		private SslContext tls() throws Exception {
			SslContextBuilder builder = SslContextBuilder.forServer(certificate, certificate);
			return (this.protocol == Protocol.H2) ? builder
				.applicationProtocolConfig(new ApplicationProtocolConfig(ApplicationProtocolConfig.Protocol.ALPN,
						SelectorFailureBehavior.NO_ADVERTISE, SelectedListenerFailureBehavior.ACCEPT, "h2"))
				.build() : builder.build();
		}

		int port() {
			return ((InetSocketAddress) this.channel.localAddress()).getPort();
		}

		@Override
		protected void initChannel(Channel connection) {
			this.connections.incrementAndGet();
			if (this.tls != null) {
				connection.pipeline().addLast(this.tls.newHandler(connection.alloc()));
			}
			if (!this.protocol.multiplexed()) {
				connection.pipeline()
					.addLast(new HttpServerCodec(), new HttpObjectAggregator(1_000_000), new Answers());
				return;
			}
			ChannelHandler streams = new ChannelInitializer<Channel>() {

				@Override
				protected void initChannel(Channel stream) {
					stream.pipeline()
						.addLast(new Http2StreamFrameToHttpObjectCodec(true), new HttpObjectAggregator(1_000_000),
								new Answers());
				}

			};
			connection.pipeline()
				.addLast(Http2FrameCodecBuilder.forServer().build(), new Http2MultiplexHandler(streams));
		}

		@Override
		public void close() {
			this.channel.close().syncUninterruptibly();
			this.group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
		}

	}

	@Sharable
	private static final class Answers extends SimpleChannelInboundHandler<FullHttpRequest> {

		@Override
		protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
			if (request.uri().equals("/silent")) {
				return;
			}
			ByteBuf body = request.uri().equals("/echo") ? request.content().retain()
					: HttpMethod.HEAD.equals(request.method()) ? Unpooled.EMPTY_BUFFER
							: Unpooled.wrappedBuffer(new byte[50_000]);
			FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, body);
			response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
			context.writeAndFlush(response);
			if (request.uri().equals("/last")) {
				context.channel()
					.parent()
					.writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR).setExtraStreamIds(100));
			}
		}

		@Override
		public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
			context.close();
		}

	}

}
