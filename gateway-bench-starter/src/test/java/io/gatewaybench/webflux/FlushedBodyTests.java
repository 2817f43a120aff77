package io.gatewaybench.webflux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import io.netty.buffer.UnpooledByteBufAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.NettyDataBuffer;
import org.springframework.core.io.buffer.NettyDataBufferFactory;

import static org.assertj.core.api.Assertions.assertThat;

class FlushedBodyTests {

	/**
	 * How many pieces the server asks for before it has sent one, as Reactor Netty does.
	 */
	private static final int IN_ADVANCE = 32;

	private final NettyDataBufferFactory factory = new NettyDataBufferFactory(new UnpooledByteBufAllocator(false));

	private final List<NettyDataBuffer> sent = new ArrayList<>();

	private final TestPublisher<Publisher<? extends DataBuffer>> upstream = TestPublisher.create();

	private final TestPublisher<String> client = TestPublisher.create();

	private final Flux<Publisher<? extends DataBuffer>> body = Flux.from(new FlushedBody(this.upstream));

	@AfterEach
	void everyBufferIsReleased() {
		assertThat(this.sent).allSatisfy((buffer) -> assertThat(buffer.getNativeBuffer().refCnt()).isZero());
	}

	@Test
	void thePiecesLeaveInTheirOrder() {
		StepVerifier.create(this.body.concatMap(FlushedBodyTests::text, IN_ADVANCE))
			.then(() -> this.upstream.next(piece("a"), piece("b")).complete())
			.expectNext("a", "b")
			.verifyComplete();
	}

	@Test
	void whatTheServerHasNotBegunWithIsReleasedWhenTheClientLeaves() {
		StepVerifier.create(this.body.concatMap((piece) -> text(piece).then(Mono.never()), IN_ADVANCE))
			.then(() -> this.upstream.next(piece("a"), piece("b"), piece("c")))
			.thenCancel()
			.verify();
		this.upstream.assertCancelled();
	}

	@Test
	void whatTheServerHasOnlySubscribedToIsReleasedWhenTheClientLeaves() {
		StepVerifier.create(this.body.concatMap(FlushedBodyTests::text, IN_ADVANCE), 0)
			.then(() -> this.upstream.next(piece("a"), piece("b")))
			.thenCancel()
			.verify();
	}

	@Test
	void whatTheServerHasNotBegunWithIsReleasedWhenTheUpstreamBreaksOff() {
		StepVerifier
			.create(this.body.concatMapDelayError((piece) -> text(piece).concatWith(this.client), false, IN_ADVANCE))
			.then(() -> this.upstream.next(piece("a"), piece("b"), piece("c")).error(new IOException("reset")))
			.expectNext("a")
			.then(this.client::complete)
			.verifyErrorMessage("reset");
	}

	@Test
	void aPieceThatComesWhenTheClientHasLeftIsReleased() {
		AtomicReference<Subscriber<? super Publisher<? extends DataBuffer>>> careless = new AtomicReference<>();
		Publisher<Publisher<? extends DataBuffer>> source = (subscriber) -> {
			subscriber.onSubscribe(Operators.emptySubscription());
			careless.set(subscriber);
		};
		Flux.from(new FlushedBody(source)).subscribe().dispose();
		careless.get().onNext(piece("a"));
	}

	@Test
	void aPieceWhoseBuffersAreStillToComeIsLeftAlone() {
		TestPublisher<DataBuffer> later = TestPublisher.create();
		StepVerifier.create(this.body.concatMap((piece) -> text(piece).then(Mono.never()), IN_ADVANCE))
			.then(() -> this.upstream.next(piece("a"), later.flux()))
			.thenCancel()
			.verify();
		later.assertWasNotSubscribed();
	}

	private Flux<DataBuffer> piece(String text) {
		NettyDataBuffer buffer = this.factory
			.wrap(this.factory.getByteBufAllocator().buffer().writeBytes(text.getBytes(StandardCharsets.UTF_8)));
		this.sent.add(buffer);
		return Flux.just(buffer);
	}

	private static Flux<String> text(Publisher<? extends DataBuffer> piece) {
		return Flux.from(piece).map((buffer) -> {
			String text = buffer.toString(StandardCharsets.UTF_8);
			DataBufferUtils.release(buffer);
			return text;
		});
	}

}
