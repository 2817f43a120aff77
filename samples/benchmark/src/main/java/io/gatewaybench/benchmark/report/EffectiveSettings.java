package io.gatewaybench.benchmark.report;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.result.Environment;
import io.gatewaybench.benchmark.result.ScenarioResult.GatewayFigures;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The settings of a gateway by name, whatever they come from: its jar, the file of the
 * suite, its command line, its JVM. Libraries are among them.
 *
 * @param environment what was installed
 * @param directory the files of the run
 */
record EffectiveSettings(Environment environment, Path directory) {

	private static final YAMLMapper YAML = new YAMLMapper();

	private static final Pattern LIBRARY = Pattern.compile("(.+?)-(\\d.*)");

	private static final String FILE = "--spring.config.additional-location=file:";

	Map<String, String> of(GatewayFigures gateway) {
		Map<String, String> settings = new TreeMap<>();
		List<String> command = gateway.command();
		String jar = jar(command);
		settings.put("jar", jar);
		this.environment.libraries().getOrDefault(jar, List.of()).forEach((library) -> {
			Matcher parts = LIBRARY.matcher(library);
			if (parts.matches()) {
				settings.put("library " + parts.group(1), parts.group(2));
			}
		});
		// Files that a file imports stand behind it and count less
		this.environment.gatewaySettings()
			.entrySet()
			.stream()
			.filter((file) -> file.getKey().startsWith(jar + "!"))
			.sorted(Map.Entry.<String, String>comparingByKey().reversed())
			.forEach((file) -> add(settings, file.getValue()));
		command.stream().flatMap((argument) -> file(argument).stream()).forEach((text) -> add(settings, text));
		Stream
			.concat(command.stream(),
					(gateway.flags() != null) ? Stream.of(gateway.flags().split(" ")) : Stream.empty())
			.filter((option) -> option.startsWith("-D") || option.startsWith("-X"))
			.forEach((option) -> settings.put("JVM option " + option, "yes"));
		// Each gateway has its own, of which nothing follows
		settings.keySet().removeIf((name) -> name.equals("server.port") || name.endsWith(".directory"));
		return settings;
	}

	private static String jar(List<String> command) {
		int index = command.indexOf("-jar") + 1;
		String path = (index > 0 && index < command.size()) ? command.get(index)
				: command.isEmpty() ? Figures.UNKNOWN : command.getFirst();
		return path.substring(path.lastIndexOf('/') + 1);
	}

	private Optional<String> file(String argument) {
		int raw = argument.lastIndexOf("/raw/");
		return (argument.startsWith(FILE) && raw > 0)
				? Findings.text(this.directory.resolve(argument.substring(raw + 1))) : Optional.empty();
	}

	private static void add(Map<String, String> settings, String yaml) {
		try {
			flatten(settings, "", YAML.readTree(yaml));
		}
		catch (JacksonException ex) {
			settings.put("configuration", "can't be read: " + ex.getOriginalMessage());
		}
	}

	private static void flatten(Map<String, String> settings, String name, JsonNode node) {
		if (node.isObject()) {
			node.properties()
				.forEach((entry) -> flatten(settings, name.isEmpty() ? entry.getKey() : name + "." + entry.getKey(),
						entry.getValue()));
		}
		else if (node.isArray() && node.size() > 0 && node.get(0).isObject()) {
			for (int index = 0; index < node.size(); index++) {
				flatten(settings, name + "[" + index + "]", node.get(index));
			}
		}
		else if (node.isArray()) {
			settings.put(name, node.toString());
		}
		else if (!name.isEmpty()) {
			settings.put(name, node.asString());
		}
	}

}
