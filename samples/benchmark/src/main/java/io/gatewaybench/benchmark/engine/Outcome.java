package io.gatewaybench.benchmark.engine;

/**
 * What can become of a request that does not end right.
 */
enum Outcome {

	HTTP_ERROR, TIMEOUT, CONNECTION_ERROR, WRONG_BODY, ABORTED

}
