package io.gatewaybench.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.gatewaybench.internal.Spelling;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * Tells what Spring Boot ignores or changes without a word: environment variables and
 * system properties that it does not know, names with characters that it leaves out, and
 * times without a unit.
 */
final class ConfiguredNames {

	private static final Log logger = LogFactory.getLog(ConfiguredNames.class);

	private static final Pattern NAME = Pattern.compile(
			"gateway-?bench\\.(?:upstreams\\.(?<upstream>[^.\\[]+)|headers\\.re(?:quest|sponse)\\.(?<header>[^\\[]+)).*",
			Pattern.CASE_INSENSITIVE);

	private static final Pattern LEFT_OUT = Pattern.compile("[^A-Za-z0-9.-]");

	private static final Pattern WITHOUT_UNIT = Pattern.compile("\\s*[+-]?\\d*[1-9]\\d*\\s*");

	private static final String VARIABLE_PREFIX = "GATEWAYBENCH_";

	private static final String HYPHENATED_PREFIX = "GATEWAY_BENCH_";

	/**
	 * Kubernetes sets these for services whose names begin with 'gateway-bench'.
	 */
	private static final Pattern OF_KUBERNETES = Pattern
		.compile("GATEWAY_?BENCH_(.+_)?(SERVICE_(HOST|PORT(_.*)?)|PORT(_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)");

	private ConfiguredNames() {
	}

	/**
	 * Tell all of it.
	 * @param environment the environment
	 * @param upstreams the names of the upstreams
	 * @throws InvalidConfigurationPropertyValueException for what is surely not meant
	 */
	static void check(ConfigurableEnvironment environment, Set<String> upstreams) {
		for (PropertySource<?> source : environment.getPropertySources()) {
			if (StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME.equals(source.getName())) {
				names(source).forEach(ConfiguredNames::warnOfVariable);
			}
			else {
				names(source).forEach((name) -> refuseChangedName(name, source));
			}
			if (StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME.equals(source.getName())) {
				names(source).forEach(ConfiguredNames::warnOfSystemProperty);
			}
		}
		KnownKeys.ofType(Duration.class).forEach((key) -> {
			int name = key.indexOf(KnownKeys.NAME);
			if (name < 0) {
				refuseTimeWithoutUnit(key, environment);
			}
			else {
				List<String> ofUpstream = new ArrayList<>(key);
				upstreams.forEach((upstream) -> {
					ofUpstream.set(name, upstream);
					refuseTimeWithoutUnit(ofUpstream, environment);
				});
			}
		});
	}

	private static List<String> names(PropertySource<?> source) {
		return (source instanceof EnumerablePropertySource<?> enumerable) ? Arrays.asList(enumerable.getPropertyNames())
				: List.of();
	}

	private static void warnOfVariable(String variable) {
		boolean hyphenated = variable.startsWith(HYPHENATED_PREFIX);
		if ((!hyphenated && !variable.startsWith(VARIABLE_PREFIX)) || OF_KUBERNETES.matcher(variable).matches()) {
			return;
		}
		List<String> name = new ArrayList<>(List.of(KnownKeys.PREFIX));
		String rest = variable.substring(hyphenated ? HYPHENATED_PREFIX.length() : VARIABLE_PREFIX.length());
		name.addAll(Arrays.asList(rest.toLowerCase(Locale.ROOT).split("_")));
		List<List<String>> nearest = KnownKeys.nearest(name);
		if (nearest.stream().anyMatch((key) -> isRead(variable, key))) {
			return;
		}
		boolean upstreams = name.contains("upstreams");
		if (upstreams) {
			// What is too long is more likely the name of the upstream
			nearest.removeIf((key) -> key.size() < name.size() && !letters(key).equals(letters(name)));
		}
		warn("environment variable " + variable, nearest,
				(key) -> variable(key) + " for " + ConfigurationFailureAnalyzer.quoted(key),
				upstreams ? " Names with hyphens can't be in a variable, but in SPRING_APPLICATION_JSON." : "");
	}

	private static String letters(List<String> key) {
		return variable(key).replace("_", "");
	}

	private static void warnOfSystemProperty(String property) {
		if (property.startsWith(KnownKeys.PREFIX + ".")) {
			List<String> name = ConfigurationFailureAnalyzer.elements(ConfigurationPropertyName.adapt(property, '.'));
			List<List<String>> nearest = KnownKeys.nearest(name);
			if (nearest.stream().noneMatch((key) -> variable(key).equals(variable(name)))) {
				warn("system property " + property, nearest, ConfigurationFailureAnalyzer::quoted, "");
			}
		}
	}

	private static void warn(String name, List<List<String>> nearest, Function<List<String>, String> form,
			String more) {
		logger.warn("The %s may be ignored. %s%s".formatted(name, nearest.isEmpty() ? "There is no such property."
				: nearest.stream().map(form).collect(Collectors.joining(" or ", "Write ", ".")), more));
	}

	/**
	 * With hyphens as underscores Spring Boot finds what it asks for, but no names.
	 */
	private static boolean isRead(String variable, List<String> key) {
		return variable.equals(variable(key)) || (KnownKeys.contains(key)
				&& variable.equals(String.join("_", key).replace('-', '_').toUpperCase(Locale.ROOT)));
	}

	private static String variable(List<String> key) {
		return String.join("_", key).replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT);
	}

	/**
	 * The names of upstreams and headers lose what Spring Boot allows in brackets only.
	 */
	private static void refuseChangedName(String property, PropertySource<?> source) {
		Matcher name = NAME.matcher(property);
		if (!name.matches()) {
			return;
		}
		String written = (name.group("upstream") != null) ? name.group("upstream") : name.group("header");
		String read = LEFT_OUT.matcher(written).replaceAll("");
		if (!read.equals(written)) {
			throw new InvalidConfigurationPropertyValueException(property,
					Spelling.withoutSecrets(source.getProperty(property)),
					"The name '%1$s' would be read as '%2$s'. Write '%2$s', or '[%1$s]' in quotes.".formatted(written,
							read));
		}
	}

	private static void refuseTimeWithoutUnit(List<String> key, ConfigurableEnvironment environment) {
		String name = ConfigurationFailureAnalyzer.quoted(key).replace("'", "");
		String value = environment.getProperty(name.toLowerCase(Locale.ROOT));
		if (value != null && WITHOUT_UNIT.matcher(value).matches()) {
			throw new InvalidConfigurationPropertyValueException(name, value,
					"A time needs its unit, such as %1$sms or %1$ss.".formatted(value.strip()));
		}
	}

}
