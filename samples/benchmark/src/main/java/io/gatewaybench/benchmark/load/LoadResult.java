package io.gatewaybench.benchmark.load;

import java.util.List;

/**
 * What was measured in one session: the content of {@code load.json}.
 *
 * @param stages the stages; of those that began only the last one may be cut short
 */
public record LoadResult(List<StageResult> stages) {
}
