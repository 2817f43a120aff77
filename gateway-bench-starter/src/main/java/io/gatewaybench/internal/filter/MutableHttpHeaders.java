package io.gatewaybench.internal.filter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

import org.springframework.http.HttpHeaders;
import org.springframework.util.CollectionUtils;

/**
 * Headers of one message on their way through the filters of a gateway. Nothing else
 * refers to them, so a filter may change them in place. The gateways' filters can't know
 * that, and each of them copies all headers. Not safe for use by several threads.
 */
public final class MutableHttpHeaders extends HttpHeaders {

	private static final long serialVersionUID = 1L;

	private static final int EXPECTED = 16;

	private static final String FORWARDED = "Forwarded";

	private static final String FOR = "for=";

	private static final String X_FORWARDED = "x-forwarded-";

	/** The headers. */
	private final HeaderMap values;

	private MutableHttpHeaders(HeaderMap values) {
		super(CollectionUtils.toMultiValueMap(values));
		this.values = values;
	}

	/**
	 * The only copy that is needed. Some servers and clients have a name once for each of
	 * its spellings, each time with all values.
	 * @param headers headers of the message
	 * @return the same names and values, in the same order
	 */
	public static MutableHttpHeaders copyOf(HttpHeaders headers) {
		HeaderMap values = new HeaderMap(EXPECTED);
		headers.forEach((name, list) -> {
			if (!values.containsKey(name)) {
				values.append(name, new ArrayList<>(list));
			}
		});
		return new MutableHttpHeaders(values);
	}

	/**
	 * Headers that a filter of the gateway or the application may have copied.
	 * @param headers headers of the message
	 * @return the same headers if they may be changed, or a copy
	 */
	public static MutableHttpHeaders of(HttpHeaders headers) {
		return (headers instanceof MutableHttpHeaders mutable) ? mutable : copyOf(headers);
	}

	/**
	 * The headers of a message that has just come.
	 * @param fields names and values; a name may come several times
	 * @return the same names and values, in the same order
	 */
	public static MutableHttpHeaders of(Iterable<Map.Entry<String, String>> fields) {
		HeaderMap values = new HeaderMap(EXPECTED);
		fields.forEach((field) -> values.add(field.getKey(), field.getValue()));
		return new MutableHttpHeaders(values);
	}

	/**
	 * Refuse headers that no message can have. Some clients would send them all the same
	 * or change them, and others would report a failure as if it were one of the
	 * upstream.
	 * @param headers headers that are about to be sent
	 * @throws IllegalArgumentException if a name is not a token of RFC 9110, or a value
	 * has control characters
	 */
	public static void check(HttpHeaders headers) {
		headers.forEach(HeaderSyntax::checkSendable);
	}

	/**
	 * Leave out {@code Forwarded} (RFC 7239).
	 * @return these headers
	 */
	public MutableHttpHeaders withoutForwarded() {
		this.values.remove(FORWARDED);
		return this;
	}

	/**
	 * Leave out what {@code Forwarded} says of nobody. The gateway would fail there.
	 * @return these headers
	 */
	public MutableHttpHeaders withoutForwardedOfNobody() {
		List<String> lines = this.values.get(FORWARDED);
		if (lines != null) {
			lines.replaceAll(MutableHttpHeaders::ofSomebody);
			lines.removeIf(String::isEmpty);
		}
		return (lines == null || !lines.isEmpty()) ? this : withoutForwarded();
	}

	private static String ofSomebody(String line) {
		return Arrays.stream(line.split(","))
			.filter((element) -> Arrays.stream(element.split(";")).allMatch(MutableHttpHeaders::isPair)
					&& Arrays.stream(element.split(";")).anyMatch(MutableHttpHeaders::isFor))
			.collect(Collectors.joining(","));
	}

	private static boolean isPair(String parameter) {
		int name = parameter.indexOf('=');
		return name > 0 && name < parameter.length() - 1;
	}

	private static boolean isFor(String parameter) {
		return parameter.strip().regionMatches(true, 0, FOR, 0, FOR.length());
	}

	/**
	 * Leave out {@code X-Forwarded-For} and all others that begin like it.
	 * @return these headers
	 */
	public MutableHttpHeaders withoutXForwarded() {
		this.values.keySet().removeIf((name) -> name.regionMatches(true, 0, X_FORWARDED, 0, X_FORWARDED.length()));
		return this;
	}

	/**
	 * Leave out headers.
	 * @param names their names, in any case
	 * @return these headers
	 */
	public MutableHttpHeaders without(Iterable<String> names) {
		names.forEach(this.values::remove);
		return this;
	}

	/**
	 * Names are unique here, so there is no need to look for doubles as the superclass
	 * does.
	 */
	@Override
	public void forEach(BiConsumer<? super String, ? super List<String>> action) {
		this.values.forEach(action);
	}

	@Override
	public Set<Map.Entry<String, List<String>>> headerSet() {
		return this.values.entrySet();
	}

	@Override
	public Set<String> headerNames() {
		return this.values.keySet();
	}

}
