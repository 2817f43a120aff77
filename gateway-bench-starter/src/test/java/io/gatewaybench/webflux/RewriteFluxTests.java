package io.gatewaybench.webflux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import io.gatewaybench.internal.exchange.GatewayExchange;
import io.gatewaybench.internal.exchange.ProxiedBody;
import io.gatewaybench.internal.metrics.GatewayObservations;
import io.gatewaybench.internal.rewrite.BodyRewriter;
import io.gatewaybench.internal.rewrite.HeldBody;
import io.gatewaybench.internal.rewrite.RewriteSettings;
import io.gatewaybench.internal.upstream.DeadlineTimer;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.rewrite.Engine;
import io.gatewaybench.rewrite.GatewayMetadata;
import io.gatewaybench.upstream.UpstreamException;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.NettyDataBuffer;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import org.springframework.http.server.reactive.ChannelSendOperator;

import static org.assertj.core.api.Assertions.assertThat;

class RewriteFluxTests {

	private static final String FIELD = "\"_gateway\":{\"type\":\"WebFlux\",\"timestamp\":1,\"processed\":true}";

	private final ProxiedBody proxied = new GatewayExchange(GatewayMetrics.disabled(), GatewayObservations.OFF,
			new DeadlineTimer())
		.upstream()
		.bodyBegins(null);

	private final NettyDataBufferFactory factory = new NettyDataBufferFactory(new UnpooledByteBufAllocator(false));

	private final List<NettyDataBuffer> sent = new ArrayList<>();

	private final Upstream upstream = new Upstream();

	private final Client client = new Client();

	private final List<String> calls = new ArrayList<>();

	@AfterEach
	void everyBufferIsReleased() {
		assertThat(this.sent).allSatisfy((buffer) -> assertThat(buffer.getNativeBuffer().refCnt()).isZero());
	}

	@Test
	void theFieldIsAdded() {
		subscribe(1000);
		this.client.request(Long.MAX_VALUE);
		this.upstream.send("{\"a\"");
		this.upstream.send(":1}");
		assertThat(this.client.received).isEmpty();
		this.upstream.subscriber.onComplete();
		assertThat(this.client.received).containsExactly("{\"a\":1," + FIELD + "}");
		assertThat(this.client.completed).isTrue();
		assertThat(this.calls).containsExactly("first ADDED", "last ADDED");
	}

	@Test
	void nothingIsAskedOfTheUpstreamBeforeTheClientAsks() {
		subscribe(1000);
		assertThat(this.upstream.requested).isZero();
		this.client.request(1);
		assertThat(this.upstream.requested).isOne();
		this.client.cancel();
	}

	@Test
	void theUpstreamIsAskedForOneBufferAtATimeWhileTheClientWantsMore() {
		subscribe(1000);
		this.client.request(2);
		this.upstream.send("[1,");
		assertThat(this.client.received).containsExactly("[1,");
		assertThat(this.upstream.requested).isEqualTo(2);
		this.upstream.send("2,");
		assertThat(this.client.received).hasSize(2);
		assertThat(this.upstream.requested).isEqualTo(2);
		this.client.request(1);
		assertThat(this.upstream.requested).isEqualTo(3);
		this.upstream.send("3]");
		this.upstream.subscriber.onComplete();
		assertThat(this.client.received).containsExactly("[1,", "2,", "3]");
		assertThat(this.client.completed).isTrue();
	}

	@Test
	void aBodyThatEndsCompletesWithoutFurtherDemand() {
		subscribe(1000);
		this.client.request(1);
		this.upstream.send("{}");
		this.upstream.subscriber.onComplete();
		assertThat(this.client.received).containsExactly("{" + FIELD + "}");
		assertThat(this.client.completed).isTrue();
	}

	@Test
	void anEmptyBodyCompletesWithoutDemandAndItsHeadersAreTold() {
		subscribe(1000);
		this.upstream.subscriber.onComplete();
		assertThat(this.client.completed).isTrue();
		assertThat(this.calls).containsExactly("first UNCHANGED", "last UNCHANGED");
	}

	@Test
	void aBodyThatIsTooLargeLeavesAsItCameBufferByBuffer() {
		subscribe(6);
		this.client.request(Long.MAX_VALUE);
		this.upstream.send("{\"a\":");
		this.upstream.send("1");
		assertThat(this.client.received).isEmpty();
		this.upstream.send("}");
		assertThat(this.client.received).containsExactly("{\"a\":", "1", "}");
		this.upstream.subscriber.onComplete();
		assertThat(this.calls).containsExactly("first TOO_LARGE", "last TOO_LARGE");
	}

	@Test
	void heldBuffersWaitForDemand() {
		subscribe(6);
		this.client.request(1);
		this.upstream.send("{\"a\":");
		this.upstream.send("1");
		this.upstream.send("}");
		assertThat(this.client.received).hasSize(1);
		this.upstream.subscriber.onComplete();
		assertThat(this.client.completed).isFalse();
		this.client.request(1);
		assertThat(this.client.received).hasSize(2);
		this.client.request(1);
		assertThat(this.client.received).hasSize(3);
		assertThat(this.client.completed).isTrue();
	}

	@Test
	void anUpstreamThatBreaksOffBeforeAnythingHasLeftIsABadGateway() {
		subscribe(1000);
		this.client.request(Long.MAX_VALUE);
		this.upstream.send("{\"a\":");
		IOException failure = new IOException("reset");
		this.upstream.subscriber.onError(failure);
		assertThat(this.client.error).isInstanceOf(UpstreamException.class).hasCause(failure);
		assertThat(this.client.received).isEmpty();
		assertThat(this.calls).isEmpty();
	}

	@Test
	void anUpstreamThatBreaksOffLaterFailsTheBody() {
		subscribe(1000);
		this.client.request(1);
		this.upstream.send("[1,");
		this.upstream.send("2");
		IOException failure = new IOException("reset");
		this.upstream.subscriber.onError(failure);
		assertThat(this.client.error).isInstanceOf(UpstreamException.class).hasCause(failure);
		assertThat(this.client.received).containsExactly("[1,");
		assertThat(this.calls).containsExactly("first UNCHANGED");
	}

	@Test
	void aClientThatLeavesCancelsTheUpstreamAndReleasesWhatIsHeld() {
		subscribe(1000);
		this.client.request(Long.MAX_VALUE);
		this.upstream.send("{\"a\":");
		this.client.cancel();
		assertThat(this.upstream.cancelled).isTrue();
		this.upstream.send("late");
		assertThat(this.client.received).isEmpty();
	}

	@Test
	void aClientThatLeavesInTheMiddleOfTheBuffersGetsNoMore() {
		subscribe(6);
		this.client.cancelAfterFirst = true;
		this.client.request(Long.MAX_VALUE);
		this.upstream.send("{\"a\":");
		this.upstream.send("1");
		this.upstream.send("}");
		assertThat(this.client.received).hasSize(1);
		assertThat(this.upstream.cancelled).isTrue();
	}

	@Test
	void aClientThatLeavesWhileTheHeadersAreAdjustedGetsNothing() {
		Disposable.Swap response = Disposables.swap();
		response.replace(serve(rewritten((body) -> response.dispose())));
		this.upstream.send("[1,");
		assertThat(this.upstream.cancelled).isTrue();
	}

	@Test
	void aClientThatLeavesWhileTheServerGetsABufferWaitsUntilTheServerHasIt() throws InterruptedException {
		Disposable.Swap response = Disposables.swap();
		Thread leaving = new Thread(response::dispose);
		response.replace(serve(rewritten((body) -> {
		}).doOnNext((buffer) -> {
			leaving.start();
			while (leaving.isAlive() && leaving.getState() != Thread.State.BLOCKED) {
				Thread.onSpinWait();
			}
		})));
		this.upstream.send("[1,");
		leaving.join();
		assertThat(this.upstream.cancelled).isTrue();
	}

	@Test
	void headersThatCannotBeAdjustedFailTheBodyAndReleaseIt() {
		IllegalStateException failure = new IllegalStateException("committed");
		rewritten((body) -> {
			throw failure;
		}).subscribe(this.client);
		this.client.request(Long.MAX_VALUE);
		this.upstream.send("[");
		assertThat(this.client.error).isSameAs(failure);
		assertThat(this.upstream.cancelled).isTrue();
		this.upstream.send("]");
		assertThat(this.calls).isEmpty();
	}

	@Test
	void aRequestForNothingIsNoDemand() {
		subscribe(1000);
		this.client.upstream().request(0);
		assertThat(this.upstream.requested).isZero();
		this.client.cancel();
	}

	private void subscribe(long maxBufferSize) {
		new RewriteFlux(Flux.from(this.upstream), this.proxied, begin(maxBufferSize),
				(body) -> this.calls.add("first " + body.outcome()), (outcome) -> this.calls.add("last " + outcome))
			.subscribe(this.client);
	}

	private RewriteFlux rewritten(Consumer<HeldBody<DataBuffer>> beforeFirst) {
		return new RewriteFlux(Flux.from(this.upstream), this.proxied, begin(1000), beforeFirst,
				(outcome) -> this.calls.add("last"));
	}

	/**
	 * As Spring does, which keeps the first buffer until the server asks for it.
	 */
	private static Disposable serve(Flux<DataBuffer> body) {
		return new ChannelSendOperator<>(body,
				(buffers) -> Flux.from(buffers).doOnNext(DataBufferUtils::release).then())
			.subscribe();
	}

	private HeldBody<DataBuffer> begin(long maxBufferSize) {
		return BodyRewriter
			.of(new RewriteSettings("_gateway", Engine.JACKSON3, maxBufferSize, GatewayMetadata.of("WebFlux", () -> 1)))
			.begin(new DataBufferChunks(this.factory), -1);
	}

	private final class Upstream implements Publisher<DataBuffer>, Subscription {

		private Subscriber<? super DataBuffer> subscriber;

		private long requested;

		private boolean cancelled;

		@Override
		public void subscribe(Subscriber<? super DataBuffer> subscriber) {
			this.subscriber = subscriber;
			subscriber.onSubscribe(this);
		}

		@Override
		public void request(long count) {
			this.requested += count;
		}

		@Override
		public void cancel() {
			this.cancelled = true;
		}

		void send(String text) {
			NettyDataBuffer buffer = RewriteFluxTests.this.factory
				.wrap(RewriteFluxTests.this.factory.getByteBufAllocator()
					.buffer()
					.writeBytes(text.getBytes(StandardCharsets.UTF_8)));
			RewriteFluxTests.this.sent.add(buffer);
			this.subscriber.onNext(buffer);
		}

	}

	private static final class Client extends BaseSubscriber<DataBuffer> {

		private final List<String> received = new ArrayList<>();

		private boolean cancelAfterFirst;

		private boolean completed;

		private Throwable error;

		@Override
		protected void hookOnSubscribe(Subscription subscription) {
			// Demand is up to the test
		}

		@Override
		protected Subscription upstream() {
			return super.upstream();
		}

		@Override
		protected void hookOnNext(DataBuffer buffer) {
			this.received.add(buffer.toString(StandardCharsets.UTF_8));
			DataBufferUtils.release(buffer);
			if (this.cancelAfterFirst) {
				cancel();
			}
		}

		@Override
		protected void hookOnComplete() {
			this.completed = true;
		}

		@Override
		protected void hookOnError(Throwable error) {
			this.error = error;
		}

	}

}
