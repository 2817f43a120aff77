package io.gatewaybench.internal.rewrite;

import java.util.Map;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The tree of Jackson 3.
 */
final class Jackson3Tree implements JsonTree {

	private final JsonMapper mapper = mapper();

	private final String field;

	private final Map<String, Object> members;

	Jackson3Tree(RewriteSettings settings) {
		this.field = settings.field();
		this.members = settings.metadata().members();
	}

	@Override
	public @Nullable Rewritten rewrite(String json) {
		try {
			JsonNode root = this.mapper.readTree(json);
			return (root instanceof ObjectNode object) ? rewrite(object) : null;
		}
		catch (JacksonException | NumberFormatException ex) {
			return null;
		}
	}

	private Rewritten rewrite(ObjectNode object) {
		RewriteOutcome outcome = object.has(this.field) ? RewriteOutcome.REPLACED : RewriteOutcome.ADDED;
		ObjectNode value = object.putObject(this.field);
		this.members.forEach((name, member) -> put(value, name, member));
		return new Rewritten(outcome, this.mapper.writeValueAsBytes(object));
	}

	private static void put(ObjectNode value, String name, Object member) {
		if (member instanceof LongSupplier number) {
			value.put(name, number.getAsLong());
		}
		else {
			value.putPOJO(name, member);
		}
	}

	private static JsonMapper mapper() {
		StreamReadConstraints constraints = StreamReadConstraints.builder()
			.maxNestingDepth(MAX_DEPTH)
			.maxNumberLength(MAX_NUMBER_DIGITS)
			// The largest size of the buffer bounds them already
			.maxStringLength(Integer.MAX_VALUE)
			.maxNameLength(Integer.MAX_VALUE)
			.build();
		return JsonMapper.builder(JsonFactory.builder().streamReadConstraints(constraints).build())
			.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
			.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
			.disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
			.build();
	}

}
