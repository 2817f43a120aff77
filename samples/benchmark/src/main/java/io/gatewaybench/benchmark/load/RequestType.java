package io.gatewaybench.benchmark.load;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * One kind of request in a mix; results are kept per type.
 *
 * @param name the name in results and file names: letters, digits, {@code . _ -}
 * @param weight the share in the mix, relative to the sum of all weights
 * @param method the HTTP method
 * @param paths the paths (with query, encoded) of which each request takes one, drawn
 * uniformly
 * @param headers further request headers; {@code Host} and, for a body,
 * {@code Content-Length} are there without being listed
 * @param body the request body, sent in UTF-8, or {@code null}
 * @param bodySize the bytes of a body that is made of nothing but its size, otherwise 0
 * @param expect what makes the response right
 * @param backend how long the backend takes for it, where no response tells; {@code null}
 * if it is not known
 */
public record RequestType(String name, double weight, String method, List<String> paths, Map<String, String> headers,
		@Nullable String body, int bodySize, Expectation expect, @Nullable Duration backend) {

	/**
	 * The largest body that is made, in bytes.
	 */
	public static final int LARGEST_BODY = 16_777_216;

	private static final Set<String> FRAMING = Set.of("content-length", "transfer-encoding", "connection");

	/**
	 * Checks and copies the values.
	 * @throws InvalidValueException if a value cannot be sent as HTTP/1.1 or used as a
	 * file name
	 */
	public RequestType {
		InvalidValueException.unless(name.matches("[A-Za-z0-9._-]+"), "request type name", name,
				"use letters, digits, '.', '_' and '-'");
		InvalidValueException.unless(weight > 0 && Double.isFinite(weight), name + ".weight", weight,
				"choose more than 0");
		InvalidValueException.unless(method.matches("[A-Z]+") && !method.equals("CONNECT"), name + ".method", method,
				"choose an HTTP method in capitals, such as GET");
		InvalidValueException.unless(!paths.isEmpty(), name + ".paths", paths, "name one path at least");
		for (String path : paths) {
			InvalidValueException.unless(path.matches("/[!-~]*"), name + ".paths", path,
					"start with '/' and encode spaces and anything outside ASCII");
		}
		InvalidValueException.unless(bodySize == 0 || (bodySize >= 2 && bodySize <= LARGEST_BODY && body == null),
				name + ".bodySize", bodySize, "choose 2 to " + LARGEST_BODY + " bytes, and no body beside it");
		InvalidValueException.unless(!expect.webSocket() || (method.equals("GET") && body == null && bodySize == 0),
				name + ".webSocket", true, "its request is a GET without a body; leave out method and body");
		headers.forEach((header, value) -> checkHeader(name, header, value));
		paths = List.copyOf(paths);
		// Keeps their order, so that the same plan always sends the same bytes
		headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
	}

	/**
	 * A kind whose responses tell how long the backend took, or for which nobody knows.
	 * @param name the name
	 * @param weight the share in the mix
	 * @param method the HTTP method
	 * @param paths the paths of which each request takes one
	 * @param headers further request headers
	 * @param body the request body, or {@code null}
	 * @param expect what makes the response right
	 */
	public RequestType(String name, double weight, String method, List<String> paths, Map<String, String> headers,
			@Nullable String body, Expectation expect) {
		this(name, weight, method, paths, headers, body, 0, expect, null);
	}

	/**
	 * The same kind under another name.
	 * @param other the name
	 * @return a copy
	 */
	public RequestType named(String other) {
		return new RequestType(other, this.weight, this.method, this.paths, this.headers, this.body, this.bodySize,
				this.expect, this.backend);
	}

	/**
	 * The same kind with the body that it sends. Plans have its size only.
	 * @return a copy, whose body is a string of JSON where only its size was known
	 */
	public RequestType filled() {
		return (this.bodySize == 0) ? this : new RequestType(this.name, this.weight, this.method, this.paths,
				this.headers, '"' + "x".repeat(this.bodySize - 2) + '"', 0, this.expect, this.backend);
	}

	private static void checkHeader(String name, String header, String value) {
		boolean printable = header.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+") && value.matches("[\\t -~]*");
		InvalidValueException.unless(printable, name + ".headers", header + ": " + value,
				"write a name and a value in printable ASCII");
		InvalidValueException.unless(!FRAMING.contains(header.toLowerCase(Locale.ROOT)), name + ".headers", header,
				"the engine sets it itself, so remove it");
	}

}
