package io.gatewaybench.benchmark.result;

import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Derives the JSON schema of a record tree, so that the published one cannot fall behind
 * the code: every component is there, {@code null} only where the code says so, and
 * nothing else is.
 */
final class RecordSchema {

	private final JsonMapper mapper = JsonMapper.shared();

	private final Map<String, ObjectNode> definitions = new TreeMap<>();

	ObjectNode of(Class<? extends Record> root, String title, String id) {
		ObjectNode schema = this.mapper.createObjectNode();
		schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
		schema.put("$id", "urn:gateway-bench:" + id);
		schema.put("title", title);
		schema.put("$ref", reference(root));
		ObjectNode all = schema.putObject("$defs");
		this.definitions.forEach(all::set);
		return schema;
	}

	private String reference(Class<?> record) {
		String name = record.getSimpleName();
		if (!this.definitions.containsKey(name)) {
			ObjectNode definition = this.mapper.createObjectNode();
			this.definitions.put(name, definition);
			definition.put("type", "object");
			definition.put("additionalProperties", false);
			List<String> names = new ArrayList<>();
			ObjectNode properties = definition.putObject("properties");
			for (RecordComponent component : record.getRecordComponents()) {
				names.add(component.getName());
				properties.set(component.getName(), schema(component.getAnnotatedType()));
			}
			names.forEach(definition.putArray("required")::add);
		}
		return "#/$defs/" + name;
	}

	private ObjectNode schema(AnnotatedType annotated) {
		ObjectNode schema = schema(annotated.getType(), annotated);
		if (!annotated.isAnnotationPresent(Nullable.class)) {
			return schema;
		}
		ObjectNode either = this.mapper.createObjectNode();
		either.putArray("anyOf").add(schema).add(this.mapper.createObjectNode().put("type", "null"));
		return either;
	}

	private ObjectNode schema(Type type, AnnotatedType annotated) {
		ObjectNode schema = this.mapper.createObjectNode();
		if (type instanceof ParameterizedType parameterized) {
			AnnotatedType[] arguments = ((AnnotatedParameterizedType) annotated).getAnnotatedActualTypeArguments();
			if (parameterized.getRawType() == List.class) {
				schema.put("type", "array").set("items", schema(arguments[0]));
			}
			else {
				schema.put("type", "object").set("additionalProperties", schema(arguments[1]));
			}
			return schema;
		}
		Class<?> raw = (Class<?>) type;
		if (raw.isRecord()) {
			return schema.put("$ref", reference(raw));
		}
		if (raw.isEnum()) {
			schema.put("type", "string");
			Arrays.stream(raw.getEnumConstants())
				.map((constant) -> ((Enum<?>) constant).name())
				.forEach(schema.putArray("enum")::add);
			return schema;
		}
		if (raw == Duration.class) {
			return schema.put("type", "string").put("pattern", "^PT[0-9HMS.]+$");
		}
		if (raw == Instant.class) {
			return schema.put("type", "string").put("format", "date-time");
		}
		return schema.put("type", switch (raw.getSimpleName()) {
			case "int", "long", "Integer", "Long" -> "integer";
			case "double", "Double" -> "number";
			case "boolean", "Boolean" -> "boolean";
			case "String" -> "string";
			default -> throw new IllegalArgumentException("No schema for " + raw);
		});
	}

}
