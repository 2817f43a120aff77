package io.gatewaybench.samples.service.webmvc;

import io.gatewaybench.samples.service.Person;
import io.gatewaybench.samples.service.Problems;
import io.gatewaybench.samples.service.Registration;
import io.gatewaybench.samples.service.ServicesProperties;
import jakarta.validation.Valid;

import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;

/**
 * The service of P4.
 */
@RestController
final class PersonController {

	private final RestClient registrations;

	PersonController(RestClient.Builder builder, ClientHttpRequestFactory apacheClient, ServicesProperties services) {
		this.registrations = builder.requestFactory(apacheClient).baseUrl(services.registration().url()).build();
	}

	@PostMapping(path = "/persons", consumes = MediaType.APPLICATION_JSON_VALUE)
	ResponseEntity<Registration> register(@Valid @RequestBody Person person) {
		Registration registration = this.registrations.post()
			.uri("/registrations")
			.contentType(MediaType.APPLICATION_JSON)
			.body(person)
			.retrieve()
			.body(Registration.class);
		if (registration == null) {
			throw new RestClientException("The registration service answers with no body");
		}
		return ResponseEntity.created(registration.location()).body(registration);
	}

	// In the same class as the next one, as Spring then looks for the exception before
	// its cause: an answer of the service that cannot be read is not the client's fault
	@ExceptionHandler
	ProblemDetail registrationFailed(RestClientException ex) {
		return Problems.downstreamFailed(ex);
	}

	@ExceptionHandler(HttpMessageNotReadableException.class)
	ProblemDetail noPerson() {
		return Problems.noPerson();
	}

	@ExceptionHandler
	ProblemDetail invalidPerson(MethodArgumentNotValidException ex) {
		return Problems.invalidPerson(ex);
	}

}
