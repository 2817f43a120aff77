package io.gatewaybench.upstream;

import org.jspecify.annotations.Nullable;

import org.springframework.web.server.ResponseStatusException;

/**
 * A request could not be answered by its upstream. It passes through the filters of the
 * route like any other exception; unless one of them handles it, the client gets
 * {@link UpstreamFailure#problem()}.
 *
 * @since 0.1.0
 */
public final class UpstreamException extends ResponseStatusException {

	private static final long serialVersionUID = 1L;

	/** What happened. */
	private final UpstreamFailure failure;

	/**
	 * Create the exception.
	 * @param failure what happened
	 * @param cause what the client of the upstream threw, if anything
	 */
	public UpstreamException(UpstreamFailure failure, @Nullable Throwable cause) {
		this(failure, failure.detail(), cause);
	}

	UpstreamException(UpstreamFailure failure, String reason, @Nullable Throwable cause) {
		super(failure.status(), reason, cause);
		this.failure = failure;
	}

	/**
	 * Create the exception for a response that came to an end too early.
	 * @param cause how it ended
	 * @return the cause, if that is an exception of this type, or an exception with it
	 */
	public static UpstreamException broken(Throwable cause) {
		if (cause instanceof UpstreamException known) {
			return known;
		}
		UpstreamFailure failure = UpstreamFailure.of(cause);
		return new UpstreamException((failure != null) ? failure : UpstreamFailure.BROKEN, cause);
	}

	/**
	 * What happened.
	 * @return the failure
	 */
	public UpstreamFailure failure() {
		return this.failure;
	}

}
