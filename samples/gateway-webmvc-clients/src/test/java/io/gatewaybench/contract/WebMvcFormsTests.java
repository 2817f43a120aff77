package io.gatewaybench.contract;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.gatewaybench.Flavour;
import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import jakarta.servlet.Filter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Forms on WebMVC where a filter in front of the gateway asks for their parameters, as
 * those of Spring Security do.
 */
@ExtendWith(OutputCaptureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
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

	private static final Gateway GATEWAY = new Gateway(Application.class, Flavour.WEBMVC);

	private RawUpstream upstream;

	private RunningGateway running;

	@BeforeAll
	void start() throws IOException {
		this.upstream = new RawUpstream();
		this.running = GATEWAY.startWithRoute(List.of(this.upstream.url()));
	}

	@AfterAll
	void stop() throws IOException {
		this.running.close();
		this.upstream.close();
	}

	@BeforeEach
	void startOver() throws IOException {
		this.upstream.startOver();
		PARAMETERS.clear();
	}

	@ParameterizedTest
	@ValueSource(strings = { "Content-Length", "Transfer-Encoding" })
	void aFormThatAFilterHasReadArrivesAsTheClientSentIt(String framing) throws Exception {
		send(this.running, framing);
		Message request = this.upstream.request();
		assertThat(request.text()).isEqualTo(FORM);
		assertThat(request.target()).isEqualTo("/x?q=1");
		assertThat(request.header(framing)).isNotNull();
		assertParameters();
	}

	@Test
	void aFormThatAFilterHasReadIsSentAgainToTheNextInstance() throws Exception {
		try (ClosedPort closed = new ClosedPort();
				RunningGateway running = GATEWAY.startWithRoute(List.of(closed.url(), this.upstream.url()))) {
			for (int i = 0; i < 2; i++) {
				assertThat(HttpExchange.send(running.port(), request("Content-Length")).status()).isEqualTo(204);
				assertThat(this.upstream.request().text()).isEqualTo(FORM);
			}
		}
	}

	@Test
	void aFormOutsideTheScopeIsPrintedAnewByTheGateway() throws Exception {
		try (RunningGateway running = GATEWAY.startWithNativeRoute(this.upstream.url(), List.of())) {
			send(running, "Content-Length");
			assertThat(this.upstream.request().text()).isEqualTo("&a=%7E+b&a=2&c=&%C3%A9=%C3%A9");
			assertParameters();
		}
	}

	/**
	 * As Tomcat does.
	 */
	@ParameterizedTest
	@MethodSource
	void aFormWithoutParametersToTellIsRefusedAsTheContainerDoes(String target, String form, int status,
			CapturedOutput output) throws Exception {
		int started = output.length();
		for (String framing : List.of("Content-Length: " + form.length() + "\r\n\r\n",
				"Transfer-Encoding: chunked\r\n\r\n%x\r\n".formatted(form.length()))) {
			String end = framing.startsWith("Transfer") ? "\r\n0\r\n\r\n" : "";
			Message response = HttpExchange.send(this.running.port(),
					"POST " + target + " HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n"
							+ "Content-Type: application/x-www-form-urlencoded\r\n" + framing + form + end);
			assertThat(response.status()).isEqualTo(status);
		}
		assertThat(this.upstream.acceptedConnections()).isZero();
		assertThat(output.toString().substring(started)).doesNotContain("ERROR", " WARN ");
	}

	static Stream<Arguments> aFormWithoutParametersToTellIsRefusedAsTheContainerDoes() {
		return Stream.of(arguments("/service/x", "a=%zz", 400), arguments("/service/x", "a=%1", 400),
				arguments("/service/x", "a=%", 400), arguments("/service/x", "a=%ff", 400),
				arguments("/service/x?a=%zz", "", 400), arguments("/service/x", "a=1&".repeat(1001), 400),
				arguments("/service/x?b", "a=1&".repeat(1000), 400),
				arguments("/service/x", "a&".repeat(1_000_000), 400),
				arguments("/service/x", "a".repeat(2 * 1024 * 1024 + 1), 413));
	}

	@Test
	void asManyParametersAsTheContainerTakesArrive() throws Exception {
		String form = "&" + "a&".repeat(1000);
		HttpExchange.send(this.running.port(),
				HEAD.replace("?q=1", "").formatted("Content-Length: " + form.length()) + form);
		assertThat(this.upstream.request().text()).isEqualTo(form);
		assertThat(PARAMETERS.take().get("a")).hasSize(999);
	}

	@Test
	void aFormThatItsClientBreaksOffIsNoErrorOfTheGateway(CapturedOutput output) throws Exception {
		try (Socket client = new Socket(InetAddress.getLoopbackAddress(), this.running.port())) {
			int started = output.length();
			client.getOutputStream()
				.write((HEAD.formatted("Content-Length: 100") + "a=1").getBytes(StandardCharsets.US_ASCII));
			client.shutdownOutput();
			client.getInputStream().readAllBytes();
			assertThat(this.upstream.acceptedConnections()).isZero();
			assertThat(output.toString().substring(started)).doesNotContain("ERROR", " WARN ");
		}
	}

	@Test
	void aMalformedQueryThatARouteAsksForIsABadRequest() throws Exception {
		try (RunningGateway running = GATEWAY.startWithNativeRoute(this.upstream.url(), List.of(),
				GATEWAY.nativePrefix() + ".routes[0].predicates[1]=Query=a", "without-parameters-filter=true")) {
			assertThat(HttpExchange
				.send(running.port(),
						"POST /service/x?a=%zz HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n"
								+ "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\na=1")
				.status()).isEqualTo(400);
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
		@ConditionalOnProperty(name = "without-parameters-filter", matchIfMissing = true, havingValue = "false")
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
