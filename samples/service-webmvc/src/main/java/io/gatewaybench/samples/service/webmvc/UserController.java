package io.gatewaybench.samples.service.webmvc;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.gatewaybench.samples.service.Problems;
import io.gatewaybench.samples.service.ServicesProperties;
import org.apache.hc.client5.http.async.methods.SimpleHttpResponse;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.hibernate.validator.constraints.Range;

import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;

/**
 * The proxies of P5 on WebMVC. The blocking ones are those with the JDK's client
 * ({@code /sync}) and with Apache's.
 */
@RestController
final class UserController {

	private final RestClient javaRestClient;

	private final RestClient apacheRestClient;

	private final HttpClient javaClient;

	private final CloseableHttpAsyncClient apacheAsyncClient;

	private final String url;

	private final Duration readTimeout;

	UserController(RestClient.Builder builder, ClientHttpRequestFactory apacheClient, HttpClient javaClient,
			CloseableHttpAsyncClient apacheAsyncClient, HttpClientSettings settings, ServicesProperties services) {
		this.url = services.user().url();
		this.readTimeout = Objects.requireNonNull(settings.readTimeout(), "spring.http.clients.read-timeout is needed");
		JdkClientHttpRequestFactory javaRequests = new JdkClientHttpRequestFactory(javaClient);
		javaRequests.setReadTimeout(this.readTimeout);
		builder.baseUrl(this.url);
		this.javaRestClient = builder.requestFactory(javaRequests).build();
		this.apacheRestClient = builder.requestFactory(apacheClient).build();
		this.javaClient = javaClient;
		this.apacheAsyncClient = apacheAsyncClient;
	}

	@GetMapping("/sync")
	String sync(@RequestParam @Range(max = Problems.MAX_DELAY) int delay) {
		return "sync: " + user(this.javaRestClient, delay);
	}

	@GetMapping("/sync-apache-client")
	String syncApacheClient(@RequestParam @Range(max = Problems.MAX_DELAY) int delay) {
		return "sync-apache-client: " + user(this.apacheRestClient, delay);
	}

	@GetMapping("/completable-future-java-client")
	CompletableFuture<String> completableFutureJavaClient(@RequestParam @Range(max = Problems.MAX_DELAY) int delay) {
		HttpRequest request = HttpRequest.newBuilder(userUri(delay)).timeout(this.readTimeout).build();
		return user(this.javaClient.sendAsync(request, BodyHandlers.ofString())
			.thenApply((response) -> ResponseEntity.status(response.statusCode()).body(response.body())))
			.thenApply((user) -> "completable-future-java-client: " + user);
	}

	@GetMapping("/completable-future-apache-client")
	CompletableFuture<String> completableFutureApacheClient(@RequestParam @Range(max = Problems.MAX_DELAY) int delay) {
		CompletableFuture<SimpleHttpResponse> response = new CompletableFuture<>();
		this.apacheAsyncClient.execute(SimpleRequestBuilder.get(userUri(delay)).build(), new Completion<>(response));
		return user(response.thenApply((answer) -> ResponseEntity.status(answer.getCode())
			.body(new String(answer.getBodyBytes(), StandardCharsets.UTF_8))))
			.thenApply((user) -> "completable-future-apache-client: " + user);
	}

	@ExceptionHandler
	ProblemDetail userFailed(RestClientException ex) {
		return Problems.downstreamFailed(ex);
	}

	@ExceptionHandler({ MethodArgumentTypeMismatchException.class, MissingServletRequestParameterException.class,
			HandlerMethodValidationException.class })
	ProblemDetail wrongDelay() {
		return Problems.wrongDelay();
	}

	private URI userUri(int delay) {
		return URI.create(this.url + "/user?delay=" + delay);
	}

	private static String user(RestClient client, int delay) {
		String user = client.get().uri("/user?delay={delay}", delay).retrieve().body(String.class);
		return Objects.requireNonNullElse(user, "");
	}

	private static CompletableFuture<String> user(CompletableFuture<ResponseEntity<String>> response) {
		return response.exceptionally((failure) -> {
			throw new RestClientException("The user service cannot be reached", failure);
		}).thenApply((answer) -> {
			if (!answer.getStatusCode().is2xxSuccessful()) {
				throw new RestClientException("The user service answers with " + answer.getStatusCode());
			}
			return answer.getBody();
		});
	}

	/**
	 * Completes a future with what becomes of a request.
	 */
	private record Completion<T>(CompletableFuture<T> future) implements FutureCallback<T> {

		@Override
		public void completed(T result) {
			this.future.complete(result);
		}

		@Override
		public void failed(Exception ex) {
			this.future.completeExceptionally(ex);
		}

		@Override
		public void cancelled() {
			this.future.cancel(false);
		}

	}

}
