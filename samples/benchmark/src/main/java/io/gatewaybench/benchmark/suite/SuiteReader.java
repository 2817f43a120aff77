package io.gatewaybench.benchmark.suite;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import io.gatewaybench.benchmark.load.InvalidValueException;
import io.gatewaybench.benchmark.load.RequestType;
import io.gatewaybench.benchmark.suite.SuiteFile.LoadKeys;
import io.gatewaybench.benchmark.suite.SuiteFile.VariantKeys;

/**
 * Reads suites from YAML; {@link SuiteFile} has the keys.
 */
final class SuiteReader {

	private static final String EXTENSION = ".yml";

	private static final String VARIANTS = "variants";

	private static final String COMPONENTS = "components";

	private static final String HOSTS = "hosts";

	private static final String HOST = "host";

	private static final int MOST_REPETITIONS = 100_000;

	private static final int MOST_LISTED = 20;

	// What tells the kinds of components apart
	private static final Map<String, Class<? extends Component>> KINDS = Map.of("jar", Component.Jar.class, "command",
			Component.Program.class, "url", Component.Remote.class, "simulator", Component.Simulator.class);

	private final SuiteTree tree;

	private final SuiteBinder binder;

	// Ids of variants
	private final Set<String> onlyFull = new HashSet<>();

	private SuiteReader(SuiteTree tree) {
		this.tree = tree;
		this.binder = new SuiteBinder(tree);
	}

	/**
	 * Reads a suite of this project.
	 * @param name its name
	 * @param more a file of a user whose keys come on top, {@code null} if there is none
	 */
	static Suite shipped(String name, @Nullable Path more) {
		return new SuiteReader(with(tree(name, null), more)).suite(name);
	}

	/**
	 * Reads a suite of a user.
	 * @param file its file
	 * @param more another file whose keys come on top, {@code null} if there is none
	 * @throws InvalidSuiteException if it can't be read, or something in it is wrong
	 */
	static Suite read(Path file, @Nullable Path more) {
		String name = file.getFileName().toString().replaceFirst("\\.ya?ml$", "");
		return new SuiteReader(with(tree(file.toString(), Path.of("")), more)).suite(name);
	}

	private static SuiteTree with(SuiteTree tree, @Nullable Path more) {
		if (more != null) {
			tree.add(tree(more.toString(), Path.of("")));
		}
		return tree;
	}

	/**
	 * The variants of a file of this project that has no loads.
	 * @param name its name
	 */
	static List<Variant> variants(String name) {
		return new SuiteReader(tree(name, null)).variants(List.of(""), References.NONE);
	}

	private static SuiteTree tree(String name, @Nullable Path directory) {
		return tree(name, directory, List.of(), (problem) -> new InvalidSuiteException(name + " " + problem));
	}

	/**
	 * Reads a file and what it imports.
	 * @param name the name of a shipped one, or a path
	 * @param directory what the path is relative to, {@code null} if only shipped ones
	 * can be named
	 * @param importing the files that are being read
	 * @param failure what is thrown if it can't be read, by the reason
	 */
	private static SuiteTree tree(String name, @Nullable Path directory, List<String> importing,
			Function<String, InvalidSuiteException> failure) {
		boolean shipped = directory == null || !name.matches(".*(/|\\.ya?ml$).*");
		Path file = (directory != null) ? directory.resolve(name) : Path.of(name);
		String shown = shipped ? name + EXTENSION : file.toString();
		String identity = shipped ? shown : file.toAbsolutePath().normalize().toString();
		if (importing.contains(identity)) {
			throw failure.apply("imports itself");
		}
		SuiteTree own = SuiteTree.parse(shown, shipped ? resource(name, failure) : content(file, failure));
		SuiteTree all = new SuiteTree(shown);
		List<String> open = Stream.concat(importing.stream(), Stream.of(identity)).toList();
		for (JsonNode each : own.root().path("import")) {
			String imported = each.asString("");
			all.add(tree(imported, shipped ? null : file.toAbsolutePath().getParent(), open,
					(problem) -> own.invalid(List.of("import"), "'" + imported + "' " + problem
							+ "; name a file relative to this one, or one of " + String.join(", ", Suites.IMPORTS))));
		}
		all.add(own);
		return all;
	}

	private static String content(Path file, Function<String, InvalidSuiteException> failure) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw failure.apply(Files.exists(file) ? "can't be read as text in UTF-8" : "is no file that is there");
		}
	}

	static String resource(String name, Function<String, InvalidSuiteException> failure) {
		try (InputStream in = SuiteReader.class.getResourceAsStream(name + EXTENSION)) {
			if (in == null) {
				throw failure.apply("is not shipped");
			}
			return new String(in.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new IllegalStateException("the jar of this program can't be read", ex);
		}
	}

	private Suite suite(String name) {
		List.of("requests", "study").forEach(this.tree::prune);
		SuiteFile file = this.binder.bind(List.of(), this.tree.root(), SuiteFile.class);
		References references = References.NONE;
		Map<String, Component> components = new LinkedHashMap<>();
		for (String id : keys(COMPONENTS)) {
			Component component = component(List.of(COMPONENTS, id), this.tree.entry(COMPONENTS, id),
					references.withOwn("", "", ""));
			components.put(id, component);
			references = references.with(id, component);
		}
		List<Variant> variants = variants(Suite.copy(file.prefixes()), references);
		List<Scenario> optional = scenarios("loads", file.loads(), file, variants);
		List<Scenario> scenarios = optional.stream()
			.filter((scenario) -> !this.onlyFull.contains(scenario.variant().id()))
			.toList();
		List<Scenario> full = (file.fullLoads() != null) ? scenarios("full-loads", file.fullLoads(), file, variants)
				: optional;
		List<Scenario> all = Stream.concat(optional.stream(), full.stream()).toList();
		checkStudy(all.stream().map(Scenario::id).distinct().toList(), file.study());
		Question question = (file.answer() != null) ? file.answer() : Question.USUAL;
		if (question.load() != null && all.stream().noneMatch((each) -> each.load().id().equals(question.load()))) {
			throw this.tree.invalid(List.of("answer", "load"), "there is no load " + question.load()
					+ "; choose one of "
					+ optional.stream().map((each) -> each.load().id()).distinct().collect(Collectors.joining(", ")));
		}
		return new Suite(name, file.title(), file.study(), components, question, Suite.copy(file.choose()), scenarios,
				optional, full, failIf(Suite.copy(file.failIf())));
	}

	private List<Suite.FailIf> failIf(List<String> conditions) {
		List<Suite.FailIf> all = new ArrayList<>();
		for (String condition : conditions) {
			all.add(new Suite.FailIf(condition, this.tree.place(List.of("fail-if", Integer.toString(all.size())))));
		}
		return all;
	}

	private List<Scenario> scenarios(String section, List<LoadKeys> loads, SuiteFile file, List<Variant> variants) {
		List<Scenario> scenarios = new ArrayList<>();
		for (int index = 0; index < loads.size(); index++) {
			LoadKeys load = loads.get(index);
			List<String> key = List.of(section, Integer.toString(index));
			if (load == null) {
				throw this.tree.invalid(key, "it is empty; write 'users:' or 'rate:', or remove it");
			}
			for (Variant variant : variants) {
				List<RequestType> mix = mix(file, variant);
				Scenario scenario = Scenario.of(variant, checked(key, () -> load.load(mix)));
				if (scenarios.stream().anyMatch((other) -> other.id().equals(scenario.id()))) {
					throw this.tree.invalid(key, "the same load is there twice; remove one");
				}
				scenarios.add(scenario);
			}
		}
		return scenarios;
	}

	private List<String> keys(String section) {
		JsonNode entries = this.tree.root().path(section);
		// Without those of an imported file that are removed
		List<String> keys = entries.propertyNames().stream().filter((key) -> !entries.path(key).isNull()).toList();
		keys.forEach((key) -> checked(List.of(section, key), () -> Suite.checkId(key, key)));
		return keys;
	}

	private List<Variant> variants(List<String> prefixes, References references) {
		Map<String, String> titles = new LinkedHashMap<>();
		for (String id : keys(VARIANTS)) {
			String title = this.tree.entry(VARIANTS, id).path("title").asString(id);
			// Reports know variants by their titles
			if (titles.containsValue(title)) {
				throw this.tree.invalid(List.of(VARIANTS, id, "title"),
						"another variant is called '" + title + "', too; choose another title");
			}
			titles.put(id, title);
		}
		List<Variant> variants = new ArrayList<>();
		titles.forEach((id, title) -> {
			ObjectNode node = this.tree.entry(VARIANTS, id);
			ObjectNode own = node.objectNode();
			VariantKeys.NAMES.stream().filter(node::has).forEach((key) -> own.set(key, node.remove(key)));
			VariantKeys variant = this.binder.bind(List.of(VARIANTS, id), own, VariantKeys.class);
			if (variant.onlyFull()) {
				this.onlyFull.add(id);
			}
			Component component = tested(id, node, references);
			String process = (variant.process() != null) ? variant.process() : id;
			if (this.tree.root().path(COMPONENTS).has(process)) {
				throw this.tree.invalid(List.of(VARIANTS, id),
						"'" + process + "' is a component, too, and their logs would be one; choose another name");
			}
			Variant made = new Variant(id, title, component, process, variant.threads(),
					(variant.prefixes() != null) ? variant.prefixes() : prefixes, variant.gatewayField(),
					(variant.baseline() != null) ? baseline(id, variant.baseline(), titles) : null,
					checked(List.of(VARIANTS, id), () -> variant.protocol(component)), variant.users());
			checkProcess(made, variants);
			variants.add(made);
		});
		return variants;
	}

	private void checkProcess(Variant made, List<Variant> others) {
		others.stream()
			.filter((other) -> other.process().equals(made.process()) && !other.sharesWith(made))
			.findFirst()
			.ifPresent((other) -> {
				throw this.tree.invalid(List.of(VARIANTS, made.id(), "process"),
						"'" + made.process() + "' is the process of '" + other.id()
								+ "', which runs something else; choose another name, or make both alike");
			});
	}

	private Component tested(String id, ObjectNode node, References references) {
		Component component = component(List.of(VARIANTS, id), node, references.withOwn("", "", ""));
		if (component.plain() instanceof Component.Simulator) {
			throw this.tree.invalid(List.of(VARIANTS, id),
					"a simulator is no variant; move it to 'components', and write url: ${<service>.url}");
		}
		return component;
	}

	private String baseline(String id, String baseline, Map<String, String> titles) {
		String title = titles.get(baseline);
		if (title == null || baseline.equals(id)) {
			throw this.tree.invalid(List.of(VARIANTS, id, "baseline"),
					"'" + baseline + "' is no other variant; choose one of " + list(titles.keySet()));
		}
		return title;
	}

	private List<RequestType> mix(SuiteFile file, Variant variant) {
		List<RequestType> mix = new ArrayList<>();
		file.requests()
			.forEach((name, request) -> mix.add(checked(List.of("requests", name), () -> request.type(name, variant))));
		return mix;
	}

	private void checkStudy(List<String> ids, @Nullable Study study) {
		if (study == null) {
			return;
		}
		study.figures().keySet().forEach((id) -> checkScenario(List.of("study", "figures", id), id, ids));
		for (int index = 0; index < study.claims().size(); index++) {
			List<String> key = List.of("study", "claims", Integer.toString(index));
			Claim claim = study.claims().get(index);
			checkScenario(SuiteTree.key(key, "scenario"), claim.scenario(), ids);
			checkScenario(SuiteTree.key(key, "beside"), claim.beside(), ids);
		}
	}

	// A file on top may have removed the variant, and needs to say nothing of the study
	private void checkScenario(List<String> key, String id, List<String> ids) {
		JsonNode variants = this.tree.root().path(VARIANTS);
		boolean removed = variants.propertyNames()
			.stream()
			.anyMatch((variant) -> variants.path(variant).isNull() && id.startsWith(variant + "-"));
		if (!ids.contains(id) && !removed) {
			throw this.tree.invalid(key, "there is no scenario '" + id + "'; choose one of " + list(ids));
		}
	}

	private Component component(List<String> path, ObjectNode node, References references) {
		List<String> kinds = KINDS.keySet().stream().filter(node::has).sorted().toList();
		if (kinds.size() != 1) {
			throw this.tree.invalid(path,
					(kinds.isEmpty() ? "it is not said what runs" : "only one of " + list(kinds) + " is possible")
							+ "; write one of jar, command, url and simulator");
		}
		checkTexts(path, node, references);
		JsonNode host = node.remove(HOST);
		Component component = this.binder.bind(path, node, Objects.requireNonNull(KINDS.get(kinds.getFirst())));
		if (component instanceof Component.Jar jar) {
			component = located(path, jar);
		}
		return (host != null)
				? new Component.OnHost(component, host(SuiteTree.key(path, HOST), host.asString(""), component))
				: component;
	}

	private Host host(List<String> path, String id, Component component) {
		if (component instanceof Component.Remote) {
			throw this.tree.invalid(path, "what has a url runs already; remove host");
		}
		JsonNode hosts = this.tree.root().path(HOSTS);
		JsonNode keys = hosts.path(id);
		if (keys.isMissingNode()) {
			throw this.tree.invalid(path,
					"'" + id + "' is no host; "
							+ (hosts.isEmpty() ? "" : "choose one of " + list(hosts.propertyNames()) + ", or ")
							+ "add it to 'hosts'");
		}
		// A host of which nothing but the name is known
		JsonNode known = keys.isNull() ? this.tree.root().objectNode() : keys;
		return this.binder.bind(List.of(HOSTS, id), known, Host.Keys.class).host(id);
	}

	/**
	 * A jar with the path of its file, unless it is a module of this project.
	 */
	private Component located(List<String> path, Component.Jar jar) {
		if (Suites.MODULES.contains(jar.jar())) {
			return jar;
		}
		List<String> key = SuiteTree.key(path, "jar");
		Path file = this.tree.file(key).toAbsolutePath().resolveSibling(jar.jar()).normalize();
		if (!Files.isRegularFile(file)) {
			throw this.tree.invalid(key, "there is no file " + file + "; build it, correct the path, or choose one of "
					+ list(Suites.MODULES));
		}
		return new Component.Jar(file.toString(), jar.jvm(), jar.config(), jar.arguments(), jar.ready());
	}

	private void checkTexts(List<String> path, JsonNode node, References references) {
		if (node.isString()) {
			String unknown = references.unknownIn(node.stringValue());
			if (unknown != null) {
				throw this.tree.invalid(path, "${" + unknown + "} refers to nothing; choose one of "
						+ list(references.values().keySet()) + ", or write $${ for ${");
			}
		}
		JsonNode repeat = node.path(References.REPEAT);
		if (!repeat.isMissingNode()
				&& !(repeat.isInt() && repeat.intValue() >= 1 && repeat.intValue() <= MOST_REPETITIONS)) {
			throw this.tree.invalid(SuiteTree.key(path, References.REPEAT),
					repeat.asString() + " is not possible; choose 1 to " + MOST_REPETITIONS);
		}
		References inside = repeat.isMissingNode() ? references : references.with(References.NUMBER, "");
		if (node instanceof ObjectNode map) {
			map.forEachEntry((name, value) -> checkTexts(SuiteTree.key(path, name), value, inside));
		}
		else {
			int index = 0;
			for (JsonNode element : node) {
				checkTexts(SuiteTree.key(path, Integer.toString(index++)), element, inside);
			}
		}
	}

	private <T> T checked(List<String> path, Supplier<T> value) {
		try {
			return value.get();
		}
		catch (InvalidValueException ex) {
			throw this.binder.invalid(path, ex);
		}
	}

	private static String list(Collection<String> names) {
		return names.stream().limit(MOST_LISTED).collect(Collectors.joining(", "))
				+ ((names.size() > MOST_LISTED) ? ", and " + (names.size() - MOST_LISTED) + " more" : "");
	}

}
