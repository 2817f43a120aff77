package io.gatewaybench.benchmark.result;

/**
 * What a run was to answer.
 *
 * @param metric the figure
 * @param load the load, for example {@code c100}
 * @param margin what makes no difference to the user, as a part: 0.1 for 10 %
 */
public record MainQuestion(Metric metric, String load, double margin) {
}
