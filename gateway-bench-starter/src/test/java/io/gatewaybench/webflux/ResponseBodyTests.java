package io.gatewaybench.webflux;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;

import io.gatewaybench.filter.Feature;
import io.gatewaybench.filter.RouteFeatures;
import io.gatewaybench.internal.exchange.GatewayExchange;
import io.gatewaybench.internal.filter.FeatureScope;
import io.gatewaybench.internal.metrics.GatewayObservations;
import io.gatewaybench.internal.upstream.DeadlineTimer;
import io.gatewaybench.metrics.GatewayMetrics;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;

import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

class ResponseBodyTests {

	private final GatewayMetrics metrics = mock();

	@AutoClose
	private final DeadlineTimer timer = new DeadlineTimer();

	@ParameterizedTest
	@CsvSource({ "10, true", "11, false", "-1, false" })
	void aClientThatClosesAfterTheLastByteHasAWholeResponse(long length, boolean whole) {
		GatewayExchange exchange = new GatewayExchange(this.metrics, GatewayObservations.OFF, this.timer);
		RouteFeatures features = RouteFeatures.of(EnumSet.of(Feature.METRICS), 1);
		exchange.declare(features);
		exchange.route("orders", URI.create("http://orders"), new FeatureScope(features, false));
		TestPublisher<DataBuffer> upstream = TestPublisher.create();
		StepVerifier.create(Flux.from(ResponseBody.of(upstream, exchange.upstream().bodyBegins(null), length)))
			.then(() -> upstream.next(buffer("hello"), buffer("world")))
			.expectNextCount(2)
			.thenCancel()
			.verify();
		exchange.outcome().cancelled(exchange, 200, true);
		verify(this.metrics).request(eq("orders"), eq(200), eq(whole), anyLong());
	}

	private static DataBuffer buffer(String text) {
		return DefaultDataBufferFactory.sharedInstance.wrap(text.getBytes(StandardCharsets.US_ASCII));
	}

}
