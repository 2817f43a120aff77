package io.gatewaybench.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import io.gatewaybench.internal.Spelling;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.origin.Origin;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

/**
 * Says of a key under 'gateway-bench' that does not exist, or of a value of another type,
 * where it is and what to write instead. It comes before those of Spring Boot, which
 * don't tell what to write, and print the passwords in URLs.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class ConfigurationFailureAnalyzer implements FailureAnalyzer {

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of(KnownKeys.PREFIX);

	private static final String INSTANCES = "instances";

	/** By the last element of the key. */
	private static final Map<String, String> EXAMPLES = Map.of("upstreams", ".service.instances: http://host:port",
			"routes", "[0].id: service", "request", ".X-Name: value", "response", ".X-Name: value");

	private static final Map<Class<?>, String> ACTIONS = Map.of(Duration.class,
			"Write a time with its unit, such as 500ms, 5s or 2m.", DataSize.class,
			"Write a size with its unit, such as 256KB or 64MB.", boolean.class, "Write true or false.", Boolean.class,
			"Write true or false.", int.class, "Write a whole number.", Integer.class, "Write a whole number.");

	private final Environment environment;

	ConfigurationFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	public @Nullable FailureAnalysis analyze(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof UnboundConfigurationPropertiesException unbound) {
				return unbound.getUnboundProperties()
					.stream()
					.filter((property) -> PREFIX.isAncestorOf(property.getName()))
					.findFirst()
					.map((property) -> unknownKey(property, failure))
					.orElse(null);
			}
			if (cause instanceof BindException bind
					&& !(bind.getCause() instanceof UnboundConfigurationPropertiesException)) {
				// The one of the exception is lost where keys below it were looked for
				ConfigurationProperty property = (bind.getProperty() != null) ? bind.getProperty()
						: find(bind.getName());
				return (property != null && PREFIX.isAncestorOf(property.getName()))
						? wrongType(property, bind.getTarget().getType().toClass(), failure) : null;
			}
			if (cause instanceof InvalidConfigurationPropertyValueException invalid
					&& String.valueOf(invalid.getValue()).contains(Spelling.HIDDEN)) {
				ConfigurationProperty property = find(ConfigurationPropertyName.adapt(invalid.getName(), '.'));
				Origin origin = (property != null) ? property.getOrigin() : null;
				return new FailureAnalysis(
						invalid(invalid.getName(), invalid.getValue(), origin) + " " + invalid.getReason(),
						"Write another value.", failure);
			}
		}
		return null;
	}

	private static FailureAnalysis unknownKey(ConfigurationProperty property, Throwable failure) {
		List<String> name = elements(property.getName());
		if (!KnownKeys.below(name).isEmpty()) {
			return group(property, failure);
		}
		List<List<String>> nearest = KnownKeys.nearest(name);
		String action = nearest.isEmpty() ? "Remove it. " + others(name) : "Write "
				+ nearest.stream().map(ConfigurationFailureAnalyzer::quoted).collect(Collectors.joining(" or ")) + ".";
		return new FailureAnalysis("There is no configuration property '%s'. It has the value '%s'%s."
			.formatted(property.getName(), Spelling.withoutSecrets(property.getValue()), from(property.getOrigin())),
				action, failure);
	}

	private static String others(List<String> name) {
		List<String> group = name;
		while (KnownKeys.below(group).isEmpty()) {
			group = group.subList(0, group.size() - 1);
		}
		return "Below %s there are %s.".formatted(quoted(group), String.join(", ", KnownKeys.below(group)));
	}

	private static FailureAnalysis wrongType(ConfigurationProperty property, Class<?> type, Throwable failure) {
		if (!KnownKeys.below(elements(property.getName())).isEmpty()) {
			return group(property, failure);
		}
		String action = ACTIONS.getOrDefault(type, "Write another value.");
		if (type.isEnum()) {
			action = Arrays.stream(type.getEnumConstants())
				.map((constant) -> ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-'))
				.sorted()
				.collect(Collectors.joining(", ", "Write one of ", "."));
		}
		return new FailureAnalysis(invalid(property.getName(), property.getValue(), property.getOrigin()), action,
				failure);
	}

	private static FailureAnalysis group(ConfigurationProperty property, Throwable failure) {
		List<String> below = KnownKeys.below(elements(property.getName()));
		String last = property.getName().getLastElement(Form.DASHED);
		String example = EXAMPLES.getOrDefault(last,
				below.contains(INSTANCES) ? "." + INSTANCES + ": http://host:port" : "." + below.get(0));
		return new FailureAnalysis(
				invalid(property.getName(), property.getValue(), property.getOrigin())
						+ " It has keys below it, and no value of its own.",
				"Write '%s%s'.".formatted(property.getName(), example), failure);
	}

	private @Nullable ConfigurationProperty find(ConfigurationPropertyName name) {
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			ConfigurationProperty found = source.getConfigurationProperty(name);
			if (found != null) {
				return found;
			}
		}
		return null;
	}

	private static String invalid(Object property, @Nullable Object value, @Nullable Origin origin) {
		return "Invalid value '%s' for configuration property '%s'%s.".formatted(Spelling.withoutSecrets(value),
				property, from(origin));
	}

	private static String from(@Nullable Origin origin) {
		return (origin != null) ? " (originating from %s)".formatted(origin) : "";
	}

	static List<String> elements(ConfigurationPropertyName name) {
		List<String> elements = new ArrayList<>();
		for (int i = 0; i < name.getNumberOfElements(); i++) {
			elements.add(name.getElement(i, Form.ORIGINAL));
		}
		return elements;
	}

	static String quoted(List<String> key) {
		StringBuilder text = new StringBuilder("'" + key.get(0));
		for (String element : key.subList(1, key.size())) {
			text.append(element.matches("[A-Za-z][A-Za-z0-9-]*") ? "." + element : "[" + element + "]");
		}
		return text.append("'").toString();
	}

}
