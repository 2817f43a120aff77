package io.gatewaybench.samples.service;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;

/**
 * Somebody to register.
 *
 * @param firstName first name, 1 to 100 characters and not only white space
 * @param lastName last name, 1 to 100 characters and not only white space
 */
public record Person(@NotBlank(message = BLANK) @Size(max = 100, message = LONG) String firstName,
		@NotBlank(message = BLANK) @Size(max = 100, message = LONG) String lastName) {

	// The messages of the validator follow the language of the client on WebMVC and that
	// of the machine on WebFlux
	private static final String BLANK = "must not be blank";

	private static final String LONG = "must not be longer than 100 characters";

}
