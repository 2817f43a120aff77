package io.gatewaybench.contract;

import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import org.awaitility.Awaitility;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Spans that a gateway has exported, by the bridge to OpenTelemetry.
 *
 * @param spans the spans in the order of their start
 */
record Traces(List<SpanData> spans) {

	static final String ON = "spring.main.sources=" + OpenTelemetry.class.getName();

	/**
	 * Wait for the end of a number of requests, and of all that belongs to them.
	 */
	static Traces await(RunningGateway running, int requests) {
		InMemorySpanExporter exporter = running.context().getBean(InMemorySpanExporter.class);
		Awaitility.await().untilAsserted(() -> {
			List<SpanData> ended = exporter.getFinishedSpanItems();
			List<String> ids = ended.stream().map(SpanData::getSpanId).toList();
			assertThat(ended).filteredOn((span) -> span.getKind() == SpanKind.SERVER).hasSize(requests);
			assertThat(ended).filteredOn((span) -> span.getKind() != SpanKind.SERVER)
				.allSatisfy((span) -> assertThat(ids).contains(span.getParentSpanId()));
		});
		return new Traces(exporter.getFinishedSpanItems());
	}

	/**
	 * The spans below a span, each with its kind, tags and status, those inside it
	 * indented.
	 */
	String describe(SpanData parent) {
		return this.spans.stream()
			.filter((span) -> span.getParentSpanId().equals(parent.getSpanId()))
			.sorted((one, other) -> Long.compare(one.getStartEpochNanos(), other.getStartEpochNanos()))
			.map((span) -> text(span) + describe(span).indent(2))
			.collect(Collectors.joining());
	}

	String describe() {
		return this.spans.stream()
			.filter((span) -> span.getKind() == SpanKind.SERVER)
			.map(this::describe)
			.collect(Collectors.joining());
	}

	SpanData attempt(int index) {
		return attempts().get(index);
	}

	List<SpanData> attempts() {
		return this.spans.stream()
			.filter((span) -> span.getKind() == SpanKind.CLIENT)
			.sorted((one, other) -> Long.compare(one.getStartEpochNanos(), other.getStartEpochNanos()))
			.toList();
	}

	private static String text(SpanData span) {
		TreeMap<String, String> tags = new TreeMap<>();
		span.getAttributes().forEach((key, value) -> tags.put(key.getKey(), String.valueOf(value)));
		return "%s %s %s %s%n".formatted(span.getName(), span.getKind().name().toLowerCase(Locale.ROOT),
				span.getStatus().getStatusCode(), tags);
	}

	/**
	 * As Spring Boot sets it up where its module for tracing is on the class path.
	 */
	@Configuration(proxyBeanMethods = false)
	static class OpenTelemetry {

		@Bean
		InMemorySpanExporter spanExporter() {
			return InMemorySpanExporter.create();
		}

		@Bean
		ObservationHandler<Observation.Context> tracing(InMemorySpanExporter exporter) {
			SdkTracerProvider provider = SdkTracerProvider.builder()
				.addSpanProcessor(SimpleSpanProcessor.create(exporter))
				.build();
			ContextPropagators propagators = ContextPropagators.create(W3CTraceContextPropagator.getInstance());
			OpenTelemetrySdk telemetry = OpenTelemetrySdk.builder()
				.setTracerProvider(provider)
				.setPropagators(propagators)
				.build();
			io.opentelemetry.api.trace.Tracer tracer = telemetry.getTracer("contract");
			Tracer bridge = new OtelTracer(tracer, new OtelCurrentTraceContext(), (event) -> {
			});
			OtelPropagator propagator = new OtelPropagator(propagators, tracer);
			return new ObservationHandler.FirstMatchingCompositeObservationHandler(
					new PropagatingReceiverTracingObservationHandler<>(bridge, propagator),
					new PropagatingSenderTracingObservationHandler<>(bridge, propagator),
					new DefaultTracingObservationHandler(bridge));
		}

	}

}
