package io.gatewaybench.webflux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
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
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.core.io.buffer.NettyDataBuffer;
import org.springframework.core.io.buffer.NettyDataBufferFactory;

import static org.assertj.core.api.Assertions.assertThat;

class WholeBodyTests {

	private static final String FIELD = "\"_gateway\":{\"type\":\"WebFlux\",\"timestamp\":1,\"processed\":true}";

	private final ProxiedBody proxied = new GatewayExchange(GatewayMetrics.disabled(), GatewayObservations.OFF,
			new DeadlineTimer())
		.upstream()
		.bodyBegins(null);

	private final NettyDataBufferFactory factory = new NettyDataBufferFactory(new UnpooledByteBufAllocator(true));

	private final List<NettyDataBuffer> sent = new ArrayList<>();

	private final List<String> calls = new ArrayList<>();

	// An executor has no close() before Java 19
	@AutoClose("shutdownNow")
	private final ExecutorService clientThread = Executors.newSingleThreadExecutor();

	@AfterEach
	void everyBufferIsReleased() {
		assertThat(this.sent).allSatisfy((buffer) -> assertThat(buffer.getNativeBuffer().refCnt()).isZero());
	}

	@Test
	void theNewBodyIsOneBuffer() {
		StepVerifier.create(rewritten(Flux.just(buffer("{\"a\""), buffer(":1"), buffer("}")), 7))
			.consumeNextWith((body) -> assertText(body, "{\"a\":1," + FIELD + "}"))
			.verifyComplete();
		assertThat(this.calls).containsExactly("first ADDED", "last ADDED");
	}

	@Test
	void whatIsNoObjectLeavesAsItCame() {
		StepVerifier.create(rewritten(Flux.just(buffer("[1,"), buffer("2]")), 5))
			.consumeNextWith((body) -> assertText(body, "[1,2]"))
			.verifyComplete();
		assertThat(this.calls).containsExactly("first UNCHANGED", "last UNCHANGED");
	}

	@Test
	void aBodyThatTurnsOutEmptyStaysEmpty() {
		StepVerifier.create(rewritten(Flux.empty(), 7))
			.consumeNextWith((body) -> assertText(body, ""))
			.verifyComplete();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 8 * 1024, 200 * 1024 })
	void theServerCanSendTheNewBodyWithoutACopyOfIt(int spaces) {
		DataBuffer other = DefaultDataBufferFactory.sharedInstance.wrap(":1}".getBytes(StandardCharsets.UTF_8));
		String start = "{" + " ".repeat(spaces) + "\"a\"";
		StepVerifier.create(rewritten(Flux.just(buffer(start), other), start.length() + 3)).consumeNextWith((body) -> {
			assertThat(((NettyDataBuffer) body).getNativeBuffer().isDirect()).isTrue();
			assertText(body, start + ":1," + FIELD + "}");
		}).verifyComplete();
	}

	@Test
	void anUpstreamThatBreaksOffIsABadGateway() {
		TestPublisher<DataBuffer> upstream = TestPublisher.create();
		StepVerifier.create(rewritten(upstream.flux(), 7))
			.then(() -> upstream.next(buffer("{\"a\"")).error(new IOException("reset")))
			.expectErrorSatisfies(
					(error) -> assertThat(error).isInstanceOf(UpstreamException.class).hasRootCauseMessage("reset"))
			.verify();
		assertThat(this.calls).isEmpty();
	}

	@Test
	void aBodyThatIsLongerThanItSaidIsABadGateway() {
		TestPublisher<DataBuffer> upstream = TestPublisher.create();
		StepVerifier.create(rewritten(upstream.flux(), 7))
			.then(() -> upstream.next(buffer("{\"a\":"), buffer("1} ")))
			.expectErrorSatisfies((error) -> assertThat(error).isInstanceOf(UpstreamException.class))
			.verify();
		upstream.assertCancelled();
	}

	@Test
	void aClientThatLeavesCancelsTheUpstreamAndReleasesWhatIsHeld() {
		TestPublisher<DataBuffer> upstream = TestPublisher.create();
		StepVerifier.create(rewritten(upstream.flux(), 7))
			.then(() -> upstream.next(buffer("{\"a\"")))
			.thenCancel()
			.verify();
		upstream.assertCancelled();
	}

	/**
	 * The two sides may be served by two threads. Whoever comes first, nothing stays held
	 * and nothing is handed to a client that has left.
	 */
	@RepeatedTest(200)
	void aClientThatLeavesWhileTheBodyArrivesLeavesNothingHeld() throws Exception {
		AtomicReference<Subscriber<? super DataBuffer>> upstream = new AtomicReference<>();
		Publisher<DataBuffer> body = (subscriber) -> {
			subscriber.onSubscribe(Operators.emptySubscription());
			upstream.set(subscriber);
		};
		BaseSubscriber<DataBuffer> client = new BaseSubscriber<>() {

			@Override
			protected void hookOnNext(DataBuffer buffer) {
				DataBufferUtils.release(buffer);
			}

		};
		rewritten(Flux.from(body), 7).subscribe(client);
		CyclicBarrier start = new CyclicBarrier(2);
		Future<?> leaving = this.clientThread.submit(() -> {
			start.await();
			client.dispose();
			return null;
		});
		start.await();
		upstream.get().onNext(buffer("{\"a\""));
		upstream.get().onNext(buffer(":1}"));
		upstream.get().onComplete();
		leaving.get();
	}

	@Test
	void headersThatCannotBeAdjustedFailTheBodyAndReleaseIt() {
		IllegalStateException failure = new IllegalStateException("committed");
		StepVerifier.create(rewritten(Flux.just(buffer("{\"a\""), buffer(":1}")), 7, (body) -> {
			throw failure;
		})).expectErrorSatisfies((error) -> assertThat(error).isSameAs(failure)).verify();
		assertThat(this.calls).isEmpty();
	}

	private WholeBody rewritten(Flux<DataBuffer> source, int length) {
		return rewritten(source, length, (body) -> this.calls.add("first " + body.outcome()));
	}

	private WholeBody rewritten(Flux<DataBuffer> source, int length, Consumer<HeldBody<DataBuffer>> beforeFirst) {
		BodyRewriter rewriter = BodyRewriter
			.of(new RewriteSettings("_gateway", Engine.SPLICE, 256 * 1024, GatewayMetadata.of("WebFlux", () -> 1)));
		return new WholeBody(source, length, this.proxied, rewriter.begin(new DataBufferChunks(this.factory), length),
				beforeFirst, (outcome) -> this.calls.add("last " + outcome), this.factory);
	}

	private NettyDataBuffer buffer(String text) {
		NettyDataBuffer buffer = this.factory
			.wrap(this.factory.getByteBufAllocator().buffer().writeBytes(text.getBytes(StandardCharsets.UTF_8)));
		this.sent.add(buffer);
		return buffer;
	}

	private static void assertText(DataBuffer body, String text) {
		assertThat(body.toString(StandardCharsets.UTF_8)).isEqualTo(text);
		DataBufferUtils.release(body);
	}

}
