package io.gatewaybench.webmvc;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;

import io.gatewaybench.filter.Feature;
import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.internal.exchange.Exchanges;
import io.gatewaybench.internal.exchange.Mirrors;
import io.gatewaybench.internal.filter.FeatureScope;
import io.gatewaybench.internal.filter.FilterSettings;
import io.gatewaybench.internal.filter.HeaderRules;
import io.gatewaybench.internal.filter.RequestBodies;
import io.gatewaybench.internal.filter.RequestRules;
import io.gatewaybench.internal.metrics.GatewayObservations;
import io.gatewaybench.internal.rewrite.BodyRewriter;
import io.gatewaybench.internal.rewrite.HeldMemory;
import io.gatewaybench.internal.rewrite.RewriteRules;
import io.gatewaybench.internal.rewrite.RewriteSettings;
import io.gatewaybench.internal.upstream.DeadlineTimer;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.rewrite.Engine;
import io.gatewaybench.rewrite.GatewayMetadata;
import io.gatewaybench.upstream.Upstreams;
import org.junit.jupiter.api.Test;

import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchange;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.client.MockClientHttpResponse;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class FeatureProxyExchangeTests {

	private boolean closed;

	@Test
	void aResponseThatComesAsTheRequestIsGivenUpIsClosed() {
		MockHttpServletRequest servletRequest = new MockHttpServletRequest("GET", "/");
		servletRequest.setAttribute(MvcUtils.GATEWAY_ATTRIBUTES_ATTR, new HashMap<>());
		ServerRequest served = ServerRequest.create(servletRequest, List.of());
		ProxyExchange upstream = (request) -> {
			MvcUtils.putAttribute(served, MvcUtils.CLIENT_RESPONSE_ATTR,
					new MockClientHttpResponse(body(), HttpStatus.OK));
			MvcUtils.putAttribute(served, MvcUtils.CLIENT_RESPONSE_INPUT_STREAM_ATTR, body());
			Thread.currentThread().interrupt();
			return ServerResponse.ok().build();
		};
		try (DeadlineTimer timer = new DeadlineTimer()) {
			FeatureProxyExchange exchange = new FeatureProxyExchange(upstream, () -> upstream, Duration.ZERO, Map.of(),
					settings(), new Upstreams(List.of()),
					new Exchanges(GatewayMetrics.disabled(), GatewayObservations.OFF, timer), Mirrors.NONE,
					Runnable::run, Map.of());
			ProxyExchange.Request request = upstream.request(served)
				.method(HttpMethod.GET)
				.headers(new HttpHeaders())
				.uri(URI.create("http://127.0.0.1:1/x"))
				.build();
			assertThatExceptionOfType(CancellationException.class).isThrownBy(() -> exchange.exchange(request));
		}
		finally {
			Thread.interrupted();
		}
		assertThat(this.closed).isTrue();
	}

	private static FilterSettings settings() {
		return new FilterSettings(new FeatureScope(RouteFeatures.of(EnumSet.of(Feature.METRICS), 0), true),
				HeaderRules.of(Map.of()), HeaderRules.of(Map.of()),
				BodyRewriter
					.of(new RewriteSettings("_gateway", Engine.SPLICE, 1000, GatewayMetadata.of("WebMVC", () -> 1))),
				RewriteRules.of(List.of()), new RequestRules(false), Duration.ZERO,
				new RequestBodies(HeldMemory.of(0), 1));
	}

	private InputStream body() {
		return new ByteArrayInputStream(new byte[0]) {

			@Override
			public void close() {
				FeatureProxyExchangeTests.this.closed = true;
			}

		};
	}

}
