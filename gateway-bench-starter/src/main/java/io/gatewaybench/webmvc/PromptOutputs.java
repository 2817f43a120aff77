package io.gatewaybench.webmvc;

import java.io.OutputStream;
import java.util.concurrent.Executor;

import io.gatewaybench.internal.upstream.DeadlineTimer;

/**
 * Makes outputs that send on what they have got when the upstream pauses.
 *
 * @param timer what tells that the upstream pauses
 * @param executor what flushes; it may take as long as the client
 */
record PromptOutputs(DeadlineTimer timer, Executor executor) {

	PromptOutput of(OutputStream out, long length) {
		return new PromptOutput(out, length, this.timer, this.executor);
	}

}
