package io.gatewaybench.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.netty.handler.codec.http.HttpResponseStatus;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * A value in a profile, with its place for error messages.
 *
 * @param file name of the file
 * @param path keys from the root, such as {@code endpoints.heavy.latency.mean}
 * @param node the value as parsed
 */
record ProfileNode(String file, String path, Node node) {

	/**
	 * Reads a mapping, whatever its keys are.
	 */
	Map<String, ProfileNode> mapping() throws ProfileException {
		if (!(this.node instanceof MappingNode mapping)) {
			throw expected("a mapping");
		}
		Map<String, ProfileNode> result = new LinkedHashMap<>();
		for (NodeTuple tuple : mapping.getValue()) {
			if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
				throw at(tuple.getKeyNode(), this.path, "expected a key that is plain text");
			}
			ProfileNode value = new ProfileNode(this.file, child(key.getValue()), tuple.getValueNode());
			if (result.put(key.getValue(), value) != null) {
				throw at(key, value.path, "the key is there twice, remove one");
			}
		}
		return result;
	}

	/**
	 * Reads a mapping of which all possible keys are known.
	 * @param allowed the possible keys
	 */
	Map<String, ProfileNode> mapping(String... allowed) throws ProfileException {
		Map<String, ProfileNode> result = mapping();
		for (NodeTuple tuple : ((MappingNode) this.node).getValue()) {
			String key = ((ScalarNode) tuple.getKeyNode()).getValue();
			if (!Arrays.asList(allowed).contains(key)) {
				throw at(tuple.getKeyNode(), child(key), "unknown key, expected "
						+ ((allowed.length == 1) ? "" : "one of ") + String.join(", ", allowed));
			}
		}
		return result;
	}

	List<ProfileNode> sequence(String expected) throws ProfileException {
		if (!(this.node instanceof SequenceNode sequence)) {
			throw expected(expected);
		}
		List<ProfileNode> result = new ArrayList<>();
		for (Node element : sequence.getValue()) {
			result.add(new ProfileNode(this.file, this.path + "[" + result.size() + "]", element));
		}
		return result;
	}

	double number(double min, double max, String expected) throws ProfileException {
		if (this.node instanceof ScalarNode scalar
				&& (scalar.getTag().equals(Tag.INT) || scalar.getTag().equals(Tag.FLOAT))) {
			try {
				double value = Double.parseDouble(scalar.getValue());
				if (value >= min && value <= max) {
					return value;
				}
			}
			catch (NumberFormatException ex) {
				// YAML has numbers that Java hasn't, such as 1_000: refused below like
				// the rest
			}
		}
		throw expected(expected);
	}

	double milliseconds() throws ProfileException {
		return number(0, Profile.MAX_MILLIS, ProfileReader.MILLISECONDS);
	}

	long seed() throws ProfileException {
		if (this.node instanceof ScalarNode scalar && scalar.getTag().equals(Tag.INT)) {
			try {
				return Long.parseLong(scalar.getValue());
			}
			catch (NumberFormatException ex) {
				// Out of range, or a notation that Java hasn't: refused below
			}
		}
		throw expected("an integer of 64 bits");
	}

	String oneOf(String... allowed) throws ProfileException {
		if (this.node instanceof ScalarNode scalar && Arrays.asList(allowed).contains(scalar.getValue())) {
			return scalar.getValue();
		}
		throw expected("one of " + String.join(", ", allowed));
	}

	/**
	 * Reads what is answered when something goes wrong.
	 */
	Fault.Effect neverOrStatus() throws ProfileException {
		if (this.node instanceof ScalarNode scalar) {
			if (scalar.getValue().equals("never")) {
				return Fault.Breach.SILENCE;
			}
			if (scalar.getValue().matches("[45]\\d\\d")) {
				return new Fault.Error(HttpResponseStatus.valueOf(Integer.parseInt(scalar.getValue())));
			}
		}
		throw expected("never, or a status from 400 to 599");
	}

	PayloadMode payload() throws ProfileException {
		return PayloadMode.valueOf(oneOf("prepared", "generated").toUpperCase(Locale.ROOT));
	}

	/**
	 * Returns the error for a value that doesn't fit.
	 * @param expected what would fit
	 */
	ProfileException expected(String expected) {
		return at(this.node, this.path, describe(this.node) + ", expected " + expected);
	}

	/**
	 * Returns the error for a key that isn't there.
	 * @param key the key
	 * @param expected the value it takes
	 */
	ProfileException missing(String key, String expected) {
		return at(this.node, child(key), "missing, expected " + expected);
	}

	private ProfileException at(Node place, String path, String message) {
		int line = place.getStartMark().getLine() + 1;
		return new ProfileException(this.file + ":" + line + ": " + (path.isEmpty() ? "" : path + ": ") + message);
	}

	private String child(String key) {
		return this.path.isEmpty() ? key : this.path + "." + key;
	}

	private static String describe(Node node) {
		if (node instanceof ScalarNode scalar) {
			return "'" + scalar.getValue() + "'";
		}
		return (node instanceof SequenceNode) ? "a list" : "a mapping";
	}

}
