package io.gatewaybench.benchmark.suite;

import java.net.URI;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.gatewaybench.benchmark.load.InvalidValueException;

/**
 * A comparison: variants under the same loads.
 *
 * @param name the name on the command line
 * @param title what it is about
 * @param study what it reproduces, {@code null} if nothing was published
 * @param components what runs for the whole run, in the order of start: the backends
 * @param question what it is run for
 * @param choose what a user should choose in which case, in sentences
 * @param scenarios the rows of a usual run, in the order of reports
 * @param optionalScenarios the same with what a usual run leaves out to save time, for
 * users who choose
 * @param fullScenarios the rows of a full run
 * @param failIf what must not hold in a run, one after the other
 */
public record Suite(String name, String title, @Nullable Study study, Map<String, Component> components,
		Question question, List<String> choose, List<Scenario> scenarios, List<Scenario> optionalScenarios,
		List<Scenario> fullScenarios, List<FailIf> failIf) {

	/**
	 * A condition on the figures of a run that must not hold, not yet read.
	 *
	 * @param condition the condition, such as {@code webmvc.cpu > 1.10 * webflux.cpu}
	 * @param place file, line and key of it, for messages
	 */
	public record FailIf(String condition, String place) {
	}

	/**
	 * The same suite with more to choose from.
	 * @param advice what a user should do in which case
	 * @return a copy
	 */
	public Suite advising(List<String> advice) {
		return new Suite(this.name, this.title, this.study, this.components, this.question,
				Stream.concat(this.choose.stream(), advice.stream()).toList(), this.scenarios, this.optionalScenarios,
				this.fullScenarios, this.failIf);
	}

	/**
	 * Where a variant is before anything runs.
	 * @param variant the variant
	 * @return {@code http://host:port}; {@code null} if the runner starts it, or the
	 * backend that it stands for
	 */
	public @Nullable URI address(Variant variant) {
		if (!(variant.component() instanceof Component.Remote remote)) {
			return null;
		}
		Component component = remote;
		if (remote.isReference()) {
			component = this.components.get(remote.url().replaceAll("^\\$\\{|\\.url}$", ""));
		}
		return (component instanceof Component.Remote known && !known.isReference())
				? URI.create(known.url().replaceAll("/$", "")) : null;
	}

	static <T> List<T> copy(@Nullable List<T> list) {
		return (list != null) ? List.copyOf(list) : List.of();
	}

	// Keeps the order, in which components start
	static <T extends @Nullable Object> Map<String, T> copy(@Nullable Map<String, T> map) {
		return (map != null) ? Collections.unmodifiableMap(new LinkedHashMap<>(map)) : Map.of();
	}

	static String checkId(String key, String id) {
		InvalidValueException.unless(id.matches("[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?"), key, id,
				"use up to 64 small letters, digits and hyphens");
		return id;
	}

}
