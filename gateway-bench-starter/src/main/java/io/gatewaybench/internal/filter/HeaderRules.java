package io.gatewaybench.internal.filter;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * Headers that are set on every message of one direction. Immutable; a header of the same
 * name that the message already has is replaced. Customizers come last.
 */
public final class HeaderRules {

	private final String[] names;

	private final String[] values;

	private final List<BiConsumer<@Nullable String, HttpHeaders>> customizers;

	private HeaderRules(String[] names, String[] values, List<BiConsumer<@Nullable String, HttpHeaders>> customizers) {
		this.names = names;
		this.values = values;
		this.customizers = customizers;
	}

	/**
	 * Create rules.
	 * @param headers values by name
	 * @return the rules
	 * @throws IllegalArgumentException if a name is not a token of RFC 9110, frames or
	 * routes the message, or a value has control characters; the message says which and
	 * why
	 */
	public static HeaderRules of(Map<String, String> headers) {
		headers.forEach(HeaderSyntax::check);
		return new HeaderRules(headers.keySet().toArray(String[]::new), headers.values().toArray(String[]::new),
				List.of());
	}

	/**
	 * Let others change the headers after these rules.
	 * @param customizers what changes the headers of a message, with the id of its route
	 * @return rules that set the same headers, and then ask the customizers in this order
	 */
	public HeaderRules customizedBy(List<BiConsumer<@Nullable String, HttpHeaders>> customizers) {
		return new HeaderRules(this.names, this.values, List.copyOf(customizers));
	}

	/**
	 * Whether others change the headers, too. To set the headers twice does nothing more
	 * than to set them once, but others may add some.
	 * @return whether there are customizers
	 */
	public boolean isCustomized() {
		return !this.customizers.isEmpty();
	}

	/**
	 * Set the headers.
	 * @param route id of the route that the message takes, {@code null} if it has none
	 * @param headers headers of the message
	 * @throws IllegalArgumentException if a customizer leaves a name or a value that no
	 * message can have
	 */
	public void applyTo(@Nullable String route, HttpHeaders headers) {
		for (int i = 0; i < this.names.length; i++) {
			headers.set(this.names[i], this.values[i]);
		}
		if (!this.customizers.isEmpty()) {
			this.customizers.forEach((customizer) -> customizer.accept(route, headers));
			MutableHttpHeaders.check(headers);
		}
	}

}
