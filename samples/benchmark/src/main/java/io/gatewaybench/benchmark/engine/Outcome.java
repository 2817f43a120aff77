package io.gatewaybench.benchmark.engine;

/**
 * What can become of a request that does not end right.
 */
enum Outcome {

	HTTP_ERROR, TIMEOUT, REFUSED, RESET, WRONG_BODY, ABORTED

}
