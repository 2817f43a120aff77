package io.gatewaybench.webflux;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.gatewaybench.internal.exchange.GatewayExchange;
import io.gatewaybench.internal.filter.MutableHttpHeaders;
import io.gatewaybench.internal.netty.TunedNetty;
import io.gatewaybench.internal.upstream.Abortable;
import io.gatewaybench.internal.websocket.Handshake;
import io.gatewaybench.internal.websocket.WebSocketSession;
import io.gatewaybench.internal.websocket.WebSockets;
import io.gatewaybench.upstream.UpstreamCall;
import io.gatewaybench.upstream.UpstreamException;
import io.gatewaybench.upstream.UpstreamFailure;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Schedulers;
import reactor.netty.Connection;
import reactor.netty.NettyOutbound;
import reactor.netty.NettyPipeline;
import reactor.netty.http.client.HttpClientResponse;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ServerWebExchange;

/**
 * Passes a WebSocket on, byte for byte, once the instance has accepted it. The gateway
 * answers the client before it asks the upstream, takes frames apart and puts them
 * together again. What one side does not take is not read from the other one.
 */
final class WebSocketRelay implements Abortable {

	private static final String ATTRIBUTE = WebSocketRelay.class.getName();

	private static final int FAREWELL_SECONDS = 1;

	private final WebSockets all;

	private final Side client = new Side(true);

	private final Side upstream = new Side(false);

	private volatile @Nullable WebSocketSession session;

	private volatile boolean goingAway;

	private boolean left;

	private volatile @Nullable MonoSink<Void> end;

	private WebSocketRelay(WebSockets all) {
		this.all = all;
	}

	/**
	 * Whether a client asks for a WebSocket. The gateway's filters see none of what
	 * belongs to its connection.
	 */
	static boolean isAsked(ServerHttpRequest request) {
		return request.getHeaders().containsHeader(Handshake.KEY)
				&& ServerHttpRequestDecorator.getNativeRequest(request) instanceof HttpServerRequest sent
				&& "HTTP/1.1".equals(sent.version().text())
				&& Handshake.isAsked(sent.method().name(), MutableHttpHeaders.of(sent.requestHeaders()));
	}

	/**
	 * Whether the request is sent as a handshake.
	 */
	static boolean isWanted(ServerWebExchange exchange) {
		return exchange.getAttribute(ATTRIBUTE) != null;
	}

	/**
	 * Send a handshake, in one of the places that there are, and pass on what follows it.
	 */
	static Mono<Void> around(ServerWebExchange exchange, GatewayExchange state, WebSockets all,
			Supplier<Mono<Void>> attempts) {
		return Mono.defer(() -> {
			if (!all.enter()) {
				return Mono.error(new UpstreamException(UpstreamFailure.NO_CONNECTION, null));
			}
			WebSocketRelay relay = new WebSocketRelay(all);
			exchange.getAttributes().put(ATTRIBUTE, relay);
			return Mono.defer(attempts)
				.then(Mono.defer(() -> relay.run(exchange, state)))
				.doFinally((signal) -> relay.leave());
		});
	}

	/**
	 * The request goes out on a connection, which may change to another protocol.
	 */
	static void sent(ServerWebExchange exchange, NettyOutbound outbound) {
		if (isWanted(exchange)) {
			outbound.withConnection((connection) -> connection.channel().attr(TunedNetty.WEB_SOCKET).set(true));
		}
	}

	/**
	 * The response has begun. Called by the thread of its connection, on which frames may
	 * follow at once.
	 * @return whether the connection is a WebSocket by now
	 */
	static boolean responded(ServerWebExchange exchange, HttpClientResponse response, Connection connection) {
		WebSocketRelay relay = exchange.getAttribute(ATTRIBUTE);
		if (relay == null) {
			return false;
		}
		Channel channel = connection.channel();
		channel.attr(TunedNetty.WEB_SOCKET).set(null);
		if (response.status().code() != HttpResponseStatus.SWITCHING_PROTOCOLS.code()) {
			return false;
		}
		String key = exchange.getRequest().getHeaders().getFirst(Handshake.KEY);
		if (!Handshake.isAccepted(key, MutableHttpHeaders.of(response.responseHeaders()))
				|| !relay.accepted(channel, ExchangeFilter.of(exchange))) {
			channel.close();
			throw new UpstreamException(UpstreamFailure.BROKEN, null);
		}
		return true;
	}

	private synchronized boolean accepted(Channel channel, GatewayExchange state) {
		UpstreamCall call = state.upstream().call();
		if (this.left || call == null) {
			return false;
		}
		this.session = new WebSocketSession(this.all, call.upstream(), this);
		channel.config().setAutoRead(false);
		this.upstream.output = channel.pipeline().context(NettyPipeline.HttpCodec);
		channel.pipeline().addAfter(NettyPipeline.HttpCodec, ATTRIBUTE, this.upstream);
		return true;
	}

	/**
	 * Answer the client, after all filters have seen the response, and take its
	 * connection.
	 */
	private Mono<Void> run(ServerWebExchange exchange, GatewayExchange state) {
		WebSocketSession begun = this.session;
		if (begun == null) {
			return Mono.empty();
		}
		return exchange.getResponse().setComplete().then(Mono.create((sink) -> {
			state.upstream().delivered();
			this.end = sink;
			HttpServerResponse response = ServerHttpResponseDecorator.getNativeResponse(exchange.getResponse());
			response.withConnection((connection) -> {
				Channel channel = connection.channel();
				channel.eventLoop().execute(() -> begin(channel, head(response.responseHeaders()), begun));
			});
		}));
	}

	private static String head(HttpHeaders headers) {
		StringBuilder head = new StringBuilder("HTTP/1.1 101 Switching Protocols\r\n");
		headers.remove(HttpHeaderNames.CONTENT_LENGTH)
			.remove(HttpHeaderNames.TRANSFER_ENCODING)
			.set(HttpHeaderNames.UPGRADE, Handshake.PROTOCOL)
			.set(HttpHeaderNames.CONNECTION, HttpHeaderNames.UPGRADE)
			.forEach((header) -> head.append(header.getKey()).append(": ").append(header.getValue()).append("\r\n"));
		return head.append("\r\n").toString();
	}

	/**
	 * In front of what knows HTTP, which sees nothing more of the connection but its end.
	 */
	private void begin(Channel channel, String head, WebSocketSession begun) {
		ChannelPipeline pipeline = channel.pipeline();
		// Not by its name, which it loses where the server chooses a certificate (SNI)
		ChannelHandlerContext tls = pipeline.context(SslHandler.class);
		if (tls != null) {
			pipeline.addAfter(tls.name(), ATTRIBUTE, this.client);
		}
		else {
			pipeline.addFirst(ATTRIBUTE, this.client);
		}
		ChannelHandlerContext output = pipeline.context(this.client);
		if (output == null || !channel.isActive()) {
			end();
			return;
		}
		channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
		output.writeAndFlush(Unpooled.copiedBuffer(head, StandardCharsets.ISO_8859_1));
		begun.begin();
		this.client.output = output;
		this.upstream.inThread(this.upstream::sendHeld);
		channel.config().setAutoRead(true);
	}

	/**
	 * Tell both sides, where that is no part of another frame, and close them soon. One
	 * that closes at once does not end the other one before it is told.
	 */
	@Override
	public void abort() {
		this.goingAway = true;
		this.client.inThread(this.client::tellPeer);
		this.upstream.inThread(this.upstream::tellPeer);
		Schedulers.parallel().schedule(this::end, FAREWELL_SECONDS, TimeUnit.SECONDS);
	}

	private void leave() {
		synchronized (this) {
			this.left = true;
			if (this.session == null) {
				this.all.leave();
				return;
			}
		}
		end();
	}

	private void end() {
		WebSocketSession begun = this.session;
		if (begun != null && begun.end()) {
			this.client.close();
			this.upstream.close();
			MonoSink<Void> sink = this.end;
			if (sink != null) {
				sink.success();
			}
		}
	}

	/**
	 * One of the two connections.
	 */
	private final class Side extends ChannelInboundHandlerAdapter {

		/** What comes before the connection of the client is taken. */
		private final Queue<ByteBuf> held = new ArrayDeque<>(1);

		private final boolean toUpstream;

		/** Where bytes for it go. */
		private volatile @Nullable ChannelHandlerContext output;

		private boolean told;

		Side(boolean toUpstream) {
			this.toUpstream = toUpstream;
		}

		private Side peer() {
			return this.toUpstream ? WebSocketRelay.this.upstream : WebSocketRelay.this.client;
		}

		void inThread(Runnable task) {
			ChannelHandlerContext current = this.output;
			if (current != null) {
				current.channel().eventLoop().execute(task);
			}
		}

		@Override
		public void channelRead(ChannelHandlerContext context, Object message) {
			if (!(message instanceof ByteBuf bytes) || this.told) {
				ReferenceCountUtil.release(message);
				return;
			}
			this.held.add(bytes);
			sendHeld();
		}

		void sendHeld() {
			ChannelHandlerContext target = peer().output;
			ChannelHandlerContext own = this.output;
			WebSocketSession begun = WebSocketRelay.this.session;
			if (target == null || own == null || begun == null) {
				return;
			}
			for (ByteBuf bytes = this.held.poll(); bytes != null; bytes = this.held.poll()) {
				begun.pass(this.toUpstream, bytes.nioBuffer());
				target.writeAndFlush(bytes);
			}
			own.channel().config().setAutoRead(target.channel().isWritable());
		}

		@Override
		public void channelReadComplete(ChannelHandlerContext context) {
			// Nobody behind it has read anything
		}

		@Override
		public void channelWritabilityChanged(ChannelHandlerContext context) {
			if (context.channel().isWritable()) {
				peer().inThread(peer()::sendHeld);
			}
			context.fireChannelWritabilityChanged();
		}

		/**
		 * A client that sends no more may wait for the Close frame of the other side.
		 */
		@Override
		public void userEventTriggered(ChannelHandlerContext context, Object event) {
			if (event instanceof ChannelInputShutdownEvent) {
				ChannelHandlerContext target = peer().output;
				if (!WebSocketRelay.this.goingAway && target != null
						&& target.channel() instanceof DuplexChannel channel) {
					target.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener((written) -> channel.shutdownOutput());
				}
			}
			else {
				context.fireUserEventTriggered(event);
			}
		}

		@Override
		public void channelInactive(ChannelHandlerContext context) {
			ChannelHandlerContext target = peer().output;
			if (target == null || !target.channel().isActive()) {
				end();
			}
			else if (!WebSocketRelay.this.goingAway) {
				// What is on its way arrives before
				target.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
			}
			if (!this.toUpstream) {
				// Otherwise the client logs each end as that of a response that broke off
				Connection.from(context.channel()).inbound().receive().subscribe().dispose();
			}
			context.fireChannelInactive();
		}

		@Override
		public void exceptionCaught(ChannelHandlerContext context, Throwable error) {
			context.close();
		}

		void tellPeer() {
			ChannelHandlerContext target = peer().output;
			WebSocketSession begun = WebSocketRelay.this.session;
			byte[] close = (begun != null) ? begun.goingAway(this.toUpstream) : null;
			if (target != null && close != null) {
				this.told = true;
				target.writeAndFlush(Unpooled.wrappedBuffer(close)).addListener(ChannelFutureListener.CLOSE);
			}
		}

		void close() {
			this.held.forEach(ReferenceCountUtil::release);
			ChannelHandlerContext current = this.output;
			if (current != null) {
				current.channel().close();
			}
		}

	}

}
