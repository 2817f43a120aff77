package io.gatewaybench.samples.service.webflux;

import io.gatewaybench.samples.service.Person;
import io.gatewaybench.samples.service.Problems;
import io.gatewaybench.samples.service.Registration;
import io.gatewaybench.samples.service.ServicesProperties;
import jakarta.validation.Valid;
import reactor.core.publisher.Mono;

import org.springframework.core.codec.DecodingException;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.support.WebExchangeBindException;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientException;
import org.springframework.web.server.ServerWebInputException;

/**
 * The service of P4.
 */
@RestController
final class PersonController {

	private final WebClient registrations;

	PersonController(WebClient.Builder builder, ServicesProperties services) {
		this.registrations = builder.baseUrl(services.registration().url()).build();
	}

	@PostMapping(path = "/persons", consumes = MediaType.APPLICATION_JSON_VALUE)
	Mono<ResponseEntity<Registration>> register(@Valid @RequestBody Person person) {
		return this.registrations.post()
			.uri("/registrations")
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(person)
			.retrieve()
			.bodyToMono(Registration.class)
			.switchIfEmpty(Mono.error(() -> new DecodingException("The registration service answers with no body")))
			.map((registration) -> ResponseEntity.created(registration.location()).body(registration));
	}

	@ExceptionHandler({ WebClientException.class, DecodingException.class })
	ProblemDetail registrationFailed(Exception ex) {
		return Problems.downstreamFailed(ex);
	}

	@ExceptionHandler(ServerWebInputException.class)
	ProblemDetail noPerson() {
		return Problems.noPerson();
	}

	@ExceptionHandler
	ProblemDetail invalidPerson(WebExchangeBindException ex) {
		return Problems.invalidPerson(ex);
	}

}
