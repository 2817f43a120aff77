package io.gatewaybench.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an IDE shows of the properties.
 */
class ConfigurationMetadataTests {

	/**
	 * Properties that have no default, or one that depends on others.
	 */
	private static final Set<String> WITHOUT_DEFAULT = Set.of("gateway-bench.instance", "gateway-bench.upstreams",
			"gateway-bench.routes", "gateway-bench.headers.request", "gateway-bench.headers.response",
			"gateway-bench.body-rewrite.max-total-buffer-size");

	private static final List<JsonNode> properties = new ArrayList<>();

	@BeforeAll
	static void read() throws IOException {
		try (InputStream in = GatewayBenchProperties.class
			.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
			new JsonMapper().readTree(in).get("properties").forEach(properties::add);
		}
	}

	@Test
	void everyPropertyIsThereOnce() {
		assertThat(properties).extracting((property) -> property.get("name").asString())
			.containsExactlyInAnyOrder("gateway-bench.enabled", "gateway-bench.instance", "gateway-bench.scope",
					"gateway-bench.upstreams", "gateway-bench.routes", "gateway-bench.unclear-paths",
					"gateway-bench.strip-prefix.enabled", "gateway-bench.strip-prefix.parts",
					"gateway-bench.headers.enabled", "gateway-bench.headers.request", "gateway-bench.headers.response",
					"gateway-bench.body-rewrite.enabled", "gateway-bench.body-rewrite.field",
					"gateway-bench.body-rewrite.engine", "gateway-bench.body-rewrite.max-buffer-size",
					"gateway-bench.body-rewrite.max-total-buffer-size", "gateway-bench.body-rewrite.signature-headers",
					"gateway-bench.load-balancing.enabled", "gateway-bench.load-balancing.policy",
					"gateway-bench.load-balancing.lookup-interval", "gateway-bench.load-balancing.ejection.enabled",
					"gateway-bench.load-balancing.ejection.consecutive-failures",
					"gateway-bench.load-balancing.ejection.include5xx",
					"gateway-bench.load-balancing.ejection.base-ejection-time",
					"gateway-bench.load-balancing.ejection.max-ejection-time",
					"gateway-bench.load-balancing.health-check.enabled",
					"gateway-bench.load-balancing.health-check.path",
					"gateway-bench.load-balancing.health-check.interval",
					"gateway-bench.load-balancing.health-check.timeout", "gateway-bench.timeouts.connect",
					"gateway-bench.timeouts.response", "gateway-bench.timeouts.read",
					"gateway-bench.route-index.enabled", "gateway-bench.metrics.enabled",
					"gateway-bench.metrics.csv.enabled", "gateway-bench.metrics.csv.directory",
					"gateway-bench.metrics.csv.interval", "gateway-bench.observations.enabled",
					"gateway-bench.server.tuned", "gateway-bench.server.max-cancelled-streams",
					"gateway-bench.server.head-timeout", "gateway-bench.server.body-timeout",
					"gateway-bench.web-sockets.enabled", "gateway-bench.web-sockets.idle-timeout",
					"gateway-bench.web-sockets.max-open", "gateway-bench.http-client.tuned",
					"gateway-bench.http-client.max-connections-per-instance",
					"gateway-bench.http-client.max-connections", "gateway-bench.http-client.acquire-timeout",
					"gateway-bench.http-client.max-idle-time", "gateway-bench.http-client.max-connection-age",
					"management.health.gatewaybench.enabled", "management.info.gatewaybench.enabled",
					"management.endpoint.gatewaybench.access", "management.endpoint.gatewaybench.cache.time-to-live");
	}

	@Test
	void everyPropertyHasADescriptionThatIsASentence() {
		assertThat(properties).allSatisfy(
				(property) -> assertThat(property.path("description").asString("")).as(property.get("name").asString())
					.matches("[A-Z][^\\n]*\\.")
					.doesNotContain("{@"));
	}

	@Test
	void whatIsTrueOrFalseSaysWhether() {
		assertThat(properties).filteredOn((property) -> property.get("type").asString().equals("java.lang.Boolean"))
			.isNotEmpty()
			.allSatisfy((property) -> assertThat(property.get("description").asString()).startsWith("Whether "));
	}

	@Test
	void everyPropertyHasItsDefault() {
		Set<String> withoutDefault = new TreeSet<>();
		properties.stream()
			.filter((property) -> !property.has("defaultValue"))
			.forEach((property) -> withoutDefault.add(property.get("name").asString()));
		assertThat(withoutDefault).isEqualTo(new TreeSet<>(WITHOUT_DEFAULT));
	}

	@Test
	void mapsAndListsNameTheTypeOfTheirElements() {
		assertThat(Map.of("gateway-bench.upstreams",
				"java.util.Map<java.lang.String,%s>".formatted(UpstreamProperties.class.getName()),
				"gateway-bench.routes", "java.util.List<%s>".formatted(GatewayBenchProperties.Route.class.getName()),
				"gateway-bench.headers.request", "java.util.Map<java.lang.String,java.lang.String>",
				"gateway-bench.headers.response", "java.util.Map<java.lang.String,java.lang.String>"))
			.allSatisfy((name, type) -> assertThat(properties)
				.filteredOn((property) -> property.get("name").asString().equals(name))
				.singleElement()
				.extracting((property) -> property.get("type").asString())
				.isEqualTo(type));
	}

}
