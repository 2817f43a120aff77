package io.gatewaybench.benchmark.load;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RequestSequencesTests {

	@Test
	void aLoadHasTheSameRequestsWhateverComesBeforeIt() {
		List<Long> whole = first(closed("warm-up 1", Stage.Kind.WARMUP), closed("warm-up 2", Stage.Kind.WARMUP),
				closed("webflux", Stage.Kind.MEASURE));
		List<Long> brief = first(closed("warm-up", Stage.Kind.WARMUP), closed("webmvc", Stage.Kind.MEASURE));
		assertThat(whole).doesNotHaveDuplicates();
		assertThat(brief).containsExactly(whole.getFirst(), whole.getLast());
		assertThat(first(closed("alone", Stage.Kind.MEASURE))).containsExactly(whole.getLast());
	}

	@Test
	void theSameLoadTwiceAndAnotherLoadHaveOtherRequests() {
		assertThat(first(open(100), open(100), open(200), Plans.on(2, open(100)))).doesNotHaveDuplicates();
	}

	@Test
	void anotherSeedHasOtherRequests() {
		assertThat(new RequestSequences(1).next(open(100)).nextLong())
			.isNotEqualTo(new RequestSequences(2).next(open(100)).nextLong());
	}

	private static List<Long> first(Stage... stages) {
		RequestSequences sequences = new RequestSequences(42);
		return Stream.of(stages).map((stage) -> sequences.next(stage).nextLong()).toList();
	}

	private static Stage closed(String name, Stage.Kind kind) {
		return Stage.closed(name, kind, Duration.ofMillis(10));
	}

	private static Stage open(double rate) {
		return new Stage("open", Stage.Kind.MEASURE, Duration.ofMillis(10), rate, Arrivals.CONSTANT);
	}

}
