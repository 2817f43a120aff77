package io.gatewaybench.samples.service.webflux;

import java.net.http.HttpClient;
import java.util.Objects;

import io.gatewaybench.samples.service.Problems;
import io.gatewaybench.samples.service.ServicesProperties;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.hibernate.validator.constraints.Range;
import reactor.core.publisher.Mono;

import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.http.ProblemDetail;
import org.springframework.http.client.reactive.HttpComponentsClientHttpConnector;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientException;
import org.springframework.web.server.ServerWebInputException;

/**
 * The proxies of P5 on WebFlux.
 */
@RestController
final class UserController {

	private final WebClient reactorClient;

	private final WebClient javaClient;

	private final WebClient apacheClient;

	UserController(WebClient.Builder builder, HttpClient javaClient, CloseableHttpAsyncClient apacheAsyncClient,
			HttpClientSettings settings, ServicesProperties services) {
		JdkClientHttpConnector javaConnector = new JdkClientHttpConnector(javaClient);
		javaConnector.setReadTimeout(
				Objects.requireNonNull(settings.readTimeout(), "spring.http.clients.read-timeout is needed"));
		builder.baseUrl(services.user().url());
		this.reactorClient = builder.build();
		this.javaClient = builder.clientConnector(javaConnector).build();
		this.apacheClient = builder.clientConnector(new HttpComponentsClientHttpConnector(apacheAsyncClient)).build();
	}

	@GetMapping("/webflux-webclient")
	Mono<String> webClient(@RequestParam @Range(max = Problems.MAX_DELAY) int delay) {
		return user(this.reactorClient, delay).map((user) -> "webflux-webclient: " + user);
	}

	@GetMapping("/webflux-java-http-client")
	Mono<String> javaHttpClient(@RequestParam @Range(max = Problems.MAX_DELAY) int delay) {
		return user(this.javaClient, delay).map((user) -> "webflux-java-http-client: " + user);
	}

	@GetMapping("/webflux-apache-client")
	Mono<String> apacheClient(@RequestParam @Range(max = Problems.MAX_DELAY) int delay) {
		return user(this.apacheClient, delay).map((user) -> "webflux-apache-client: " + user);
	}

	@ExceptionHandler
	ProblemDetail userFailed(WebClientException ex) {
		return Problems.downstreamFailed(ex);
	}

	@ExceptionHandler({ ServerWebInputException.class, HandlerMethodValidationException.class })
	ProblemDetail wrongDelay() {
		return Problems.wrongDelay();
	}

	private static Mono<String> user(WebClient client, int delay) {
		return client.get().uri("/user?delay={delay}", delay).retrieve().bodyToMono(String.class).defaultIfEmpty("");
	}

}
