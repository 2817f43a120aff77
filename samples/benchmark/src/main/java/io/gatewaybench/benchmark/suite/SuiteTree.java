package io.gatewaybench.benchmark.suite;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLParser;

/**
 * The content of a suite's file and of all that it imports, and where each key is. Maps
 * are merged; of anything else the last one counts, and {@code null} removes.
 */
final class SuiteTree {

	private static final String TEMPLATES = "templates";

	private static final String EXTENDS = "extends";

	private static final Pattern LINE = Pattern.compile("line (\\d+), column");

	private static final YAMLMapper MAPPER = YAMLMapper.builder()
		.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
		.build();

	private final String file;

	private final ObjectNode root = MAPPER.createObjectNode();

	/**
	 * File and line of each key, by the keys from the root.
	 */
	private final Map<List<String>, String> places = new HashMap<>();

	/**
	 * An empty one.
	 * @param file the file that messages name if they know no better
	 */
	SuiteTree(String file) {
		this.file = file;
	}

	/**
	 * Reads a file.
	 * @param file its name, for messages
	 * @param yaml its content
	 * @throws InvalidSuiteException if it is no map in YAML
	 */
	static SuiteTree parse(String file, String yaml) {
		SuiteTree tree = new SuiteTree(file);
		try {
			tree.locate(yaml);
			if (!(MAPPER.readTree(yaml) instanceof ObjectNode object)) {
				throw new InvalidSuiteException(
						file + ": there are no keys; begin with 'title:', or print an example with ./bench new");
			}
			tree.root.setAll(object);
			return tree;
		}
		catch (JacksonException ex) {
			throw notYaml(file, ex);
		}
	}

	private static InvalidSuiteException notYaml(String file, JacksonException ex) {
		// The last line that it names is where it is wrong, the first one where the
		// surrounding value begins
		String line = LINE.matcher(ex.getOriginalMessage())
			.results()
			.map((match) -> file + ":" + match.group(1))
			.reduce((first, last) -> last)
			.orElseGet(() -> place(file, ex.getLocation()));
		String reason = ex.getOriginalMessage()
			.lines()
			.filter((text) -> !text.startsWith(" "))
			.limit(2)
			.collect(Collectors.joining(", "));
		return new InvalidSuiteException(
				line + ": this is not YAML (" + reason + "); look at its indentation, quotes and brackets");
	}

	private void locate(String yaml) {
		try (YAMLParser parser = (YAMLParser) MAPPER.createParser(yaml)) {
			for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
				String place = place(this.file, parser.currentTokenLocation());
				// Its value would silently be the name of the alias
				if (parser.isCurrentAlias()) {
					throw new InvalidSuiteException(
							place + ": there is an alias of YAML; write a template and extend it");
				}
				this.places.putIfAbsent(path(parser.streamReadContext()), place);
			}
		}
	}

	private static List<String> path(TokenStreamContext context) {
		LinkedList<String> path = new LinkedList<>();
		for (TokenStreamContext each = context; each != null; each = each.getParent()) {
			if (each.hasCurrentName()) {
				path.addFirst(each.currentName());
			}
			else if (each.hasCurrentIndex()) {
				path.addFirst(Integer.toString(each.getCurrentIndex()));
			}
		}
		return List.copyOf(path);
	}

	private static String place(String file, TokenStreamLocation location) {
		return (location != null && location.getLineNr() > 0) ? file + ":" + location.getLineNr() : file;
	}

	/**
	 * Adds a file on top of this one.
	 */
	void add(SuiteTree other) {
		merge(this.root, other.root, false);
		this.places.putAll(other.places);
	}

	ObjectNode root() {
		return this.root;
	}

	/**
	 * Takes out of a section what later files have removed. Templates and what extends
	 * them keep {@code null} until they are put together.
	 * @param section the key of the section
	 */
	void prune(String section) {
		if (this.root.get(section) instanceof ObjectNode entries) {
			merge(this.root.putObject(section), entries, true);
		}
	}

	private static void merge(ObjectNode into, ObjectNode other, boolean remove) {
		for (Map.Entry<String, JsonNode> entry : other.properties()) {
			if (remove && entry.getValue().isNull()) {
				into.remove(entry.getKey());
			}
			else if (entry.getValue() instanceof ObjectNode map) {
				merge((into.get(entry.getKey()) instanceof ObjectNode known) ? known : into.putObject(entry.getKey()),
						map, remove);
			}
			else {
				into.set(entry.getKey(), entry.getValue());
			}
		}
	}

	/**
	 * What an entry of a section consists of: the templates that it extends, one after
	 * the other, and its own keys.
	 * @param section the key of the section
	 * @param id the key of the entry
	 */
	ObjectNode entry(String section, String id) {
		return entry(section, id, List.of());
	}

	private ObjectNode entry(String section, String id, List<String> open) {
		if (!(this.root.path(section).path(id) instanceof ObjectNode own)) {
			throw invalid(List.of(section, id), "write its keys below it, such as 'title:'");
		}
		ObjectNode result = MAPPER.createObjectNode();
		for (String template : templates(section, id)) {
			if (open.contains(template)) {
				throw invalid(List.of(section, id, EXTENDS), "'" + template + "' extends itself; remove one of them");
			}
			merge(result, entry(TEMPLATES, template, key(open, template)), true);
		}
		merge(result, own, true);
		result.remove(EXTENDS);
		return result;
	}

	private List<String> templates(String section, String id) {
		List<String> key = List.of(section, id, EXTENDS);
		JsonNode names = this.root.path(section).path(id).path(EXTENDS);
		if (!names.isMissingNode() && !names.isArray()) {
			throw invalid(key, "'" + names.asString("") + "' is no list; write [" + names.asString("template") + "]");
		}
		List<String> templates = new ArrayList<>();
		for (JsonNode name : names) {
			templates.add(name.asString(""));
			if (!this.root.path(TEMPLATES).has(name.asString(""))) {
				throw invalid(key, "'" + name.asString("") + "' is no template; choose one of "
						+ String.join(", ", this.root.path(TEMPLATES).propertyNames()));
			}
		}
		return templates;
	}

	/**
	 * The path of a key below another one.
	 */
	static List<String> key(List<String> path, String name) {
		return Stream.concat(path.stream(), Stream.of(name)).toList();
	}

	/**
	 * The exception for a key.
	 * @param path the keys from the root to the one that is wrong or missing
	 * @param message what is wrong with it, and what to write
	 */
	InvalidSuiteException invalid(List<String> path, String message) {
		return new InvalidSuiteException(place(path) + ": " + message);
	}

	/**
	 * File, line and name of a key.
	 * @param path the keys from the root
	 */
	String place(List<String> path) {
		List<String> origin = origin(path);
		List<String> place = origin;
		while (!place.isEmpty() && !this.places.containsKey(place)) {
			place = place.subList(0, place.size() - 1);
		}
		return this.places.getOrDefault(place, this.file) + (origin.isEmpty() ? "" : ": " + String.join(".", origin));
	}

	/**
	 * The file that a key is in.
	 */
	Path file(List<String> path) {
		return Path.of(this.places.getOrDefault(origin(path), this.file).replaceFirst(":\\d+$", ""));
	}

	boolean has(List<String> path) {
		return this.places.containsKey(origin(path));
	}

	/**
	 * The key itself, or that of the template which an entry has it from.
	 */
	private List<String> origin(List<String> path) {
		if (path.size() > 2 && !this.places.containsKey(path)) {
			for (String template : templates(path.get(0), path.get(1)).reversed()) {
				List<String> there = new ArrayList<>(List.of(TEMPLATES, template));
				there.addAll(path.subList(2, path.size()));
				List<String> origin = origin(there);
				if (this.places.containsKey(origin)) {
					return origin;
				}
			}
		}
		return path;
	}

}
