package io.gatewaybench.rewrite;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;

import io.gatewaybench.internal.Spelling;

/**
 * Members of the object that is added to JSON responses, in their order. Names and values
 * are spelled as JSON here, once, so they may be any text.
 *
 * @since 0.1.0
 */
public final class GatewayMetadata {

	private final Map<String, Object> members = new LinkedHashMap<>();

	private GatewayMetadata() {
	}

	/**
	 * Begin with the members that are always there: {@code type}, {@code timestamp} and
	 * {@code processed}, which is {@code true}.
	 * @param type value of {@code type}, {@code WebFlux} or {@code WebMVC}
	 * @param clock value of {@code timestamp}, in milliseconds since the epoch
	 * @return the members, to which others can be added
	 */
	public static GatewayMetadata of(String type, LongSupplier clock) {
		return new GatewayMetadata().add("type", type).add("timestamp", clock).add("processed", true);
	}

	/**
	 * Add a text.
	 * @param name name of the member
	 * @param value its value
	 * @return these members
	 * @throws IllegalArgumentException if there is a member of that name
	 */
	public GatewayMetadata add(String name, String value) {
		return put(name, value);
	}

	/**
	 * Add a number.
	 * @param name name of the member
	 * @param value its value
	 * @return these members
	 * @throws IllegalArgumentException if there is a member of that name
	 */
	public GatewayMetadata add(String name, long value) {
		return put(name, value);
	}

	/**
	 * Add {@code true} or {@code false}.
	 * @param name name of the member
	 * @param value its value
	 * @return these members
	 * @throws IllegalArgumentException if there is a member of that name
	 */
	public GatewayMetadata add(String name, boolean value) {
		return put(name, value);
	}

	/**
	 * Add a number that differs from response to response.
	 * @param name name of the member
	 * @param value tells its value, for each response and by many threads at a time
	 * @return these members
	 * @throws IllegalArgumentException if there is a member of that name
	 */
	public GatewayMetadata add(String name, LongSupplier value) {
		return put(name, value);
	}

	private GatewayMetadata put(String name, Object value) {
		if (this.members.putIfAbsent(name, Objects.requireNonNull(value, name)) != null) {
			throw new IllegalArgumentException(
					"The field has a member %s already; choose another name".formatted(Spelling.json(name)));
		}
		return this;
	}

	/**
	 * The members, in their order.
	 * @return values of type {@link String}, {@link Long}, {@link Boolean} or
	 * {@link LongSupplier} by name, which cannot be changed
	 */
	public Map<String, Object> members() {
		return Collections.unmodifiableMap(this.members);
	}

}
