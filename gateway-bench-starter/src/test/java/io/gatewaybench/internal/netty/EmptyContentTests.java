package io.gatewaybench.internal.netty;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.FullHttpRequest;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.netty.ConnectionObserver.State;
import reactor.netty.DisposableServer;
import reactor.netty.NettyPipeline;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;

import static org.assertj.core.api.Assertions.assertThat;

class EmptyContentTests {

	@Test
	void theContentOfARequestWithoutABodyIsNoBufferThatAnotherRequestCanHave() {
		Queue<FullHttpRequest> requests = new ConcurrentLinkedQueue<>();
		HttpServer compressing = HttpServer.create()
			.host("127.0.0.1")
			.port(0)
			.protocol(HttpProtocol.HTTP11, HttpProtocol.H2C)
			.compress((request, response) -> true)
			.handle((request, response) -> response.sendString(Mono.just("late").delayElement(Duration.ofMillis(10))));
		DisposableServer server = CodedResponses.of(compressing).childObserve((connection, state) -> {
			if (state == State.CONNECTED
					&& connection.channel().pipeline().get(NettyPipeline.H2ToHttp11Codec) != null) {
				connection.channel()
					.pipeline()
					.addBefore(NettyPipeline.HttpTrafficHandler, "test", new Requests(requests));
			}
		}).bindNow();
		try {
			HttpClient client = HttpClient.newConnection()
				.host("127.0.0.1")
				.port(server.port())
				.protocol(HttpProtocol.H2C)
				.compress(true);
			assertThat(client.get().uri("/").responseContent().aggregate().asString().block()).isEqualTo("late");
			assertThat(requests).singleElement()
				.satisfies((request) -> assertThat(request.content().refCnt()).as("After its release").isOne());
		}
		finally {
			server.disposeNow();
		}
	}

	private static final class Requests extends ChannelInboundHandlerAdapter {

		private final Queue<FullHttpRequest> requests;

		Requests(Queue<FullHttpRequest> requests) {
			this.requests = requests;
		}

		@Override
		public void channelRead(ChannelHandlerContext context, Object message) {
			if (message instanceof FullHttpRequest request) {
				this.requests.add(request);
			}
			context.fireChannelRead(message);
		}

	}

}
