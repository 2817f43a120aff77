package io.gatewaybench.benchmark.engine;

import org.jspecify.annotations.Nullable;

/**
 * The engine, not the target, failed.
 */
public final class LoadEngineException extends RuntimeException {

	LoadEngineException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
