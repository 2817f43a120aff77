package io.gatewaybench.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

import io.gatewaybench.Flavour;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.mockito.Mockito.mock;

/**
 * What documents say of settings is what the code does.
 */
class DocumentsTests {

	private static final Path ROOT = Path.of("..");

	private static final Pattern YAML = Pattern.compile("(?ms)^( *)```yaml\n(.*?)^ *```$");

	@ParameterizedTest
	@MethodSource("snippets")
	void everySnippetOfYamlIsAccepted(Snippet snippet) {
		assertThatCode(() -> {
			PropertySource<?> source = snippet.load();
			GatewayBenchProperties properties = new Binder(ConfigurationPropertySources.from(source)).bindOrCreate(
					"gateway-bench", Bindable.of(GatewayBenchProperties.class),
					new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
			GatewayBenchSettings settings = new GatewayBenchSettings(properties, Flavour.WEBFLUX, "documents");
			settings.routes(settings.upstreams()
				.all(null, new DefaultSslBundleRegistry("orders", SslBundle.of(SslStoreBundle.NONE)),
						() -> mock(DiscoveryClient.class)));
			settings.filters(List.of(), Stream.empty());
			settings.upstreams().connections();
			settings.csv(List.of());
		}).as(snippet.text()).doesNotThrowAnyException();
	}

	/**
	 * Those that are beans.
	 */
	@Test
	void everySnippetOfJavaCompiles(@TempDir Path directory) throws IOException {
		JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
		int number = 0;
		for (Path document : documents()) {
			Matcher beans = Pattern.compile("(?ms)^```java\n(@Bean.*?)^```$").matcher(Files.readString(document));
			while (beans.find()) {
				String name = "Snippet" + ++number;
				Path source = Files.writeString(directory.resolve(name + ".java"), """
						import io.gatewaybench.filter.*;
						import io.gatewaybench.metrics.*;
						import io.gatewaybench.rewrite.*;
						import io.gatewaybench.upstream.*;
						import java.util.concurrent.*;
						import org.apache.hc.core5.util.TimeValue;
						import org.springframework.beans.factory.annotation.Value;
						import org.springframework.boot.http.client.*;
						import org.springframework.boot.http.client.autoconfigure.*;
						import org.springframework.cloud.gateway.config.HttpClientCustomizer;
						import org.springframework.context.annotation.Bean;
						import org.springframework.http.HttpHeaders;
						class %s {
						%s
						}
						""".formatted(name, beans.group(1)));
				StringWriter messages = new StringWriter();
				boolean compiled = compiler
					.getTask(messages, null, null, List.of("-proc:none", "-d", directory.toString()), null,
							compiler.getStandardFileManager(null, null, null).getJavaFileObjects(source))
					.call();
				assertThat(compiled).as(document + ": " + messages).isTrue();
			}
		}
		assertThat(number).isGreaterThanOrEqualTo(2);
	}

	@ParameterizedTest
	@ValueSource(strings = { "docs/reference/configuration.md", "docs/zh/configuration.md" })
	void theReferenceHasEverySettingWithItsDefault(String page) throws IOException {
		Snippet reference = snippets().stream()
			.filter((snippet) -> snippet.file().equals(page))
			.findFirst()
			.orElseThrow();
		EnumerablePropertySource<?> documented = (EnumerablePropertySource<?>) reference.load();
		Map<String, String> expected = new TreeMap<>();
		Map<String, String> actual = new TreeMap<>();
		for (JsonNode property : metadata()) {
			String name = property.get("name").asString();
			if (name.startsWith("gateway-bench.") && property.has("defaultValue")) {
				expected.put(name, text(property.get("defaultValue")));
				actual.put(name, String.valueOf(documented.getProperty(name)));
			}
		}
		assertThat(expected).hasSizeGreaterThan(20);
		assertThat(actual).isEqualTo(expected);
	}

	private static String text(JsonNode value) {
		return value.isArray() ? value.valueStream().map(JsonNode::asString).collect(Collectors.joining(", "))
				: value.asString();
	}

	@Test
	void everyLinkBetweenDocumentsLeadsSomewhere() throws IOException {
		List<String> broken = new ArrayList<>();
		for (Path file : documents()) {
			Matcher link = Pattern.compile("\\]\\(([^)#:]*)(?:#([^)]*))?\\)").matcher(Files.readString(file));
			while (link.find()) {
				Path target = link.group(1).isEmpty() ? file : file.resolveSibling(link.group(1)).normalize();
				String heading = link.group(2);
				if (!Files.exists(target) || (heading != null && !anchors(target).contains(heading))) {
					broken.add(file.getFileName() + ": " + link.group());
				}
			}
		}
		assertThat(broken).isEmpty();
	}

	// As GitHub makes them of headings
	private static List<String> anchors(Path document) throws IOException {
		String prose = Files.readString(document).replaceAll("(?s)```.*?```", "");
		return Pattern.compile("(?m)^#+ (.*)$")
			.matcher(prose)
			.results()
			.map((heading) -> heading.group(1).toLowerCase(Locale.ROOT))
			.map((heading) -> heading.replaceAll("(?U)[^\\w\\- ]", "").replace(' ', '-'))
			.toList();
	}

	/**
	 * Headings, code, tables, links and lists, each on its line.
	 */
	@Test
	void theReadmeInChineseHasTheStructureOfTheOtherOne() throws IOException {
		assertThat(structure("README.zh-CN.md")).isEqualTo(structure("README.md"));
	}

	private static List<String> structure(String file) throws IOException {
		List<String> structure = new ArrayList<>();
		boolean code = false;
		for (String line : Files.readAllLines(ROOT.resolve(file))) {
			code ^= line.startsWith("```");
			if (code || line.startsWith("```")) {
				structure.add(line);
			}
			else {
				Matcher begin = Pattern.compile("^(#+|\\||- )").matcher(line);
				structure.add(begin.find() ? begin.group() : "");
				// The one links to the other in its first paragraph
				Matcher link = Pattern.compile("\\]\\((?!README)([^)]*)\\)").matcher(line);
				// A page in Chinese has the name of its source
				link.results()
					.map((target) -> target.group(1).replaceFirst("^docs/(guides|reference|zh)/", "docs/"))
					.forEach(structure::add);
			}
		}
		structure.removeIf(String::isEmpty);
		return structure;
	}

	static List<Snippet> snippets() throws IOException {
		List<Snippet> snippets = new ArrayList<>();
		for (Path file : documents()) {
			Matcher matcher = YAML.matcher(Files.readString(file));
			while (matcher.find()) {
				String text = matcher.group(2).replaceAll("(?m)^" + matcher.group(1), "");
				if (text.startsWith("gateway-bench")) {
					snippets.add(new Snippet(ROOT.relativize(file).toString(), text));
				}
			}
		}
		return snippets;
	}

	private static List<Path> documents() throws IOException {
		List<Path> documents = new ArrayList<>(
				Stream.of("README.md", "README.zh-CN.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
					.map(ROOT::resolve)
					.toList());
		try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
			// Not those of the tools that build the site, nor the site itself
			files.filter((file) -> file.toString().endsWith(".md"))
				.filter((file) -> Stream.of("node_modules", "target")
					.noneMatch(ROOT.relativize(file).toString()::contains))
				.sorted()
				.forEach(documents::add);
		}
		return documents;
	}

	private static JsonNode metadata() throws IOException {
		try (InputStream in = GatewayBenchProperties.class
			.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
			return new JsonMapper().readTree(in).get("properties");
		}
	}

	/**
	 * A piece of YAML in a document.
	 *
	 * @param file the document
	 * @param text the YAML
	 */
	record Snippet(String file, String text) {

		PropertySource<?> load() {
			try {
				return new YamlPropertySourceLoader()
					.load(this.file, new ByteArrayResource(this.text.getBytes(StandardCharsets.UTF_8)))
					.get(0);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		@Override
		public String toString() {
			return this.file + ": " + this.text.lines().findFirst().orElse("");
		}

	}

}
