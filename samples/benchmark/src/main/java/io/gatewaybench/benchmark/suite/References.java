package io.gatewaybench.benchmark.suite;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * What the texts of a component may refer to: <code>${service-a.url}</code> for the first
 * instance of a service or for a component, <code>.urls</code> for all instances,
 * separated by commas, <code>.host</code> and <code>.port</code>,
 * <code>${service-a-2.url}</code> for one instance; <code>${address}</code> and
 * <code>${port}</code> for where the component itself has to listen,
 * <code>${directory}</code> for its directory. <code>$${</code> stands for
 * <code>${</code>.
 *
 * @param values what each name stands for
 */
public record References(Map<String, String> values) {

	private static final String ADDRESS = "address";

	private static final String PORT = "port";

	private static final String DIRECTORY = "directory";

	static final String NUMBER = "i";

	static final String REPEAT = "repeat";

	private static final Pattern REFERENCE = Pattern.compile("\\$\\$\\{|\\$\\{([^}]*)}");

	/**
	 * Nothing to refer to.
	 */
	public static final References NONE = new References(Map.of());

	/**
	 * These and one more.
	 * @param name its name
	 * @param value what it stands for
	 * @return a copy
	 */
	public References with(String name, String value) {
		Map<String, String> more = new LinkedHashMap<>(this.values);
		more.put(name, value);
		return new References(more);
	}

	/**
	 * These and the addresses of a component or of a service.
	 * @param name its name
	 * @param instances where its instances are, one at least
	 * @return a copy
	 */
	public References with(String name, List<URI> instances) {
		References all = withAddress(name, instances.getFirst()).with(name + ".urls",
				String.join(",", instances.stream().map(URI::toString).toList()));
		for (int index = 0; index < instances.size(); index++) {
			all = all.withAddress(name + "-" + (index + 1), instances.get(index));
		}
		return all;
	}

	/**
	 * These and the names of a component whose addresses are not known yet.
	 */
	References with(String name, Component component) {
		URI somewhere = URI.create("http://localhost:1");
		if (!(component.plain() instanceof Component.Simulator simulator)) {
			return with(name, List.of(somewhere));
		}
		References all = this;
		for (Map.Entry<String, Integer> service : simulator.simulator().entrySet()) {
			all = all.with(service.getKey(), Collections.nCopies(service.getValue(), somewhere));
		}
		return all;
	}

	/**
	 * These and what a component may say of itself.
	 * @param address the address that it has to listen on
	 * @param port the port that it has to listen on
	 * @param directory its directory
	 * @return a copy
	 */
	public References withOwn(String address, String port, String directory) {
		return with(ADDRESS, address).with(PORT, port).with(DIRECTORY, directory);
	}

	private References withAddress(String name, URI address) {
		return with(name + ".url", address.toString()).with(name + ".host", address.getHost())
			.with(name + ".port", Integer.toString(address.getPort()));
	}

	/**
	 * Replaces the references in a text.
	 * @param text the text
	 * @return the text without references
	 * @throws IllegalArgumentException if it refers to what is not there
	 */
	public String resolve(String text) {
		return REFERENCE.matcher(text)
			.replaceAll((match) -> Matcher.quoteReplacement((match.group(1) != null) ? value(match.group(1)) : "${"));
	}

	private String value(String name) {
		String value = this.values.get(name);
		if (value == null) {
			throw new IllegalArgumentException("${%s} refers to nothing".formatted(name));
		}
		return value;
	}

	/**
	 * Replaces the references in every text of a tree, and repeats its list entries that
	 * have {@code repeat}.
	 * @param value a map, a list or a single value
	 * @return a copy without references
	 */
	public @Nullable Object resolve(@Nullable Object value) {
		return switch (value) {
			case String text -> resolve(text);
			case Map<?, ?> map -> {
				Map<String, @Nullable Object> result = new LinkedHashMap<>();
				map.forEach((key, each) -> result.put(resolve(key.toString()), resolve(each)));
				yield result;
			}
			case List<?> list -> {
				List<@Nullable Object> result = new ArrayList<>();
				list.forEach((each) -> addTo(result, each));
				yield result;
			}
			case null, default -> value;
		};
	}

	private void addTo(List<@Nullable Object> result, @Nullable Object entry) {
		if (entry instanceof Map<?, ?> map && map.get(REPEAT) instanceof Integer times) {
			Map<Object, Object> once = new LinkedHashMap<>(map);
			once.remove(REPEAT);
			for (int number = 0; number < times; number++) {
				result.add(with(NUMBER, Integer.toString(number)).resolve(once));
			}
		}
		else {
			result.add(resolve(entry));
		}
	}

	/**
	 * The first name in a text that refers to nothing.
	 * @param text the text
	 * @return the name, {@code null} if every reference is known
	 */
	@Nullable String unknownIn(String text) {
		return REFERENCE.matcher(text)
			.results()
			.map(MatchResult::group)
			.filter((reference) -> !reference.equals("$${"))
			.map((reference) -> reference.substring(2, reference.length() - 1))
			.filter((name) -> !this.values.containsKey(name))
			.findFirst()
			.orElse(null);
	}

}
