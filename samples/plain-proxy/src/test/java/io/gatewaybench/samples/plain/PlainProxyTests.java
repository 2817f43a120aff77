package io.gatewaybench.samples.plain;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;

import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.netty.DisposableServer;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig;
import static org.assertj.core.api.Assertions.assertThat;

class PlainProxyTests {

	@RegisterExtension
	static final WireMockExtension upstream = WireMockExtension.newInstance()
		.options(wireMockConfig().dynamicPort())
		.build();

	@Test
	void theProxyOnReactorNettyPassesRequestsToItsServicesAndNoOthers() throws Exception {
		DisposableServer server = NettyProxy.start("127.0.0.1", 0, services());
		try {
			check(server.port());
		}
		finally {
			server.disposeNow();
		}
	}

	@Test
	void theProxyOnTomcatPassesRequestsToItsServicesAndNoOthers() throws Exception {
		Tomcat tomcat = TomcatProxy.start("127.0.0.1", 0, services());
		try {
			check(tomcat.getConnector().getLocalPort());
		}
		finally {
			tomcat.stop();
			tomcat.destroy();
		}
	}

	private static Map<String, String> services() {
		return Map.of("service-a", upstream.baseUrl());
	}

	private static void check(int port) throws Exception {
		String body = "x".repeat(100_000);
		upstream.stubFor(get("/api/data?x=1").withHeader("X-Sent", equalTo("here"))
			.willReturn(aResponse().withHeader("X-Received", "there").withBody(body)));
		upstream.stubFor(post("/api/process").withRequestBody(equalTo(body)).willReturn(aResponse().withStatus(201)));
		HttpClient client = HttpClient.newHttpClient();
		URI url = URI.create("http://127.0.0.1:" + port + "/service-a/api/");
		HttpResponse<String> got = client.send(
				HttpRequest.newBuilder(url.resolve("data?x=1")).header("X-Sent", "here").build(),
				BodyHandlers.ofString());
		assertThat(got.body()).isEqualTo(body);
		assertThat(got.headers().firstValue("X-Received")).contains("there");
		HttpResponse<String> posted = client.send(
				HttpRequest.newBuilder(url.resolve("process")).POST(BodyPublishers.ofString(body)).build(),
				BodyHandlers.ofString());
		assertThat(posted.statusCode()).isEqualTo(201);
		HttpResponse<String> unknown = client.send(HttpRequest.newBuilder(url.resolve("/service-x/api/data")).build(),
				BodyHandlers.ofString());
		assertThat(unknown.statusCode()).isEqualTo(404);
	}

}
