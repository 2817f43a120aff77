package io.gatewaybench.sim;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;

/**
 * Reads a profile from YAML and refuses whatever it doesn't understand.
 */
final class ProfileReader {

	private static final String[] ENDPOINTS = Arrays.stream(Endpoint.values())
		.map(Endpoint::key)
		.toArray(String[]::new);

	static final String MILLISECONDS = "a number of milliseconds from 0 to " + Profile.MAX_MILLIS;

	private ProfileReader() {
	}

	/**
	 * Reads a profile.
	 * @param file the YAML file, UTF-8
	 * @return the defaults, changed by what the file says
	 * @throws ProfileException if the file can't be read or is wrong
	 */
	static Profile read(Path file) throws ProfileException {
		String yaml;
		try {
			yaml = Files.readString(file);
		}
		catch (CharacterCodingException ex) {
			throw new ProfileException(file + ": is not UTF-8 text");
		}
		catch (IOException ex) {
			throw new ProfileException(file + ": cannot be read (" + ex + ")");
		}
		return read(file.toString(), yaml);
	}

	/**
	 * Reads a profile.
	 * @param file name of the file, for messages
	 * @param yaml what it contains
	 * @return the defaults, changed by what the file says
	 * @throws ProfileException if it is wrong
	 */
	static Profile read(String file, String yaml) throws ProfileException {
		Node root = parse(file, yaml);
		return (root != null) ? profile(new ProfileNode(file, "", root)) : Profile.defaults();
	}

	private static @Nullable Node parse(String file, String yaml) throws ProfileException {
		try {
			// Only composed, never constructed: nodes know their line, and no type is
			// ever instantiated
			return new Yaml(new LoaderOptions()).compose(new StringReader(yaml));
		}
		catch (MarkedYAMLException ex) {
			String line = (ex.getProblemMark() != null) ? ":" + (ex.getProblemMark().getLine() + 1) : "";
			throw new ProfileException(file + line + ": not valid YAML, " + ex.getProblem());
		}
		catch (YAMLException ex) {
			throw new ProfileException(file + ": not valid YAML, " + ex.getMessage());
		}
	}

	private static Profile profile(ProfileNode root) throws ProfileException {
		Map<String, ProfileNode> keys = root.mapping("seed", "payload", "endpoints", "instances");
		Map<Endpoint, EndpointSettings> defaults = new EnumMap<>(Endpoint.class);
		for (Map.Entry<Endpoint, EndpointSettings> entry : Profile.defaults().endpoints().entrySet()) {
			defaults.put(entry.getKey(), settings(keys, entry.getValue()));
		}
		Map<Endpoint, EndpointSettings> endpoints = endpoints(keys.get("endpoints"), defaults);
		Map<String, Map<Endpoint, EndpointSettings>> instances = new HashMap<>();
		ProfileNode overrides = keys.get("instances");
		if (overrides != null) {
			for (Map.Entry<String, ProfileNode> entry : overrides.mapping().entrySet()) {
				instances.put(entry.getKey(), endpoints(entry.getValue(), endpoints));
			}
		}
		return new Profile(endpoints, instances);
	}

	private static Map<Endpoint, EndpointSettings> endpoints(@Nullable ProfileNode node,
			Map<Endpoint, EndpointSettings> defaults) throws ProfileException {
		Map<Endpoint, EndpointSettings> result = new EnumMap<>(defaults);
		if (node != null) {
			Map<String, ProfileNode> keys = node.mapping(ENDPOINTS);
			for (Map.Entry<Endpoint, EndpointSettings> entry : defaults.entrySet()) {
				ProfileNode own = keys.get(entry.getKey().key());
				if (own != null) {
					result.put(entry.getKey(),
							settings(own.mapping("latency", "payload", "seed", "fault"), entry.getValue()));
				}
			}
		}
		return result;
	}

	private static EndpointSettings settings(Map<String, ProfileNode> keys, EndpointSettings defaults)
			throws ProfileException {
		ProfileNode latency = keys.get("latency");
		ProfileNode payload = keys.get("payload");
		ProfileNode seed = keys.get("seed");
		ProfileNode fault = keys.get("fault");
		return new EndpointSettings((latency != null) ? latency(latency) : defaults.latency(),
				(payload != null) ? payload.payload() : defaults.payload(),
				(seed != null) ? seed.seed() : defaults.seed(), (fault != null) ? fault(fault) : defaults.fault());
	}

	private static Fault fault(ProfileNode node) throws ProfileException {
		Map<String, ProfileNode> keys = node.mapping("every", "answer");
		String expected = "a whole number of requests from 1 to 1000000";
		ProfileNode every = required(node, keys, "every", expected);
		double count = every.number(1, 1_000_000, expected);
		if (count != Math.rint(count)) {
			throw every.expected(expected);
		}
		return new Fault((int) count,
				required(node, keys, "answer", "never, or a status from 400 to 599").neverOrStatus());
	}

	private static LatencyDistribution latency(ProfileNode node) throws ProfileException {
		Map<String, ProfileNode> keys = node.mapping();
		String[] names = { "fixed", "uniform", "normal", "log-normal", "quantiles" };
		String distribution = required(node, keys, "distribution", "one of " + String.join(", ", names)).oneOf(names);
		return switch (distribution) {
			case "fixed" -> fixed(node);
			case "uniform" -> uniform(node);
			case "normal" -> normal(node);
			case "log-normal" -> logNormal(node);
			default -> quantiles(node);
		};
	}

	private static LatencyDistribution fixed(ProfileNode node) throws ProfileException {
		Map<String, ProfileNode> keys = node.mapping("distribution", "value");
		return new LatencyDistribution.Fixed(milliseconds(node, keys, "value"));
	}

	private static LatencyDistribution uniform(ProfileNode node) throws ProfileException {
		Map<String, ProfileNode> keys = node.mapping("distribution", "min", "max");
		double min = milliseconds(node, keys, "min");
		ProfileNode max = required(node, keys, "max", MILLISECONDS);
		if (max.milliseconds() < min) {
			throw max.expected("at least min (" + min + ")");
		}
		return new LatencyDistribution.Uniform(min, max.milliseconds());
	}

	private static LatencyDistribution normal(ProfileNode node) throws ProfileException {
		Map<String, ProfileNode> keys = node.mapping("distribution", "mean", "stddev", "min");
		double mean = milliseconds(node, keys, "mean");
		double stddev = milliseconds(node, keys, "stddev");
		ProfileNode min = keys.get("min");
		if (min != null && min.milliseconds() > mean) {
			throw min.expected("at most mean (" + mean + ")");
		}
		return new LatencyDistribution.Normal(mean, stddev, (min != null) ? min.milliseconds() : 0);
	}

	private static LatencyDistribution logNormal(ProfileNode node) throws ProfileException {
		boolean byMoments = node.mapping().containsKey("mean");
		String centreKey = byMoments ? "mean" : "median";
		Map<String, ProfileNode> keys = node.mapping("distribution", centreKey, byMoments ? "stddev" : "sigma", "max");
		ProfileNode centre = required(node, keys, centreKey,
				MILLISECONDS + " (median with sigma, or mean with stddev)");
		if (centre.milliseconds() == 0) {
			throw centre.expected("more than 0 milliseconds");
		}
		ProfileNode maxNode = keys.get("max");
		double max = (maxNode != null) ? maxNode.milliseconds() : Profile.MAX_MILLIS;
		if (maxNode != null && max < centre.milliseconds()) {
			throw maxNode.expected("at least " + centreKey + " (" + centre.milliseconds() + ")");
		}
		if (byMoments) {
			return LatencyDistribution.LogNormal.ofMoments(centre.milliseconds(), milliseconds(node, keys, "stddev"),
					max);
		}
		String expected = "a number from 0 to 10, the standard deviation of the logarithm";
		double sigma = required(node, keys, "sigma", expected).number(0, 10, expected);
		return new LatencyDistribution.LogNormal(centre.milliseconds(), sigma, max);
	}

	private static LatencyDistribution quantiles(ProfileNode node) throws ProfileException {
		String expected = "a list of at least two points [probability, milliseconds]";
		Map<String, ProfileNode> keys = node.mapping("distribution", "points");
		ProfileNode pointsNode = required(node, keys, "points", expected);
		List<ProfileNode> points = pointsNode.sequence(expected);
		if (points.size() < 2) {
			throw pointsNode.expected(expected);
		}
		double[] probabilities = new double[points.size()];
		double[] values = new double[points.size()];
		for (int i = 0; i < probabilities.length; i++) {
			List<ProfileNode> pair = points.get(i).sequence("a point [probability, milliseconds]");
			if (pair.size() != 2) {
				throw points.get(i).expected("a point [probability, milliseconds]");
			}
			probabilities[i] = probability(pair.get(0), i, probabilities);
			values[i] = pair.get(1).milliseconds();
			if (i > 0 && values[i] < values[i - 1]) {
				throw pair.get(1).expected("at least the milliseconds of the point before (" + values[i - 1] + ")");
			}
		}
		return new LatencyDistribution.Quantiles(probabilities, values);
	}

	private static double probability(ProfileNode node, int index, double[] before) throws ProfileException {
		double probability = node.number(0, 1, "a probability from 0 to 1");
		if (index == 0 && probability != 0) {
			throw node.expected("0, the probability of the first point");
		}
		if (index > 0 && probability <= before[index - 1]) {
			throw node.expected("more than the probability of the point before (" + before[index - 1] + ")");
		}
		if (index == before.length - 1 && probability != 1) {
			throw node.expected("1, the probability of the last point");
		}
		return probability;
	}

	private static double milliseconds(ProfileNode node, Map<String, ProfileNode> keys, String key)
			throws ProfileException {
		return required(node, keys, key, MILLISECONDS).milliseconds();
	}

	private static ProfileNode required(ProfileNode node, Map<String, ProfileNode> keys, String key, String expected)
			throws ProfileException {
		ProfileNode value = keys.get(key);
		if (value == null) {
			throw node.missing(key, expected);
		}
		return value;
	}

}
