package io.gatewaybench.internal.netty;

import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.LoopResources;

import static org.assertj.core.api.Assertions.assertThat;

class AcceptQueueTests {

	private final AtomicInteger accepted = new AtomicInteger();

	private final AtomicInteger rounds = new AtomicInteger();

	/**
	 * The thread that accepts also serves requests. Here it is busy while the clients
	 * connect. It is the server's own: the shared ones end with each gateway that another
	 * test closes.
	 */
	@Test
	void allClientsThatWaitAreAcceptedInOneRound() throws Exception {
		LoopResources loops = LoopResources.create("accept-queue", 1, true);
		DisposableServer server = TunedNetty.server(HttpServer.create(), Duration.ZERO)
			.runOn(loops)
			.host("127.0.0.1")
			.port(0)
			.bindNow();
		List<Socket> clients = new ArrayList<>();
		CountDownLatch started = new CountDownLatch(1);
		CountDownLatch busy = new CountDownLatch(1);
		try {
			server.channel().pipeline().addFirst(new Rounds());
			server.channel().eventLoop().execute(() -> {
				started.countDown();
				await(busy);
			});
			// A thread that is not busy yet accepts the first clients before its tasks
			await(started);
			for (int i = 0; i < 100; i++) {
				clients.add(new Socket("127.0.0.1", server.port()));
			}
			assertThat(this.accepted).hasValue(0);
			busy.countDown();
			Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
				assertThat(server.channel().isActive()).as("the server listens").isTrue();
				assertThat(this.accepted).hasValue(clients.size());
			});
			assertThat(this.rounds).hasValueLessThanOrEqualTo(1);
		}
		finally {
			busy.countDown();
			for (Socket client : clients) {
				client.close();
			}
			server.disposeNow();
			loops.disposeLater(Duration.ZERO, Duration.ofSeconds(5)).block();
		}
	}

	private static void await(CountDownLatch latch) {
		try {
			if (!latch.await(20, TimeUnit.SECONDS)) {
				throw new IllegalStateException("No end after 20 s");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private final class Rounds extends ChannelInboundHandlerAdapter {

		@Override
		public void channelRead(ChannelHandlerContext context, Object connection) {
			AcceptQueueTests.this.accepted.incrementAndGet();
			context.fireChannelRead(connection);
		}

		@Override
		public void channelReadComplete(ChannelHandlerContext context) {
			AcceptQueueTests.this.rounds.incrementAndGet();
			context.fireChannelReadComplete();
		}

	}

}
