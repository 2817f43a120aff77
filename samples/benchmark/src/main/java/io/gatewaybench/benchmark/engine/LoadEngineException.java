package io.gatewaybench.benchmark.engine;

import io.gatewaybench.benchmark.plan.LoadPlan;
import org.jspecify.annotations.Nullable;

/**
 * The engine, not the target, failed.
 */
public final class LoadEngineException extends RuntimeException {

	/**
	 * An exception.
	 * @param message what failed, and where to look
	 * @param cause why, {@code null} if the message says it all
	 */
	public LoadEngineException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

	/**
	 * What a session throws that is over.
	 * @param plan its plan
	 * @return the exception
	 */
	public static LoadEngineException over(LoadPlan plan) {
		return new LoadEngineException(
				"the session of plan '%s' is over and takes no further stage".formatted(plan.id()), null);
	}

}
