package io.gatewaybench.sim;

import java.util.concurrent.atomic.AtomicLong;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;

/**
 * What goes wrong with some requests, counted and not drawn, so that a test knows how
 * many they are.
 *
 * @param every one of how many requests of an instance it happens to, the last one
 * @param effect what happens
 */
record Fault(int every, Effect effect) {

	@JsonCreator
	static Fault of(double every, @Nullable String answer) {
		Profile.check(every >= 1 && every <= 1_000_000 && every == Math.rint(every), "every",
				"a whole number of requests from 1 to 1000000");
		if (answer == null || !answer.matches("never|[45]\\d\\d")) {
			throw new IllegalArgumentException("answer: never, or a status from 400 to 599");
		}
		return new Fault((int) every, answer.equals("never") ? Breach.SILENCE
				: new Error(HttpResponseStatus.valueOf(Integer.parseInt(answer))));
	}

	/**
	 * What happens to a request.
	 */
	sealed interface Effect {

	}

	/**
	 * It is answered with an error at once.
	 *
	 * @param status the status
	 */
	record Error(HttpResponseStatus status) implements Effect {

	}

	/**
	 * It is not answered as most are.
	 */
	enum Breach implements Effect {

		/** It is never answered. */
		SILENCE,

		/** Its connection is reset after half of the body. */
		RESET,

		/** Its connection ends after the response, which does not say so. */
		CLOSE,

		/** It is refused before its body has come. */
		EARLY,

		/** Interim responses come before the response. */
		INTERIM

	}

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
		@Nullable Effect next() {
			if (this.fault == null) {
				return null;
			}
			return (this.requests.incrementAndGet() % this.fault.every() == 0) ? this.fault.effect() : null;
		}

	}

}
