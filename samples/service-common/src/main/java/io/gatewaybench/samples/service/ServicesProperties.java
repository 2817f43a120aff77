package io.gatewaybench.samples.service;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Where the downstream services are.
 *
 * @param user Service behind the proxies of P5, with 'GET /user?delay='.
 * @param registration Service behind 'POST /persons' of P4, with 'POST /registrations'.
 */
@Validated
@ConfigurationProperties("services")
public record ServicesProperties(@Valid @DefaultValue Downstream user, @Valid @DefaultValue Downstream registration) {

	/**
	 * A downstream service.
	 *
	 * @param url Scheme, host and port of the service.
	 */
	public record Downstream(@DefaultValue("http://localhost:8081") @Pattern(regexp = "https?://[^/?#\\s]+",
			message = "expected scheme, host and port, such as http://localhost:8081") String url) {

	}

}
