package io.gatewaybench.webflux;

import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.internal.exchange.GatewayExchange;
import io.gatewaybench.internal.exchange.GatewayExchange.Phase;
import io.gatewaybench.internal.filter.FeatureScope;
import io.gatewaybench.internal.metrics.GatewayObservations;
import io.gatewaybench.internal.upstream.DeadlineTimer;
import io.gatewaybench.metrics.GatewayMetrics;
import io.netty.channel.Channel;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.local.LocalChannel;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.http.client.HttpClientRequest;
import reactor.netty.http.client.HttpClientResponse;
import reactor.util.context.ContextView;

import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

class AttemptTests {

	private final DeadlineTimer timer = new DeadlineTimer();

	private final DefaultEventLoop connectionThread = new DefaultEventLoop();

	private final CountDownLatch busy = new CountDownLatch(1);

	private final MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/"));

	private final GatewayExchange state = new GatewayExchange(GatewayMetrics.disabled(), GatewayObservations.OFF,
			this.timer);

	private final AtomicBoolean cancelled = new AtomicBoolean();

	private final AtomicReference<HttpClientResponse> response = new AtomicReference<>();

	private final AtomicReference<Throwable> error = new AtomicReference<>();

	@AfterEach
	void stop() {
		this.busy.countDown();
		this.timer.close();
		this.connectionThread.shutdownGracefully();
	}

	@Test
	void anAttemptEndsBeforeItsExchangeAlthoughItsConnectionIsClosedLater() throws Exception {
		Disposable client = send(new TestConnection());
		assertThat(this.state.phase()).isEqualTo(Phase.WAITING);
		client.dispose();
		assertThat(this.state.phase()).isEqualTo(Phase.ANSWERED);
		this.state.end();
		assertThat(this.cancelled).isFalse();
		this.busy.countDown();
		Awaitility.await().untilTrue(this.cancelled);
		assertThat(this.error).hasNullValue();
	}

	@Test
	void aFallbackKeepsItsConnectionWhenTheOneBeforeIsClosedLater() throws Exception {
		TestConnection fallback = new TestConnection();
		Disposable client = send(new TestConnection());
		client.dispose();
		this.exchange.getAttributes().put(ServerWebExchangeUtils.CLIENT_RESPONSE_CONN_ATTR, fallback);
		this.busy.countDown();
		Awaitility.await().untilTrue(this.cancelled);
		assertThat(fallback.closed).isFalse();
	}

	@Test
	void aResponseThatBeginsTooLateIsNotForTheExchange() throws Exception {
		TestConnection connection = new TestConnection();
		Disposable client = send(connection);
		client.dispose();
		assertThat(Attempt.responds(this.response.get(), connection)).isFalse();
		assertThat(connection.closed).isTrue();
	}

	@Test
	void aResponseThatBeganIsClosedWhenItsAttemptIsLeft() throws Exception {
		TestConnection connection = new TestConnection();
		Disposable client = send(connection);
		assertThat(Attempt.responds(this.response.get(), connection)).isTrue();
		assertThat(connection.closed).isFalse();
		client.dispose();
		this.busy.countDown();
		Awaitility.await().untilTrue(connection.closed);
		assertThat(this.cancelled).isTrue();
	}

	@Test
	void anAttemptThatItsExchangeEndsIsNoTimeoutOfTheUpstream() {
		route();
		new Attempt(Mono.never(), this.exchange, this.state).subscribe(null, this.error::set);
		this.state.end();
		Awaitility.await().untilAsserted(() -> assertThat(this.error.get()).isInstanceOf(CancellationException.class));
	}

	/**
	 * As Reactive Streams has it (rule 1.9).
	 */
	@Test
	void anAttemptThatIsAbortedAtOnceFailsAfterItsSubscription() {
		route();
		this.state.end();
		List<String> signals = new CopyOnWriteArrayList<>();
		attempt(false).subscribe(new BaseSubscriber<>() {

			@Override
			protected void hookOnSubscribe(Subscription subscription) {
				// Whatever comes on another thread comes meanwhile
				LockSupport.parkNanos(50_000_000);
				signals.add("subscribed");
			}

			@Override
			protected void hookOnError(Throwable error) {
				signals.add("error");
			}

		});
		Awaitility.await().untilAsserted(() -> assertThat(signals).containsExactly("subscribed", "error"));
	}

	@Test
	void anAttemptHasBegunWhenItsSourceIsAsked() {
		route();
		attempt(true).block();
		assertThat(this.state.phase()).isEqualTo(Phase.BODY);
	}

	@Test
	void anAttemptThatIsCancelledAtOnceWaitsForNothing() {
		route();
		attempt(true).subscribe(new BaseSubscriber<>() {

			@Override
			protected void hookOnSubscribe(Subscription subscription) {
				cancel();
			}

		});
		assertThat(this.state.phase()).isEqualTo(Phase.ANSWERED);
	}

	/**
	 * An attempt that completes as soon as it is asked, or never.
	 */
	private Attempt attempt(boolean completes) {
		return new Attempt(new Mono<Void>() {

			@Override
			public void subscribe(CoreSubscriber<? super Void> attempt) {
				attempt.onSubscribe(new Subscription() {

					@Override
					public void request(long count) {
						if (completes) {
							attempt.onComplete();
						}
					}

					@Override
					public void cancel() {
					}

				});
			}

		}, this.exchange, this.state);
	}

	private void route() {
		this.state.route("route", URI.create("http://localhost"), new FeatureScope(RouteFeatures.NONE, false));
	}

	/**
	 * Send a request on a connection whose thread is busy.
	 */
	private Disposable send(TestConnection connection) {
		route();
		this.connectionThread.execute(() -> await(this.busy));
		Mono<Void> sent = Mono.deferContextual((context) -> {
			Attempt.sent(withContext(HttpClientRequest.class, context), connection);
			this.response.set(withContext(HttpClientResponse.class, context));
			return Mono.<Void>never().doOnCancel(() -> this.cancelled.set(true));
		});
		return new Attempt(sent, this.exchange, this.state).subscribe(null, this.error::set);
	}

	/**
	 * A request or a response that is asked for its context only.
	 */
	private static <T> T withContext(Class<T> type, ContextView context) {
		return type.cast(Proxy.newProxyInstance(AttemptTests.class.getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> context));
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private final class TestConnection implements Connection {

		private final LocalChannel channel = new LocalChannel();

		private final AtomicBoolean closed = new AtomicBoolean();

		TestConnection() throws InterruptedException {
			AttemptTests.this.connectionThread.register(this.channel).sync();
		}

		@Override
		public Channel channel() {
			return this.channel;
		}

		@Override
		public void dispose() {
			this.closed.set(true);
		}

	}

}
