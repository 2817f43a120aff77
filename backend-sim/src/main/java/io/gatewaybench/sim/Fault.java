package io.gatewaybench.sim;

import java.util.concurrent.atomic.AtomicLong;

import io.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;

/**
 * What goes wrong with some requests, counted and not drawn, so that a test knows how
 * many they are.
 *
 * @param every one of how many requests of an instance it happens to, the last one
 * @param status what is answered at once, {@code null} to never answer
 */
record Fault(int every, @Nullable HttpResponseStatus status) {

	/**
	 * Counts the requests of an instance.
	 *
	 * @param fault what goes wrong, {@code null} if nothing does
	 * @param requests how many there were
	 */
	record Counter(@Nullable Fault fault, AtomicLong requests) {

		static Counter of(@Nullable Fault fault) {
			return new Counter(fault, new AtomicLong());
		}

		/**
		 * Counts a request.
		 * @return what goes wrong with it, {@code null} if nothing does
		 */
		@Nullable Fault next() {
			if (this.fault == null) {
				return null;
			}
			return (this.requests.incrementAndGet() % this.fault.every() == 0) ? this.fault : null;
		}

	}

}
