package io.gatewaybench.autoconfigure;

import io.gatewaybench.Flavour;
import io.gatewaybench.internal.metrics.CsvMetrics;
import io.gatewaybench.internal.exchange.Mirrors;
import io.gatewaybench.internal.metrics.GatewayMeter;
import io.gatewaybench.internal.metrics.MicrometerMetrics;
import io.gatewaybench.internal.rewrite.HeldMemory;
import io.gatewaybench.internal.websocket.WebSockets;
import io.gatewaybench.metrics.CsvColumn;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.upstream.Upstreams;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.config.MeterFilter;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of metrics: a CSV file where it is asked for, and meters where there
 * is a registry. Every bean of type {@link GatewayMetrics} is called, those of the
 * application included.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = GatewayBenchAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnBean(GatewayBenchSettings.class)
@ConditionalOnBooleanProperty(name = "gateway-bench.metrics.enabled", matchIfMissing = true)
public final class GatewayBenchMetricsAutoConfiguration {

	GatewayBenchMetricsAutoConfiguration() {
	}

	@Bean
	@ConditionalOnBooleanProperty("gateway-bench.metrics.csv.enabled")
	GatewayMetrics gatewayBenchCsvMetrics(GatewayBenchSettings settings, Flavour flavour,
			ObjectProvider<CsvColumn> columns) {
		return CsvMetrics.start(settings.csv(columns.orderedStream().toList()), flavour);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	static class MicrometerConfiguration {

		@Bean
		@ConditionalOnBean(MeterRegistry.class)
		GatewayMetrics gatewayBenchMicrometerMetrics(MeterRegistry registry, Flavour flavour) {
			return MicrometerMetrics.create(registry, flavour);
		}

		@Bean
		static MeterFilter gatewayBenchStatusLimit() {
			return new StatusLimit();
		}

		@Bean
		InstanceMeters gatewayBenchInstanceMeters(Upstreams upstreams, Mirrors mirrors, WebSockets webSockets,
				Flavour flavour) {
			return new InstanceMeters(upstreams, mirrors, webSockets, flavour);
		}

		@Bean
		MeterBinder gatewayBenchHeldMemoryMeter(GatewayBenchSettings settings, Flavour flavour) {
			GatewayMeter meter = GatewayMeter.REWRITE_HELD;
			return (registry) -> Gauge.builder(meter.meterName(), settings.heldMemory(), HeldMemory::taken)
				.description(meter.description())
				.baseUnit("bytes")
				.tags(meter.tags(flavour.label()))
				.register(registry);
		}

	}

}
