package io.gatewaybench.internal.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BoundedCacheTests {

	@Test
	void aNameKeepsItsValue() {
		BoundedCache<Object> cache = new BoundedCache<>("names", new Semaphore(2), (name) -> new Object());

		assertThat(cache.get("a")).isSameAs(cache.get("a")).isNotSameAs(cache.get("b"));
	}

	@Test
	void namesWithoutRoomShareAValueThatIsOnlyCreatedForThem() {
		Set<String> created = ConcurrentHashMap.newKeySet();
		BoundedCache<String> cache = new BoundedCache<>("names", new Semaphore(2), (name) -> {
			created.add(name);
			return name;
		});
		cache.get("a");
		cache.get("b");
		assertThat(created).containsExactlyInAnyOrder("a", "b");

		assertThat(cache.get("c")).isEqualTo(BoundedCache.OVERFLOW).isSameAs(cache.get("d"));
		assertThat(cache.get("a")).isEqualTo("a");
		assertThat(created).containsExactlyInAnyOrder("a", "b", BoundedCache.OVERFLOW);
	}

	@Test
	void theLoserOfARaceForANameTakesTheWinnersValueAndNoRoom() {
		Semaphore room = new Semaphore(2);
		List<BoundedCache<Object>> self = new ArrayList<>();
		List<Object> winner = new ArrayList<>();
		BoundedCache<Object> cache = new BoundedCache<>("names", room, (name) -> {
			if (winner.isEmpty()) {
				winner.add("not known yet");
				// Another thread that comes first could do just this
				winner.set(0, self.get(0).get(name));
			}
			return new Object();
		});
		self.add(cache);

		assertThat(cache.get("a")).isSameAs(winner.get(0)).isSameAs(cache.get("a"));
		assertThat(room.availablePermits()).isEqualTo(1);
	}

}
