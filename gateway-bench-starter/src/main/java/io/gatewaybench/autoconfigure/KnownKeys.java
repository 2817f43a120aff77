package io.gatewaybench.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.core.ResolvableType;

/**
 * The keys under 'gateway-bench', as {@link GatewayBenchProperties} has them, for
 * messages on those that do not exist. A key is the list of its elements, and in those
 * that exist {@value #NAME} stands for a name or a number, {@value #ALL} for all that
 * follows.
 */
final class KnownKeys {

	static final String PREFIX = "gateway-bench";

	static final String NAME = "*";

	private static final String ALL = "**";

	private static final int SMALL_DISTANCE = 2;

	private static final int LETTERS_PER_ERROR = 4;

	private static final Map<List<String>, Class<?>> TYPES = new LinkedHashMap<>();

	static {
		addBelow(List.of(PREFIX), GatewayBenchProperties.class);
	}

	private KnownKeys() {
	}

	private static void addBelow(List<String> group, Class<?> type) {
		for (RecordComponent component : type.getRecordComponents()) {
			add(with(group, DataObjectPropertyName.toDashedForm(component.getName())),
					ResolvableType.forType(component.getGenericType()));
		}
	}

	private static void add(List<String> key, ResolvableType type) {
		Class<?> raw = type.toClass();
		if (raw == Map.class) {
			ResolvableType value = type.getGeneric(1);
			add(with(key, value.toClass().isRecord() ? NAME : ALL), value);
		}
		else if (raw == List.class) {
			TYPES.put(key, raw);
			TYPES.put(with(key, NAME), raw);
			add(with(key, NAME), type.getGeneric(0));
		}
		else if (raw.isRecord()) {
			addBelow(key, raw);
		}
		else {
			TYPES.put(key, raw);
		}
	}

	private static List<String> with(List<String> group, String element) {
		List<String> key = new ArrayList<>(group);
		key.add(element);
		return List.copyOf(key);
	}

	/**
	 * All keys with values of a type.
	 */
	static List<List<String>> ofType(Class<?> type) {
		return TYPES.entrySet().stream().filter((key) -> key.getValue() == type).map(Map.Entry::getKey).toList();
	}

	/**
	 * Whether a key exists that has no name in it.
	 */
	static boolean contains(List<String> key) {
		return TYPES.containsKey(key);
	}

	/**
	 * The elements that may follow those of a group, none if there is no such group.
	 */
	static List<String> below(List<String> group) {
		return TYPES.keySet()
			.stream()
			.filter((key) -> key.size() > group.size() && matches(key, group))
			.map((key) -> key.get(group.size()))
			.distinct()
			.toList();
	}

	private static boolean matches(List<String> key, List<String> group) {
		for (int i = 0; i < group.size(); i++) {
			if (!key.get(i).equals(NAME) && !letters(key.subList(i, i + 1)).equals(letters(group.subList(i, i + 1)))) {
				return false;
			}
		}
		return true;
	}

	/**
	 * The keys that are spelled nearly as another one, or have it as their end.
	 * @param name the elements of the other one. They may have lost their hyphens, or two
	 * may stand for one with a hyphen
	 * @return the nearest keys, with the names and numbers of the other one
	 */
	static List<List<String>> nearest(List<String> name) {
		List<List<String>> nearest = new ArrayList<>();
		int least = Math.max(SMALL_DISTANCE, letters(name.subList(1, name.size())).length() / LETTERS_PER_ERROR);
		for (List<String> key : TYPES.keySet()) {
			List<String> filled = filled(key, name);
			if (filled == null) {
				continue;
			}
			int distance = distance(name, filled);
			if (distance < least) {
				nearest.clear();
				least = distance;
			}
			if (distance == least) {
				nearest.add(filled);
			}
		}
		return nearest;
	}

	/**
	 * What stands for a name comes before all that has hyphens, so it has the same place
	 * in both.
	 */
	private static @Nullable List<String> filled(List<String> key, List<String> name) {
		List<String> filled = new ArrayList<>(key);
		for (int i = 0; i < key.size(); i++) {
			boolean all = key.get(i).equals(ALL);
			if (all || key.get(i).equals(NAME)) {
				if (i >= name.size()) {
					return null;
				}
				filled.set(i, all ? String.join(".", name.subList(i, name.size())) : name.get(i));
			}
		}
		return filled;
	}

	private static int distance(List<String> name, List<String> key) {
		int missing = key.size() - name.size();
		if (missing > 0
				&& letters(key.subList(missing + 1, key.size())).equals(letters(name.subList(1, name.size())))) {
			return 1;
		}
		return distance(letters(name), letters(key));
	}

	/**
	 * How many letters have to be put in, left out or changed (Levenshtein).
	 */
	private static int distance(String name, String key) {
		int[] costs = new int[key.length() + 1];
		Arrays.setAll(costs, (i) -> i);
		for (int i = 1; i <= name.length(); i++) {
			int before = costs[0];
			costs[0] = i;
			for (int j = 1; j <= key.length(); j++) {
				int changed = before + ((name.charAt(i - 1) == key.charAt(j - 1)) ? 0 : 1);
				before = costs[j];
				costs[j] = Math.min(changed, 1 + Math.min(costs[j], costs[j - 1]));
			}
		}
		return costs[key.length()];
	}

	private static String letters(List<String> elements) {
		return String.join("", elements).replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
	}

}
