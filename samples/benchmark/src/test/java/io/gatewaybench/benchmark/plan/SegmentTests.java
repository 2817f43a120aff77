package io.gatewaybench.benchmark.plan;

import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class SegmentTests {

	@Test
	void everyRequestAndEveryUserBelongsToOneSegment() {
		for (int count = 1; count <= 7; count++) {
			for (int total = 0; total <= 30; total++) {
				int all = 0;
				for (int number = 1; number <= count; number++) {
					Segment segment = new Segment(number, count);
					int share = segment.share(total);
					assertThat(IntStream.range(0, total).filter(segment::has)).hasSize(share)
						.containsExactlyElementsOf(
								IntStream.range(0, share).mapToObj((index) -> (int) segment.whole(index)).toList());
					all += share;
				}
				assertThat(all).isEqualTo(total);
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "0,2", "3,2", "1,0", "1,1001", "-1,-1" })
	void aSegmentThatIsNotThereIsRefused(int number, int count) {
		assertThatIllegalArgumentException().isThrownBy(() -> new Segment(number, count))
			.withMessageContaining("segment is '" + number + "/" + count + "'");
	}

}
