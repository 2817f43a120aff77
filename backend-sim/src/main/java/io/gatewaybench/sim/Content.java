package io.gatewaybench.sim;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * The source of an endpoint's response bodies.
 */
interface Content {

	/**
	 * Makes the body of one response.
	 * @param request body of the request, empty if there is none; stays the caller's
	 * @param allocator where the memory comes from
	 * @return the body, the caller's to release
	 * @throws BadRequestException if the request's body can't be used
	 */
	ByteBuf body(ByteBuf request, ByteBufAllocator allocator) throws BadRequestException;

	/**
	 * Gives back what is held between requests.
	 */
	default void release() {
	}

	/**
	 * The request's body can't be used; the detail is for the client.
	 */
	final class BadRequestException extends Exception {

		private final String detail;

		BadRequestException(String detail) {
			super(detail);
			this.detail = detail;
		}

		String detail() {
			return this.detail;
		}

	}

}
