package io.gatewaybench.benchmark.suite;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

import io.gatewaybench.benchmark.load.DurationText;
import io.gatewaybench.benchmark.load.InvalidValueException;

/**
 * Makes records of the nodes of a suite's file, or says what is wrong with a node.
 *
 * @param tree where the nodes are from
 */
record SuiteBinder(SuiteTree tree) {

	private static final JsonMapper MAPPER = JsonMapper.builder()
		.propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
		.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
		// A flag that is missing is false
		.disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
		.disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
		.disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
		.enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
		.addModule(new SimpleModule().addDeserializer(Duration.class, new DurationDeserializer()))
		.build();

	<T> T bind(List<String> path, JsonNode node, Class<T> type) {
		// Before a key that is misspelled is taken for one that is missing
		checkKeys(path, node, type);
		try {
			return MAPPER.treeToValue(node, type);
		}
		catch (DatabindException ex) {
			List<String> there = new ArrayList<>(path);
			for (JacksonException.Reference reference : ex.getPath()) {
				there.add((reference.getPropertyName() != null) ? reference.getPropertyName()
						: Integer.toString(reference.getIndex()));
			}
			if (ex.getCause() instanceof InvalidValueException invalid) {
				throw invalid(there, invalid);
			}
			throw this.tree.invalid(there, switch (ex) {
				case MismatchedInputException mismatched ->
					value(node, ex.getPath()) + " does not fit; write " + expected(mismatched.getTargetType());
				default -> ex.getOriginalMessage();
			});
		}
	}

	private void checkKeys(List<String> path, JsonNode node, Type type) {
		if (type instanceof ParameterizedType parameterized) {
			Type values = parameterized.getActualTypeArguments()[parameterized.getActualTypeArguments().length - 1];
			node.forEachEntry((key, value) -> checkKeys(SuiteTree.key(path, key), value, values));
			for (int index = 0; node.isArray() && index < node.size(); index++) {
				checkKeys(SuiteTree.key(path, Integer.toString(index)), node.get(index), values);
			}
		}
		else if (type instanceof Class<?> record && record.isRecord()) {
			Map<String, Type> known = new TreeMap<>();
			for (RecordComponent component : record.getRecordComponents()) {
				JsonProperty name = component.getAccessor().getAnnotation(JsonProperty.class);
				known.put((name != null) ? name.value() : kebab(component.getName()), component.getGenericType());
			}
			node.forEachEntry((key, value) -> {
				Type valueType = known.get(key);
				if (valueType == null) {
					throw this.tree.invalid(SuiteTree.key(path, key),
							"there is no such key here; choose one of " + String.join(", ", known.keySet()));
				}
				checkKeys(SuiteTree.key(path, key), value, valueType);
			});
		}
	}

	private static String kebab(String name) {
		return name.matches("[a-z0-9]+[A-Z].*") ? name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT) : name;
	}

	InvalidSuiteException invalid(List<String> path, InvalidValueException ex) {
		List<String> names = Arrays.stream(ex.key().split("\\.")).map(SuiteBinder::kebab).toList();
		List<String> all = Stream.concat(path.stream(), names.stream()).toList();
		List<String> key = new ArrayList<>(path);
		if (this.tree.has(all)) {
			key = all;
		}
		else if (path.isEmpty() || !names.getLast().equals(path.getLast())) {
			key.add(names.getLast());
		}
		return this.tree.invalid(key,
				("null".equals(ex.value()) ? "it is missing; " : ex.value() + " is not possible; ") + ex.advice());
	}

	private static String value(JsonNode node, List<JacksonException.Reference> path) {
		JsonNode value = node;
		for (JacksonException.Reference reference : path) {
			value = (reference.getPropertyName() != null) ? value.path(reference.getPropertyName())
					: value.path(reference.getIndex());
		}
		return value.isArray() ? "a list" : value.isObject() ? "a map" : "'" + value.asString("") + "'";
	}

	private static String expected(@Nullable Class<?> type) {
		if (type == null) {
			return "something else";
		}
		if (type.isEnum()) {
			return "one of " + Arrays.stream(type.getEnumConstants())
				.map((constant) -> constant.toString().toLowerCase(Locale.ROOT))
				.collect(Collectors.joining(", "));
		}
		if (Collection.class.isAssignableFrom(type)) {
			return "a list, such as [a, b]";
		}
		if (Map.class.isAssignableFrom(type) || type.isRecord()) {
			return "keys and values";
		}
		return switch (type.getSimpleName()) {
			case "int", "Integer" -> "a whole number";
			case "double", "Double" -> "a number";
			case "boolean", "Boolean" -> "true or false";
			case "Duration" -> DurationText.EXPECTED;
			default -> "a text, in quotes if it looks like something else";
		};
	}

	/**
	 * Reads {@code 100ms} and {@code 2s}.
	 */
	private static final class DurationDeserializer extends StdDeserializer<Duration> {

		DurationDeserializer() {
			super(Duration.class);
		}

		@Override
		public @Nullable Duration deserialize(JsonParser parser, DeserializationContext context) {
			String text = parser.getString();
			Duration duration = DurationText.parse(text);
			return (duration != null) ? duration
					: (Duration) context.handleWeirdStringValue(Duration.class, text, DurationText.EXPECTED);
		}

	}

}
