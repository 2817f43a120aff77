package io.gatewaybench.internal.rewrite;

import java.util.Map;
import java.util.function.LongSupplier;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * The tree of Jackson 2.
 */
final class Jackson2Tree implements JsonTree {

	private final JsonMapper mapper = mapper();

	private final String field;

	private final Map<String, Object> members;

	Jackson2Tree(RewriteSettings settings) {
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

	private Rewritten rewrite(ObjectNode object) throws JacksonException {
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
			.enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
			.build();
	}

}
