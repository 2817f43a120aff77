package io.gatewaybench.samples.service;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Locale;
import java.util.Map;

import com.github.tomakehurst.wiremock.WireMockServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;

import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.getRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the gateway of P1 does to requests and responses, on both flavours.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class PublishedGatewayContract {

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final Class<?> application;

	private final String type;

	private WireMockServer first;

	private WireMockServer second;

	private ConfigurableApplicationContext gateway;

	/**
	 * A contract.
	 * @param application main class of the gateway
	 * @param type what it calls itself
	 */
	protected PublishedGatewayContract(Class<?> application, String type) {
		this.application = application;
		this.type = type;
	}

	@BeforeAll
	void start() {
		this.first = instance();
		this.second = instance();
		SpringApplication gateway = new SpringApplication(this.application);
		gateway.setDefaultProperties(Map.of("server.port", "0"));
		this.gateway = gateway.run(
				"--services.instances.service-a=" + this.first.baseUrl() + "," + this.second.baseUrl(),
				"--management.endpoints.web.exposure.include=*");
	}

	private static WireMockServer instance() {
		WireMockServer server = new WireMockServer(options().dynamicPort());
		server.stubFor(get(urlEqualTo("/api/data?q=a%20b")).willReturn(okJson("{\"a\":[1,2]}")));
		server.stubFor(get(urlEqualTo("/api/text")).willReturn(ok("no JSON")));
		server.start();
		return server;
	}

	@AfterAll
	void stop() {
		this.gateway.close();
		this.first.stop();
		this.second.stop();
	}

	@Test
	void everyEndpointMayBeExposed() throws Exception {
		assertThat(send("/actuator").body()).contains("\"beans\"").contains("\"env\"");
	}

	@Test
	void requestsTakeTurnsAndResponsesHaveTheHeadersAndTheField() throws Exception {
		for (int i = 0; i < 4; i++) {
			HttpResponse<String> response = send("/service-a/api/data?q=a%20b");
			assertThat(response.statusCode()).isEqualTo(200);
			assertThat(response.headers().firstValue("X-Gateway-Type")).contains(this.type);
			assertThat(response.headers().firstValue("X-Gateway-Instance"))
				.contains("gateway-" + this.type.toLowerCase(Locale.ROOT));
			assertThat(response.headers().firstValue("X-Served-By")).contains("Spring-Cloud-Gateway-" + this.type);
			assertThat(response.body()).matches("\\{\"a\":\\[1,2],\"_gateway\":\\{\"type\":\"" + this.type
					+ "\",\"timestamp\":\\d{13},\"processed\":true}}");
		}
		for (WireMockServer instance : new WireMockServer[] { this.first, this.second }) {
			instance.verify(2,
					getRequestedFor(urlEqualTo("/api/data?q=a%20b")).withHeader("X-Gateway-Type", equalTo(this.type)));
		}
	}

	@Test
	void whatIsNoJsonPassesUnchanged() throws Exception {
		assertThat(send("/service-a/api/text").body()).isEqualTo("no JSON");
	}

	private HttpResponse<String> send(String path) throws Exception {
		String port = this.gateway.getBean(Environment.class).getRequiredProperty("local.server.port");
		return this.client.send(HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).build(),
				BodyHandlers.ofString());
	}

}
