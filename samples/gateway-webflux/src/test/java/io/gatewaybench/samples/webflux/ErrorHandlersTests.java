package io.gatewaybench.samples.webflux;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.server.adapter.HttpWebHandlerAdapter;
import org.springframework.web.server.handler.ExceptionHandlingWebHandler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The handlers of errors are one for Spring, and each still has its turn.
 */
class ErrorHandlersTests {

	@Test
	void aHandlerOfTheApplicationComesFirstAndSpringHasOneHandlerBesidesItsOwn() throws Exception {
		try (ConfigurableApplicationContext gateway = SpringApplication.run(
				new Class<?>[] { WebFluxGateway.class, Handler.class },
				new String[] { "--spring.config.location=optional:classpath:/no-configuration/", "--server.port=0",
						"--gateway-bench.upstreams.service.instances[0]=http://127.0.0.1:9",
						"--gateway-bench.routes[0].id=service", "--gateway-bench.routes[0].path=/service/**",
						"--gateway-bench.routes[0].upstream=service" })) {
			HttpWebHandlerAdapter server = (HttpWebHandlerAdapter) gateway.getBean(HttpHandler.class);
			assertThat(((ExceptionHandlingWebHandler) server.getDelegate()).getExceptionHandlers()).hasSize(2);
			assertThat(status(gateway, "/service/own")).isEqualTo(418);
			assertThat(status(gateway, "/service/x")).isEqualTo(502);
			assertThat(status(gateway, "/nowhere")).isEqualTo(404);
		}
	}

	private static int status(ConfigurableApplicationContext gateway, String path) throws Exception {
		URI uri = URI.create("http://127.0.0.1:%s%s"
			.formatted(gateway.getEnvironment().getRequiredProperty("local.server.port"), path));
		return HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding())
			.statusCode();
	}

	@Configuration(proxyBeanMethods = false)
	static class Handler {

		@Bean
		@Order(-100)
		WebExceptionHandler applicationErrors() {
			return (exchange, error) -> {
				if (!exchange.getRequest().getPath().value().endsWith("/own")) {
					return Mono.error(error);
				}
				exchange.getResponse().setStatusCode(HttpStatus.I_AM_A_TEAPOT);
				return exchange.getResponse().setComplete();
			};
		}

	}

}
