package io.gatewaybench.contract;

import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import jakarta.servlet.Filter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Forms on WebMVC where a filter in front of the gateway asks for their parameters, as
 * those of Spring Security do.
 */
class WebMvcFormsTests {

	private static final String HEAD = """
			POST /service/x?q=1 HTTP/1.1\r
			Host: gateway\r
			Content-Type: application/x-www-form-urlencoded\r
			%s\r
			\r
			""";

	private static final String FORM = "a=%7e+b&c&a=2&=&%c3%a9=%C3%A9";

	private static final String CHUNKS = "%x\r\n%s\r\n0\r\n\r\n".formatted(FORM.length(), FORM);

	private static final BlockingQueue<Map<String, String>> PARAMETERS = new LinkedBlockingQueue<>();

	private static final Gateway GATEWAY = new Gateway(Application.class, Flavour.WEBMVC)
		.with("spring.cloud.gateway.server.webflux.enabled=false");

	@ParameterizedTest
	@ValueSource(strings = { "Content-Length", "Transfer-Encoding" })
	void aFormThatAFilterHasReadArrivesAsTheClientSentIt(String framing) throws Exception {
		try (RawUpstream upstream = new RawUpstream();
				RunningGateway running = GATEWAY.startWithRoute(List.of(upstream.url()))) {
			send(running, framing);
			Message request = upstream.request();
			assertThat(request.text()).isEqualTo(FORM);
			assertThat(request.target()).isEqualTo("/x?q=1");
			assertThat(request.header(framing)).isNotNull();
			assertParameters();
		}
	}

	@Test
	void aFormThatAFilterHasReadIsSentAgainToTheNextInstance() throws Exception {
		try (RawUpstream resetting = new RawUpstream();
				RawUpstream upstream = new RawUpstream();
				RunningGateway running = GATEWAY.startWithRoute(List.of(resetting.url(), upstream.url()))) {
			resetting.resetConnections();
			for (int i = 0; i < 2; i++) {
				HttpExchange.send(running.port(), request("Content-Length"));
			}
			assertThat(upstream.request().text()).isEqualTo(FORM);
		}
	}

	@Test
	void aFormOutsideTheScopeIsPrintedAnewByTheGateway() throws Exception {
		try (RawUpstream upstream = new RawUpstream();
				RunningGateway running = GATEWAY.startWithNativeRoute(upstream.url(), List.of())) {
			send(running, "Content-Length");
			assertThat(upstream.request().text()).isEqualTo("&a=%7E+b&a=2&c=&%C3%A9=%C3%A9");
			assertParameters();
		}
	}

	private static void send(RunningGateway running, String framing) throws Exception {
		assertThat(HttpExchange.send(running.port(), request(framing)).status()).isEqualTo(204);
	}

	private static String request(String framing) {
		return framing.equals("Content-Length") ? HEAD.formatted("Content-Length: " + FORM.length()) + FORM
				: HEAD.formatted("Transfer-Encoding: chunked") + CHUNKS;
	}

	private static void assertParameters() throws InterruptedException {
		assertThat(PARAMETERS.take())
			.containsExactlyInAnyOrderEntriesOf(Map.of("q", "1", "a", "~ b,2", "c", "", "\u00e9", "\u00e9"));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		FilterRegistrationBean<Filter> parametersFilter() {
			FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>((request, response, chain) -> {
				PARAMETERS.add(request.getParameterMap()
					.entrySet()
					.stream()
					.collect(Collectors.toMap(Map.Entry::getKey, (entry) -> String.join(",", entry.getValue()))));
				chain.doFilter(request, response);
			});
			registration.setOrder(-100);
			return registration;
		}

	}

}
