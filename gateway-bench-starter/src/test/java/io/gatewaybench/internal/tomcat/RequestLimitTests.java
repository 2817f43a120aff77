package io.gatewaybench.internal.tomcat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class RequestLimitTests {

	private final Deque<Runnable> started = new ArrayDeque<>();

	private final List<String> served = new ArrayList<>();

	private final RequestLimit limit = new RequestLimit(this.started::add, 2, 100);

	@Test
	void upToTheLimitRequestsStartAtOnce() {
		request("a", "b");
		assertThat(this.started).hasSize(2);
		runNext();
		runNext();
		assertThat(this.served).containsExactly("a", "b");
		assertThat(this.started).isEmpty();
	}

	@Test
	void beyondItTheyStartInTheOrderOfArrivalWhenOthersEnd() {
		request("a", "b", "c", "d");
		Runnable first = this.started.remove();
		Runnable second = this.started.remove();
		assertThat(this.started).as("the wait for the scheduler").hasSize(1);
		second.run();
		first.run();
		assertThat(this.started).as("and two requests").hasSize(3);
		while (!this.started.isEmpty()) {
			runNext();
		}
		assertThat(this.served).containsExactly("b", "a", "c", "d");
	}

	/**
	 * As when all that have started wait for slow upstreams.
	 */
	@Test
	void beyondItOneStartsForEachTurnOfTheScheduler() {
		request("a", "b", "c", "d");
		this.started.remove();
		this.started.remove();
		runNext();
		assertThat(this.started).as("a request and the next turn").hasSize(2);
		while (!this.started.isEmpty()) {
			runNext();
		}
		assertThat(this.served).containsExactly("c", "d");
	}

	@Test
	void aRequestThatFailsMakesRoomForTheNext() {
		for (int i = 0; i < 2; i++) {
			this.limit.execute(() -> {
				throw new IllegalStateException("failed by the test");
			});
		}
		request("a");
		assertThatIllegalStateException().isThrownBy(() -> runNext()).withMessage("failed by the test");
		this.started.remove();
		while (!this.started.isEmpty()) {
			runNext();
		}
		assertThat(this.served).containsExactly("a");
	}

	@Test
	void withoutMemoryForAThreadNoPlaceIsLost() {
		AtomicInteger errors = new AtomicInteger(5);
		RequestLimit failing = new RequestLimit((task) -> {
			if (errors.getAndDecrement() > 0) {
				throw new OutOfMemoryError("By the test");
			}
			this.started.add(task);
		}, 2, 100);
		for (int i = 0; i < 5; i++) {
			assertThatExceptionOfType(OutOfMemoryError.class)
				.isThrownBy(() -> failing.execute(() -> this.served.add("lost")));
		}
		failing.execute(() -> this.served.add("a"));
		failing.execute(() -> this.served.add("b"));
		assertThat(this.started).hasSize(2);
		runNext();
		runNext();
		assertThat(this.served).containsExactly("a", "b");
	}

	@Test
	void aTaskThatWaitedKeepsItsTurnWhenThereIsNoMemoryForItsThread() {
		AtomicBoolean failing = new AtomicBoolean();
		RequestLimit limit = new RequestLimit((task) -> {
			if (failing.get()) {
				throw new OutOfMemoryError("By the test");
			}
			this.started.add(task);
		}, 1, 100);
		limit.execute(() -> this.served.add("a"));
		failing.set(true);
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> limit.execute(() -> this.served.add("b")));
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(this::runNext);
		failing.set(false);
		limit.execute(() -> this.served.add("c"));
		while (!this.started.isEmpty()) {
			runNext();
		}
		assertThat(this.served).containsExactly("a", "b", "c");
	}

	@Test
	void whereThereIsNoMemoryForOneMoreTheNextOneStartsWhenAnotherEnds() {
		RequestLimit limit = new RequestLimit(this.started::add, 2, 3);
		for (String name : List.of("a", "b", "c", "d", "e")) {
			limit.execute(() -> this.served.add(name));
		}
		Runnable first = this.started.remove();
		this.started.remove();
		runNext();
		assertThat(this.started).as("the third request").hasSize(1);
		first.run();
		assertThat(this.started).as("and the next turn").hasSize(2);
		while (!this.started.isEmpty()) {
			runNext();
		}
		assertThat(this.served).containsExactly("a", "c", "d", "e");
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3, 5, 100 })
	void noneIsForgottenWhenManyComeAtOnce(int most) throws Exception {
		int count = 10_000;
		CountDownLatch done = new CountDownLatch(count);
		ExecutorService threads = Executors.newFixedThreadPool(16);
		ExecutorService clients = Executors.newFixedThreadPool(4);
		try {
			RequestLimit shared = new RequestLimit(threads, 3, most);
			for (int client = 0; client < 4; client++) {
				clients.execute(() -> {
					for (int i = 0; i < count / 4; i++) {
						shared.execute(done::countDown);
					}
				});
			}
			assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
		}
		finally {
			clients.shutdownNow();
			threads.shutdownNow();
		}
	}

	private void request(String... names) {
		for (String name : names) {
			this.limit.execute(() -> this.served.add(name));
		}
	}

	private void runNext() {
		this.started.remove().run();
	}

}
