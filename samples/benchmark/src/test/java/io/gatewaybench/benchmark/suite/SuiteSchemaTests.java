package io.gatewaybench.benchmark.suite;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

import io.gatewaybench.benchmark.load.Step;
import io.gatewaybench.benchmark.result.Metric;

import static org.assertj.core.api.Assertions.assertThat;

class SuiteSchemaTests {

	private final JsonNode document = JsonMapper.shared().readTree(text("suite.schema.json"));

	private final Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
		.getSchema(text("suite.schema.json"));

	static List<String> files() throws Exception {
		Path directory = Path.of(SuiteFile.class.getResource("gateway.yml").toURI()).getParent();
		try (Stream<Path> all = Files.walk(directory)) {
			return all.map((file) -> directory.relativize(file).toString())
				.filter((name) -> name.endsWith(".yml"))
				.toList();
		}
	}

	@ParameterizedTest
	@MethodSource("files")
	void everyFileOfThisProjectFitsTheSchema(String file) {
		JsonNode yaml = YAMLMapper.shared().readTree(text(file));
		assertThat(this.schema.validate(yaml.toString(), InputFormat.JSON)).isEmpty();
	}

	@Test
	void aKeyThatIsMisspelledDoesNotFit() {
		String yaml = YAMLMapper.shared().readTree(text("gateway.yml").replace("users: 16", "user: 16")).toString();
		assertThat(this.schema.validate(yaml, InputFormat.JSON)).isNotEmpty();
	}

	@Test
	void theSchemaHasTheKeysThatAreReadAndNoOthers() {
		assertThat(keys("")).isEqualTo(components(SuiteFile.class));
		assertThat(keys("/$defs/request")).isEqualTo(components(SuiteFile.RequestKeys.class));
		assertThat(keys("/$defs/load")).isEqualTo(components(SuiteFile.LoadKeys.class));
		assertThat(keys("/$defs/load/properties/steps/items")).isEqualTo(components(Step.class));
		assertThat(keys("/$defs/host")).isEqualTo(components(Host.Keys.class));
		assertThat(keys("/$defs/study")).isEqualTo(components(Study.class));
		Set<String> variant = components(SuiteFile.VariantKeys.class, Component.Jar.class, Component.Program.class,
				Component.Remote.class);
		variant.addAll(List.of("extends", "host"));
		assertThat(keys("/$defs/variant")).isEqualTo(variant);
		Set<String> component = components(Component.Jar.class, Component.Program.class, Component.Remote.class,
				Component.Simulator.class);
		component.addAll(List.of("extends", "host"));
		assertThat(keys("/$defs/component")).isEqualTo(component);
	}

	@Test
	void aClaimMayNameEveryMetric() {
		List<String> metrics = Stream.of(Metric.values())
			.map((metric) -> metric.name().toLowerCase(Locale.ROOT).replace('_', '-'))
			.toList();
		assertThat(Claim.METRICS).isEqualTo(metrics);
		assertThat(this.document.at("/$defs/study/properties/claims/items/properties/metric/enum"))
			.extracting(JsonNode::stringValue)
			.containsExactlyElementsOf(metrics);
	}

	@Test
	void everyKeyIsExplained() {
		assertThat(this.document.findValues("properties")).allSatisfy((properties) -> properties
			.forEachEntry((key, value) -> assertThat(value.has("description") || value.has("$ref")).as(key).isTrue()));
		assertThat(List.of("prefixes", "extends", "jar", "jvm", "config", "arguments", "command", "files", "url",
				"ready", "study"))
			.allSatisfy((key) -> assertThat(this.document.at("/$defs/" + key).has("description")).as(key).isTrue());
	}

	private Set<String> keys(String pointer) {
		return new TreeSet<>(this.document.at(pointer + "/properties").propertyNames());
	}

	@SafeVarargs
	private static Set<String> components(Class<? extends Record>... records) {
		Set<String> names = new TreeSet<>();
		Stream.of(records)
			.flatMap((record) -> Arrays.stream(record.getRecordComponents()))
			.map(SuiteSchemaTests::name)
			.forEach(names::add);
		return names;
	}

	private static String name(RecordComponent component) {
		JsonProperty name = component.getAccessor().getAnnotation(JsonProperty.class);
		return (name != null) ? name.value()
				: component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
	}

	private static String text(String file) {
		try (InputStream in = SuiteReader.class.getResourceAsStream(file)) {
			return new String(in.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
