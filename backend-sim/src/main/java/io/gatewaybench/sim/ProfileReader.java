package io.gatewaybench.sim;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonPointer;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.EnumNamingStrategies;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.InvalidTypeIdException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.exc.ValueInstantiationException;
import tools.jackson.dataformat.yaml.YAMLAnchorReplayingFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Reads a profile from YAML and refuses whatever it doesn't understand.
 *
 * @param file name of the file, for messages
 * @param lines where each key and each element of a list is
 */
record ProfileReader(String file, Map<JsonPointer, Integer> lines) {

	private static final YAMLMapper MAPPER = YAMLMapper.builder(new YAMLAnchorReplayingFactory())
		.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
		.disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
		.disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
		.enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
		.enumNamingStrategy(EnumNamingStrategies.LOWER_CASE)
		.build();

	private static final String NUMBER = "a number such as 20 or 0.5, of milliseconds in a latency";

	private static final Map<Class<?>, String> EXPECTED = Map.of(double.class, NUMBER, Double.class, NUMBER,
			double[].class, "numbers in a point [probability, milliseconds]", double[][].class,
			"a list of points [probability, milliseconds]", Long.class, "an integer of 64 bits", PayloadMode.class,
			"one of prepared, generated", String.class, "a text");

	// The last line that it names is where the YAML is wrong, the first one where the
	// surrounding value begins
	private static final Pattern LAST_LINE = Pattern.compile("(?s).*line (\\d+), column");

	/**
	 * Reads a profile.
	 * @param file the YAML file, UTF-8
	 * @return the defaults, changed by what the file says
	 * @throws ProfileException if the file can't be read or is wrong
	 */
	static Profile read(Path file) throws ProfileException {
		try {
			return read(file.toString(), Files.readString(file));
		}
		catch (CharacterCodingException ex) {
			throw new ProfileException(file + ": is not UTF-8 text");
		}
		catch (IOException ex) {
			throw new ProfileException(file + ": cannot be read (" + ex + ")");
		}
	}

	static Profile read(String file, String yaml) throws ProfileException {
		ProfileReader reader = new ProfileReader(file, new HashMap<>());
		JsonNode root = reader.parse(yaml);
		try {
			return root.isMissingNode() ? Profile.defaults() : MAPPER.treeToValue(root, ProfileFile.class);
		}
		catch (JacksonException ex) {
			throw reader.invalid(root, ex);
		}
	}

	private JsonNode parse(String yaml) throws ProfileException {
		try (JsonParser parser = MAPPER.createParser(yaml)) {
			for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
				JsonPointer place = parser.streamReadContext().pathAsPointer();
				int line = parser.currentTokenLocation().getLineNr();
				boolean again = this.lines.putIfAbsent(place, line) != null;
				if (again && (token == JsonToken.PROPERTY_NAME || (place.matches() && !token.isStructEnd()))) {
					throw at(place, "is there again in line " + line + ", remove one");
				}
				// Jackson takes null for a missing key, and can't read .nan and .inf
				String text = parser.getString();
				if (token == JsonToken.VALUE_NULL || (token.isNumeric() && !text.matches("[-+.0-9eE]+"))) {
					throw at(place, "'" + text + "', expected a value, and a finite one");
				}
			}
			return MAPPER.readTree(yaml);
		}
		catch (JacksonException ex) {
			String problem = String.valueOf(ex.getOriginalMessage());
			Matcher line = LAST_LINE.matcher(problem);
			throw new ProfileException("%s:%s: not valid YAML, %s".formatted(this.file,
					line.lookingAt() ? line.group(1) : ex.getLocation().getLineNr(),
					problem.lines().filter((text) -> !text.startsWith(" ")).collect(Collectors.joining(", "))));
		}
	}

	private ProfileException invalid(JsonNode root, JacksonException ex) {
		JsonPointer place = ex.getPath()
			.stream()
			.map((step) -> (step.getPropertyName() != null) ? JsonPointer.empty().appendProperty(step.getPropertyName())
					: JsonPointer.empty().appendIndex(step.getIndex()))
			.reduce(JsonPointer.empty(), JsonPointer::append);
		return switch (ex) {
			case UnrecognizedPropertyException unknown ->
				at(place, "unknown key, expected one of " + unknown.getKnownPropertyIds());
			case InvalidFormatException unknown when unknown.getTargetType() == Endpoint.class ->
				at(place.appendProperty(String.valueOf(unknown.getValue())),
						"unknown key, expected one of " + Arrays.stream(Endpoint.values()).map(Endpoint::key).toList());
			case InvalidTypeIdException unknown when root.at(place).isObject() -> wrong(root,
					place.appendProperty("distribution"), "one of fixed, uniform, normal, log-normal, quantiles");
			case ValueInstantiationException refused -> {
				// From Profile.check
				String[] check = String.valueOf(Objects.requireNonNull(refused.getCause()).getMessage()).split(": ", 2);
				yield wrong(root, place.append(JsonPointer.compile("/" + check[0])), check[1]);
			}
			case MismatchedInputException other when other.getTargetType() != null ->
				wrong(root, place, EXPECTED.getOrDefault(other.getTargetType(), "a mapping"));
			case InputCoercionException tooLong -> wrong(root, place, "an integer of 64 bits");
			default -> wrong(root, place, "a mapping");
		};
	}

	private ProfileException wrong(JsonNode root, JsonPointer place, String expected) {
		JsonNode node = root.at(place);
		String value = switch (node.getNodeType()) {
			case MISSING -> "missing beside " + root.at(place.head()).propertyNames();
			case OBJECT -> "a mapping";
			case ARRAY -> "a list";
			default -> "'" + node.asString() + "'";
		};
		return at(place, value + ", expected " + expected);
	}

	private ProfileException at(JsonPointer place, String problem) {
		// What is missing has the line of the mapping
		Integer line = this.lines.getOrDefault(place, this.lines.get(place.head()));
		String keys = place.toString().replaceAll("/(\\d+)", "[$1]").replace('/', '.').replaceFirst("^\\.", "");
		return new ProfileException(
				this.file + ":" + line + ": " + (keys.isEmpty() ? "the document" : keys) + ": " + problem);
	}

}
