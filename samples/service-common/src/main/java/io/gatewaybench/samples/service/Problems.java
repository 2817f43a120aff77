package io.gatewaybench.samples.service;

import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.validation.BindingResult;

/**
 * What a client is told when a request fails. Spring's own words differ from flavour to
 * flavour, these do not.
 */
public final class Problems {

	/**
	 * Longest delay that a proxy takes, in milliseconds: that of the simulator.
	 */
	public static final int MAX_DELAY = 60_000;

	private Problems() {
	}

	/**
	 * The delay of a proxy is missing or cannot be had.
	 * @return a problem with the status 400
	 */
	public static ProblemDetail wrongDelay() {
		return badRequest("delay takes a whole number of milliseconds from 0 to " + MAX_DELAY);
	}

	/**
	 * The body is no JSON, or not that of a person.
	 * @return a problem with the status 400
	 */
	public static ProblemDetail noPerson() {
		return badRequest("The body takes JSON such as {\"firstName\": \"Ada\", \"lastName\": \"Lovelace\"}");
	}

	/**
	 * A person breaks a rule.
	 * @param errors what is wrong with which field
	 * @return a problem with the status 400
	 */
	public static ProblemDetail invalidPerson(BindingResult errors) {
		// Their own order is that of a hash set
		return badRequest(errors.getFieldErrors()
			.stream()
			.map((error) -> error.getField() + " " + error.getDefaultMessage())
			.sorted()
			.collect(Collectors.joining(", ")));
	}

	/**
	 * The request to a downstream service failed.
	 * @param failure what the client for it says
	 * @return a problem with the status 504 if time ran out, and else 502
	 */
	public static ProblemDetail downstreamFailed(Throwable failure) {
		return isTimeout(failure)
				? ProblemDetail.forStatusAndDetail(HttpStatus.GATEWAY_TIMEOUT,
						"The downstream service did not answer in time")
				: ProblemDetail.forStatusAndDetail(HttpStatus.BAD_GATEWAY,
						"The downstream service could not be reached or failed");
	}

	private static boolean isTimeout(Throwable failure) {
		// Each client has its own types of exceptions for this; only the ends of their
		// names are the same
		return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
			.anyMatch((cause) -> cause.getClass().getSimpleName().endsWith("TimeoutException"));
	}

	private static ProblemDetail badRequest(String detail) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, detail);
	}

}
