package io.gatewaybench.webflux;

import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import io.gatewaybench.exchange.GatewayExchange;
import io.gatewaybench.exchange.GatewayExchange.Phase;
import io.gatewaybench.filter.FeatureScope;
import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.metrics.GatewayObservations;
import io.gatewaybench.upstream.DeadlineTimer;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.local.LocalChannel;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.http.client.HttpClientRequest;
import reactor.util.context.ContextView;

import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

class AttemptTests {

	private final DeadlineTimer timer = new DeadlineTimer();

	private final DefaultEventLoop connectionThread = new DefaultEventLoop();

	@AfterEach
	void stop() {
		this.timer.close();
		this.connectionThread.shutdownGracefully();
	}

	@Test
	void anAttemptEndsBeforeItsExchangeAlthoughItsConnectionIsClosedLater() throws Exception {
		GatewayExchange state = new GatewayExchange(GatewayMetrics.disabled(), GatewayObservations.OFF, this.timer);
		state.route("route", URI.create("http://localhost"), new FeatureScope(RouteFeatures.NONE, false));
		AtomicBoolean cancelled = new AtomicBoolean();
		AtomicReference<Throwable> error = new AtomicReference<>();
		Connection connection = connection();
		Mono<Void> response = Mono.deferContextual((context) -> {
			Attempt.sent(request(context), connection);
			return Mono.<Void>never().doOnCancel(() -> cancelled.set(true));
		});
		CountDownLatch busy = new CountDownLatch(1);
		this.connectionThread.execute(() -> await(busy));
		Disposable client = new Attempt(response, MockServerWebExchange.from(MockServerHttpRequest.get("/")), state)
			.subscribe(null, error::set);
		assertThat(state.phase()).isEqualTo(Phase.WAITING);
		client.dispose();
		assertThat(state.phase()).isEqualTo(Phase.ANSWERED);
		state.end();
		assertThat(cancelled).isFalse();
		busy.countDown();
		Awaitility.await().untilTrue(cancelled);
		assertThat(error).hasNullValue();
	}

	private Connection connection() throws InterruptedException {
		LocalChannel channel = new LocalChannel();
		this.connectionThread.register(channel).sync();
		return () -> channel;
	}

	private static HttpClientRequest request(ContextView context) {
		return (HttpClientRequest) Proxy.newProxyInstance(AttemptTests.class.getClassLoader(),
				new Class<?>[] { HttpClientRequest.class }, (proxy, method, arguments) -> context);
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
