package io.gatewaybench.metrics;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.Flavour;
import io.gatewaybench.internal.metrics.CsvMetrics;
import io.gatewaybench.internal.metrics.CsvSettings;
import org.apache.commons.logging.LogFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class GatewayMetricsTests {

	@Test
	void disabledMetricsAreSharedAndTakeEverything() {
		GatewayMetrics metrics = GatewayMetrics.disabled();
		metrics.request("any", 200, true, 1);
		metrics.upstream("any", "any", 200);
		metrics.rewrite("any");
		metrics.close();

		assertThat(metrics).isSameAs(GatewayMetrics.disabled());
	}

	@Test
	void aCompositePassesEverythingOnInOrder() {
		List<String> calls = new ArrayList<>();

		GatewayMetrics composite = GatewayMetrics
			.composite(List.of(new Recording("1", calls), new Recording("2", calls)));
		composite.request("orders", 503, false, 42);
		composite.upstream("service-a", "one", 204);
		composite.upstream("service-a", "one", UpstreamEvent.RETRY);
		composite.rewrite("added");
		composite.close();

		assertThat(calls).containsExactly("1 orders 503 false 42", "2 orders 503 false 42", "1 service-a one 204",
				"2 service-a one 204", "1: RETRY of service-a at one", "2: RETRY of service-a at one", "1 added",
				"2 added", "1 closed", "2 closed");
	}

	@Test
	void aCompositeOfNothingIsDisabled() {
		assertThat(GatewayMetrics.composite(List.of())).isSameAs(GatewayMetrics.disabled());
		assertThat(GatewayMetrics.composite(List.of(GatewayMetrics.disabled()))).isSameAs(GatewayMetrics.disabled());
	}

	@Test
	void metricsThatFailStopNeitherTheCallerNorTheOthers() {
		List<String> calls = new ArrayList<>();
		GatewayMetrics composite = GatewayMetrics.composite(List.of(new Failing(), new Recording("2", calls)));

		composite.request("orders", 503, false, 42);
		composite.upstream("service-a", "one", 204);
		composite.upstream("service-a", "one", UpstreamEvent.RETRY);
		composite.rewrite("added");
		composite.close();

		assertThat(calls).containsExactly("2 orders 503 false 42", "2 service-a one 204",
				"2: RETRY of service-a at one", "2 added", "2 closed");
	}

	@Test
	void everythingElseWorksWithoutMicrometer(@TempDir Path directory) throws Exception {
		URL[] onlyThese = { location(GatewayMetrics.class), location(LogFactory.class) };
		try (URLClassLoader loader = new URLClassLoader(onlyThese, ClassLoader.getPlatformClassLoader())) {
			Class<?> type = loader.loadClass(GatewayMetrics.class.getName());
			assertThat(type).isNotSameAs(GatewayMetrics.class);
			Class<?> settingsType = loader.loadClass(CsvSettings.class.getName());
			Class<?> flavourType = loader.loadClass(Flavour.class.getName());
			Object settings = settingsType.getConstructor(Path.class, Duration.class, List.class)
				.newInstance(directory, Duration.ofHours(1), List.of());
			Object csv = loader.loadClass(CsvMetrics.class.getName())
				.getMethod("start", settingsType, flavourType)
				.invoke(null, settings, flavourType.getEnumConstants()[0]);
			Object disabled = type.getMethod("disabled").invoke(null);
			Object composite = type.getMethod("composite", java.util.Collection.class)
				.invoke(null, List.of(csv, disabled, csv));
			type.getMethod("request", String.class, int.class, boolean.class, long.class)
				.invoke(composite, "orders", 200, true, 1L);
			type.getMethod("close").invoke(composite);

			assertThat(directory).isNotEmptyDirectory();
			Class<?> micrometer = loader.loadClass("io.gatewaybench.internal.metrics.MicrometerMetrics");
			assertThatExceptionOfType(NoClassDefFoundError.class).isThrownBy(micrometer::getMethods)
				.withMessageContaining("io/micrometer");
		}
	}

	private static URL location(Class<?> type) {
		return type.getProtectionDomain().getCodeSource().getLocation();
	}

	private record Recording(String name, List<String> calls) implements GatewayMetrics {

		@Override
		public void request(String route, int status, boolean completed, long durationNanos) {
			this.calls.add(this.name + " " + route + " " + status + " " + completed + " " + durationNanos);
		}

		@Override
		public void upstream(String upstream, String instance, int status) {
			this.calls.add(this.name + " " + upstream + " " + instance + " " + status);
		}

		@Override
		public void upstream(String upstream, String instance, UpstreamEvent event) {
			this.calls.add("%s: %s of %s at %s".formatted(this.name, event, upstream, instance));
		}

		@Override
		public void rewrite(String outcome) {
			this.calls.add(this.name + " " + outcome);
		}

		@Override
		public void close() {
			this.calls.add(this.name + " closed");
		}

	}

	private static final class Failing implements GatewayMetrics {

		@Override
		public void request(String route, int status, boolean completed, long durationNanos) {
			throw new IllegalStateException("request");
		}

		@Override
		public void upstream(String upstream, String instance, int status) {
			throw new NoSuchMethodError("upstream");
		}

		@Override
		public void upstream(String upstream, String instance, UpstreamEvent event) {
			throw new IllegalStateException("event");
		}

		@Override
		public void rewrite(String outcome) {
			throw new IllegalStateException("rewrite");
		}

		@Override
		public void close() {
			throw new IllegalStateException("close");
		}

	}

}
