package io.gatewaybench.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.dataformat.yaml.YAMLMapper;

import io.gatewaybench.benchmark.suite.Suite;
import io.gatewaybench.benchmark.suite.Suites;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * As far as files can be checked without what runs them.
 */
class DeploymentFilesTests {

	private static final Path DEPLOY = Path.of("../../deploy");

	private static final YAMLMapper YAML = YAMLMapper.shared();

	private static final Pattern STAGE = Pattern.compile("(?m)^FROM \\S+ AS (\\S+)$");

	private static final Pattern JAR = Pattern
		.compile("(?m)^COPY --from=build /gateway-bench/(\\S+)/target/(\\S+)\\.jar ");

	@Test
	void everyImageHasAStageInTheDockerfile() throws IOException {
		Set<String> stages = new TreeSet<>(
				STAGE.matcher(text("Dockerfile")).results().map((stage) -> stage.group(1)).toList());
		JsonNode compose = YAML.readTree(text("compose.yaml"));
		JsonNode services = compose.path("services");
		List<String> targets = services.valueStream()
			.map((service) -> merged(compose, service, "build").path("target").asString(""))
			.toList();
		assertThat(targets).isSubsetOf(stages).hasSize(6);
		assertThat(services.valueStream())
			.allSatisfy((service) -> assertThat(merged(compose, service, "image").asString(""))
				.isEqualTo("gateway-bench/" + merged(compose, service, "build").path("target").asString("")));
		assertThat(containers()).isNotEmpty()
			.allSatisfy((container) -> assertThat(
					container.path("image").asString("").replaceAll("^(gateway-bench|@registry@)/", ""))
				.isIn(stages));
	}

	@Test
	void everyImageHasAJarThatTheBuildMakes() throws IOException {
		assertThat(JAR.matcher(text("Dockerfile")).results()).hasSize(5).allSatisfy((jar) -> {
			assertThat(Path.of("../..", jar.group(1), "pom.xml")).exists();
			assertThat(Path.of(jar.group(1)).getFileName()).hasToString(jar.group(2));
		});
	}

	@Test
	void theSuiteAndTheGatewaysNameWhatComposeAndKubernetesStart() throws IOException {
		Suite suite = Suites.find(DEPLOY.resolve("p1.yml").toString(), null);
		assertThat(suite.scenarios()).extracting((scenario) -> scenario.variant().id())
			.containsExactly("direct", "webflux", "webmvc-vt");
		Set<String> named = new TreeSet<>();
		Pattern.compile("http://([a-z-]+):\\d+")
			.matcher(text("p1.yml") + text("gateway.yml"))
			.results()
			.forEach((address) -> named.add(address.group(1)));
		assertThat(named).containsExactly("gateway-webflux", "gateway-webmvc", "service-a", "service-b", "service-c");
		assertThat(YAML.readTree(text("compose.yaml")).path("services").propertyNames()).containsAll(named);
		assertThat(objects("Service")).extracting((service) -> service.at("/metadata/name").asString(""))
			.containsExactlyInAnyOrderElementsOf(named);
	}

	@Test
	void everyPodHasItsCoresAndANodeForItself() throws IOException {
		assertThat(Stream.concat(objects("Deployment").stream(), objects("Job").stream())).hasSize(6)
			.allSatisfy((object) -> {
				assertThat(object
					.at("/spec/template/spec/affinity/podAntiAffinity/"
							+ "requiredDuringSchedulingIgnoredDuringExecution/0/topologyKey")
					.asString("")).isEqualTo("kubernetes.io/hostname");
				assertThat(object.at("/spec/template/metadata/labels").path("app.kubernetes.io/part-of").asString(""))
					.isEqualTo("gateway-bench");
			});
		assertThat(containers()).allSatisfy((container) -> assertThat(container.at("/resources/requests"))
			.isEqualTo(container.at("/resources/limits"))
			.isNotEmpty());
	}

	@Test
	void everyServiceHasADeploymentWithItsPorts() throws IOException {
		assertThat(objects("Service")).allSatisfy((service) -> {
			JsonNode selector = service.at("/spec/selector");
			JsonNode deployment = objects("Deployment").stream()
				.filter((each) -> each.at("/spec/selector/matchLabels").equals(selector))
				.findFirst()
				.orElseThrow();
			assertThat(service.at("/spec/ports").findValuesAsString("port"))
				.isEqualTo(deployment.at("/spec/template/spec/containers/0/ports").findValuesAsString("containerPort"));
		});
	}

	@Test
	void kustomizeFindsItsFiles() throws IOException {
		JsonNode kustomization = YAML.readTree(text("kustomization.yaml"));
		List<String> files = new ArrayList<>();
		kustomization.path("resources").forEach((file) -> files.add(file.asString("")));
		kustomization.path("configMapGenerator")
			.forEach((map) -> map.path("files").forEach((file) -> files.add(file.asString(""))));
		assertThat(files).hasSize(5).allSatisfy((file) -> assertThat(DEPLOY.resolve(file)).isRegularFile());
	}

	private static List<JsonNode> containers() throws IOException {
		return Stream.concat(objects("Deployment").stream(), objects("Job").stream())
			.map((object) -> object.at("/spec/template/spec/containers/0"))
			.toList();
	}

	private static List<JsonNode> objects(String kind) throws IOException {
		List<JsonNode> objects = new ArrayList<>();
		for (String file : List.of("backends.yaml", "gateways.yaml", "load.yaml")) {
			try (MappingIterator<JsonNode> all = YAML.readerFor(JsonNode.class)
				.readValues(text("kubernetes/" + file))) {
				all.forEachRemaining(objects::add);
			}
		}
		return objects.stream().filter((object) -> object.path("kind").asString("").equals(kind)).toList();
	}

	// The mapper does not resolve the merge key of YAML, and has the name of an alias
	private static JsonNode merged(JsonNode compose, JsonNode service, String key) {
		return service.has(key) ? service.path(key) : compose.path("x-" + service.path("<<").asString("")).path(key);
	}

	private static String text(String file) throws IOException {
		return Files.readString(DEPLOY.resolve(file));
	}

}
