package io.gatewaybench.autoconfigure;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class ConfiguredNamesTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					GATEWAYBENCH_TIMEOUT_RESPONSE            | Write GATEWAYBENCH_TIMEOUTS_RESPONSE for 'gateway-bench.timeouts.response'.
					GATEWAYBENCH_HTTP_CLIENT_MAX_CONNECTIONS | Write GATEWAYBENCH_HTTPCLIENT_MAXCONNECTIONS for 'gateway-bench.http-client.max-connections'.
					GATEWAY_BENCH_UPSTREAMS_S_INSTANCES_0    | Write GATEWAYBENCH_UPSTREAMS_S_INSTANCES_0 for 'gateway-bench.upstreams.s.instances[0]'.
					GATEWAY_BENCH_UPSTREAMS_S_HEALTH_CHECK_PATH | Write GATEWAYBENCH_UPSTREAMS_S_HEALTHCHECK_PATH for 'gateway-bench.upstreams.s.health-check.path'. Names with hyphens can't be in a variable, but in SPRING_APPLICATION_JSON.
					GATEWAYBENCH_UPSTREAMS_SERVICE_A_INSTANCES_0 | There is no such property. Names with hyphens can't be in a variable, but in SPRING_APPLICATION_JSON.
					GATEWAYBENCH_NOTHING_LIKE_IT             | There is no such property.
					""")
	void aVariableThatIsNotReadIsToldWithTheRightFormAndWithoutItsValue(String variable, String text,
			CapturedOutput output) {
		check(Map.of(variable, "planted-secret"));
		assertThat(output).contains("The environment variable %s may be ignored. %s".formatted(variable, text))
			.doesNotContain("planted-secret");
	}

	@ParameterizedTest
	@CsvSource({ "GATEWAYBENCH_TIMEOUTS_RESPONSE, 5s", "GATEWAYBENCH_HTTPCLIENT_MAXCONNECTIONS, 7",
			"GATEWAY_BENCH_HTTP_CLIENT_MAX_CONNECTIONS, 7", "GATEWAYBENCH_UPSTREAMS_S_INSTANCES_0, http://host:1",
			"GATEWAYBENCH_UPSTREAMS_S_INSTANCES, http://host:1",
			"GATEWAYBENCH_UPSTREAMS_S_INSTANCES_0_URL, http://host:1", "GATEWAYBENCH_UPSTREAMS_S_HEALTHCHECK_PATH, /up",
			"GATEWAYBENCH_ROUTES_0_STRIPPREFIX, 2", "GATEWAYBENCH_HEADERS_REQUEST_XA, a",
			"GATEWAYBENCH_LOADBALANCING_EJECTION_INCLUDE5XX, true",
			"GATEWAY_BENCH_LOAD_BALANCING_EJECTION_INCLUDE5XX, true",
			"GATEWAYBENCH_BODYREWRITE_SIGNATUREHEADERS_0, X-A" })
	void aVariableThatIsReadIsNotTold(String variable, String value, CapturedOutput output) {
		StandardEnvironment environment = environment(Map.of(variable, value));
		ConfiguredNames.check(environment, Set.of());
		assertThat(output).doesNotContain("ignored");
		assertThat(Binder.get(environment).bindOrCreate("gateway-bench", GatewayBenchProperties.class)).isNotEqualTo(
				Binder.get(environment(Map.of())).bindOrCreate("gateway-bench", GatewayBenchProperties.class));
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "GATEWAY_BENCH_SERVICE_HOST", "GATEWAY_BENCH_SERVICE_PORT", "GATEWAY_BENCH_SERVICE_PORT_HTTP",
					"GATEWAY_BENCH_PORT", "GATEWAY_BENCH_PORT_8080_TCP", "GATEWAY_BENCH_PORT_8080_TCP_ADDR",
					"GATEWAY_BENCH_A_SERVICE_HOST", "GATEWAYBENCH_PORT_8080_TCP_PROTO", "GATEWAY", "HOME" })
	void aVariableOfKubernetesOrOfSomebodyElseIsNotTold(String variable, CapturedOutput output) {
		check(Map.of(variable, "tcp://10.0.0.1:8080"));
		assertThat(output).doesNotContain("ignored");
	}

	@Test
	void aSystemPropertyThatIsNotReadIsTold(CapturedOutput output) {
		StandardEnvironment environment = environment(Map.of());
		environment.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME, new MapPropertySource(
					StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME,
					Map.of("gateway-bench.timeout.response", "planted-secret", "gateway-bench.timeouts.read", "5s",
							"gateway-bench.upstreams.s.instances[0].url", "http://host:1",
							"gateway-bench.headers.request[X A]", "a", "gateway-bench.stripPrefix.parts", "1")));
		ConfiguredNames.check(environment, Set.of());
		assertThat(output)
			.containsOnlyOnce("The system property gateway-bench.timeout.response may be ignored."
					+ " Write 'gateway-bench.timeouts.response'.")
			.doesNotContain("planted-secret");
		assertThat(output.toString().split("ignored", -1)).hasSize(2);
	}

	@Test
	void everyKeyHasAVariable(CapturedOutput output) {
		for (Class<?> type : Set.of(boolean.class, int.class)) {
			KnownKeys.ofType(type).forEach((key) -> {
				String variable = String.join("_", key).replace("-", "").replace("*", "0").toUpperCase(Locale.ROOT);
				check(Map.of(variable, "1"));
			});
		}
		assertThat(output).doesNotContain("ignored");
	}

	private static void check(Map<String, Object> variables) {
		ConfiguredNames.check(environment(variables), Set.of());
	}

	private static StandardEnvironment environment(Map<String, Object> variables) {
		StandardEnvironment environment = new StandardEnvironment();
		String name = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
		environment.getPropertySources().replace(name, new SystemEnvironmentPropertySource(name, variables));
		ConfigurationPropertySources.attach(environment);
		return environment;
	}

}
