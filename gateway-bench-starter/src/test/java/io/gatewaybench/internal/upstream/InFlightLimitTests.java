package io.gatewaybench.internal.upstream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.gatewaybench.internal.upstream.InFlightLimit.Place;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class InFlightLimitTests {

	@Test
	void oneBeyondTheLimitIsRefusedIfItMayNotWait() {
		InFlightLimit limit = new InFlightLimit(2, Duration.ZERO);
		Place first = enter(limit);
		assertThat(first.turn()).isNull();
		enter(limit);
		assertThat(limit.enter()).isNull();
		assertThat(limit.refused()).isOne();
		first.leave();
		assertThat(limit.inFlight()).isOne();
		assertThat(limit.enter()).isNotNull();
	}

	@Test
	void thoseThatWaitHaveTheirTurnInTheirOrder() {
		InFlightLimit limit = new InFlightLimit(1, Duration.ofSeconds(1));
		List<Place> places = Stream.generate(() -> enter(limit)).limit(4).toList();
		for (int i = 0; i < 3; i++) {
			assertThat(turn(places.get(i + 1))).isNotDone();
			places.get(i).leave();
			assertThat(turn(places.get(i + 1))).isCompletedWithValue(true);
			assertThat(limit.inFlight()).isOne();
		}
		assertThat(limit.waiting()).isZero();
	}

	@Test
	void aPlaceIsGivenBackOnce() {
		InFlightLimit limit = new InFlightLimit(2, Duration.ofSeconds(1));
		Place first = enter(limit);
		enter(limit);
		Place third = enter(limit);
		Place fourth = enter(limit);
		first.leave();
		first.leave();
		first.abort();
		assertThat(turn(third)).isCompletedWithValue(true);
		assertThat(turn(fourth)).isNotDone();
	}

	@Test
	void oneThatLeavesOrHasWaitedForTooLongIsPassedOver() {
		InFlightLimit limit = new InFlightLimit(1, Duration.ofSeconds(1));
		Place first = enter(limit);
		Place left = enter(limit);
		Place late = enter(limit);
		Place last = enter(limit);
		left.leave();
		late.abort();
		assertThat(turn(left)).isCompletedWithValue(false);
		assertThat(turn(late)).isCompletedWithValue(false);
		assertThat(limit.refused()).isOne();
		late.leave();
		first.leave();
		assertThat(turn(last)).isCompletedWithValue(true);
	}

	@Test
	void oneThatHasItsTurnIsNotTooLate() {
		InFlightLimit limit = new InFlightLimit(1, Duration.ofSeconds(1));
		Place first = enter(limit);
		Place second = enter(limit);
		first.leave();
		second.abort();
		assertThat(limit.inFlight()).isOne();
		second.leave();
		assertThat(limit.inFlight()).isZero();
		assertThat(limit.refused()).isZero();
	}

	@Test
	void onlySoManyWait() {
		InFlightLimit limit = new InFlightLimit(1, Duration.ofSeconds(1));
		enter(limit);
		for (int i = 0; i < InFlightLimit.MAX_WAITING; i++) {
			enter(limit);
		}
		assertThat(limit.enter()).isNull();
		assertThat(limit.waiting()).isEqualTo(1024);
	}

	@Test
	void manyThreadsNeverHaveMorePlacesThanThereAre() throws Exception {
		InFlightLimit limit = new InFlightLimit(3, Duration.ofSeconds(1));
		AtomicInteger inside = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		ExecutorService executor = Executors.newFixedThreadPool(8);
		try {
			List<Callable<Void>> tasks = new ArrayList<>();
			for (int i = 0; i < 8; i++) {
				tasks.add(() -> {
					for (int j = 0; j < 5_000; j++) {
						pass(limit, inside, most);
					}
					return null;
				});
			}
			for (Future<Void> task : executor.invokeAll(tasks)) {
				task.get();
			}
		}
		finally {
			executor.shutdownNow();
		}
		assertThat(most.get()).isBetween(1, 3);
		assertThat(limit.inFlight()).isZero();
		assertThat(limit.waiting()).isZero();
	}

	private static void pass(InFlightLimit limit, AtomicInteger inside, AtomicInteger most) throws Exception {
		Place place = enter(limit);
		CompletableFuture<Boolean> turn = place.turn();
		if (turn != null && ThreadLocalRandom.current().nextInt(4) == 0) {
			place.abort();
		}
		if (turn == null || turn.get()) {
			most.accumulateAndGet(inside.incrementAndGet(), Math::max);
			inside.decrementAndGet();
		}
		place.leave();
		place.leave();
	}

	private static Place enter(InFlightLimit limit) {
		return Objects.requireNonNull(limit.enter());
	}

	private static CompletableFuture<Boolean> turn(Place place) {
		return Objects.requireNonNull(place.turn());
	}

}
