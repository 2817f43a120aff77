package io.gatewaybench.contract;

import java.io.IOException;
import java.util.List;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.multipart.support.MultipartFilter;
import org.springframework.web.util.ContentCachingRequestWrapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications on WebMVC that read uploads themselves, or read what is for an upstream.
 */
class WebMvcPartsTests {

	private static final String UPLOAD = """
			--b\r
			Content-Disposition: form-data; name="title"\r
			\r
			a title\r
			--b\r
			Content-Disposition: form-data; name="file"; filename="f.txt"\r
			\r
			content\r
			--b--\r
			""";

	private static final String FORM = "a=1&b=2";

	private static final Gateway GATEWAY = new Gateway(Application.class, Flavour.WEBMVC)
		.with("spring.servlet.multipart.enabled=true");

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aControllerOfTheApplicationGetsItsParts(boolean parametersAreAskedForBefore) throws Exception {
		try (RawUpstream upstream = new RawUpstream();
				RunningGateway running = GATEWAY.startWithRoute(List.of(upstream.url()),
						"spring.mvc.hiddenmethod.filter.enabled=" + parametersAreAskedForBefore)) {
			assertThat(upload(running, "POST /own?q=1", "multipart/form-data; boundary=b", UPLOAD, true).text())
				.isEqualTo("1, a title, content");
		}
	}

	@ParameterizedTest
	@CsvSource({ "parts, true", "parts, false", "log, true", "log, false", "read, true", "read, false" })
	void aBodyThatWasReadBeforeIsNeverSentInPart(String reader, boolean chunked) throws Exception {
		try (RawUpstream upstream = new RawUpstream();
				RunningGateway running = GATEWAY.startWithRoute(List.of(upstream.url()), "reader=" + reader)) {
			Message response = upload(running, "POST /service/x", "multipart/form-data; boundary=b", UPLOAD, chunked);
			assertThat(response.status()).isEqualTo(500);
			assertThat(response.text()).contains("has read the body of the request");
			assertThat(upstream.acceptedConnections()).isZero();
		}
	}

	/**
	 * Tomcat can be told to look for parameters in the bodies of other methods than POST.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aFormThatTheContainerHasReadIsNeverSentEmpty(boolean chunked) throws Exception {
		try (RawUpstream upstream = new RawUpstream();
				RunningGateway running = GATEWAY.startWithRoute(List.of(upstream.url()), "reader=parameters",
						"spring.mvc.formcontent.filter.enabled=false")) {
			Message response = upload(running, "PUT /service/x", "application/x-www-form-urlencoded", FORM, chunked);
			assertThat(response.status()).isEqualTo(500);
			assertThat(response.text()).contains("has read the body of the request");
			assertThat(upstream.acceptedConnections()).isZero();
		}
	}

	/**
	 * Spring's filter reads it, where the container does not.
	 */
	@Test
	void aFormOfAnotherMethodThatAFilterHasReadArrives() throws Exception {
		try (RawUpstream upstream = new RawUpstream();
				RunningGateway running = GATEWAY.startWithRoute(List.of(upstream.url()), "reader=parameters")) {
			assertThat(upload(running, "PUT /service/x", "application/x-www-form-urlencoded", FORM, true).status())
				.isEqualTo(204);
			assertThat(upstream.request().text()).isEqualTo(FORM);
		}
	}

	@Test
	void aWrapperThatKeepsTheBodyForALogPassesIt() throws Exception {
		try (RawUpstream upstream = new RawUpstream();
				RunningGateway running = GATEWAY.startWithRoute(List.of(upstream.url()), "reader=wrap")) {
			assertThat(upload(running, "POST /service/x", "multipart/form-data; boundary=b", UPLOAD, true).status())
				.isEqualTo(204);
			assertThat(upstream.request().text()).isEqualTo(UPLOAD);
		}
	}

	private static Message upload(RunningGateway running, String target, String type, String body, boolean chunked)
			throws IOException {
		String framing = chunked ? "Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n"
				: "Content-Length: %d\r\n\r\n%s";
		return HttpExchange.send(running.port(),
				"%s HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\nContent-Type: %s\r\n".formatted(target, type)
						+ framing.formatted(body.length(), body));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Uploads uploads() {
			return new Uploads();
		}

		@Bean
		@ConditionalOnProperty("reader")
		FilterRegistrationBean<Filter> reader(org.springframework.core.env.Environment environment) {
			FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(
					switch (environment.getRequiredProperty("reader")) {
						case "parts" -> new MultipartFilter();
						case "log" -> (request, response, chain) -> {
							ContentCachingRequestWrapper kept = new ContentCachingRequestWrapper(
									(HttpServletRequest) request, 0);
							kept.getInputStream().readAllBytes();
							chain.doFilter(kept, response);
						};
						case "wrap" -> (request, response, chain) -> chain
							.doFilter(new ContentCachingRequestWrapper((HttpServletRequest) request, 0), response);
						case "parameters" -> (request, response, chain) -> {
							assertThat(request.getParameter("a")).isEqualTo("1");
							chain.doFilter(request, response);
						};
						default -> (request, response, chain) -> {
							request.getInputStream().readNBytes(10);
							chain.doFilter(request, response);
						};
					});
			registration.setOrder(-100);
			return registration;
		}

		@Bean
		WebServerFactoryCustomizer<TomcatServletWebServerFactory> parametersOfPut() {
			return (factory) -> factory
				.addConnectorCustomizers((connector) -> connector.setParseBodyMethods("POST,PUT"));
		}

	}

	@RestController
	static class Uploads {

		@PostMapping("/own")
		String own(@RequestParam String q, @RequestParam String title, @RequestParam MultipartFile file)
				throws IOException {
			return q + ", " + title + ", " + new String(file.getBytes());
		}

	}

}
