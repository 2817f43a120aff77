package io.gatewaybench.webflux;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.server.handler.ExceptionHandlingWebHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

class CombinedErrorHandlerTests {

	private static final WebExceptionHandler GIVES_UP = (exchange, error) -> Mono.error(error);

	private static final WebExceptionHandler FAILS = (exchange, error) -> Mono
		.error(new IllegalStateException("The page has an error", error));

	private static final WebExceptionHandler ANSWERS = (exchange, error) -> {
		exchange.getResponse().setStatusCode(HttpStatus.BAD_GATEWAY);
		return Mono.empty();
	};

	private final MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/"));

	private final RuntimeException error = new RuntimeException("The request failed");

	@Test
	void theFirstHandlerThatAnswersIsTheLastOneAsked() {
		List<WebExceptionHandler> handlers = new ArrayList<>(List.of(GIVES_UP, ANSWERS, FAILS));
		CombinedErrorHandler.combine(handlers);
		handlers.get(0).handle(this.exchange, this.error).block();
		assertThat(handlers).hasSize(1);
		assertThat(this.exchange.getResponse().getStatusCode()).isEqualTo(HttpStatus.BAD_GATEWAY);
		assertThat(handled()).isSameAs(this.error);
	}

	@Test
	void anErrorThatNoHandlerTakesIsPassedOn() {
		assertThatException().isThrownBy(() -> handle(GIVES_UP, GIVES_UP)).isSameAs(this.error);
		assertThatException().isThrownBy(() -> handle()).isSameAs(this.error);
	}

	@Test
	void theNextHandlerIsAskedAboutTheErrorOfTheOneBefore() {
		handle(FAILS, ANSWERS);
		assertThat((Throwable) handled()).isInstanceOf(IllegalStateException.class).hasCause(this.error);
	}

	private void handle(WebExceptionHandler... handlers) {
		new CombinedErrorHandler(List.of(handlers)).handle(this.exchange, this.error).block();
	}

	private Object handled() {
		return this.exchange.getAttribute(ExceptionHandlingWebHandler.HANDLED_WEB_EXCEPTION);
	}

}
