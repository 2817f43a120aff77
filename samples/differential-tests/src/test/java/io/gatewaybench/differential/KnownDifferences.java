package io.gatewaybench.differential;

import java.util.List;
import java.util.Map;

import io.gatewaybench.differential.Client.Outcome;

/**
 * Where the gateways differ and may, each with its reason.
 */
final class KnownDifferences {

	private KnownDifferences() {
	}

	/**
	 * Whether a gateway can know that the client has broken off. A length of zero says
	 * that the request is complete with its head; and Netty reports an empty body where
	 * it finds no chunk at all.
	 */
	static boolean isNoticed(Script script) {
		return script.clientBreaksOff() && script.content().length > 0;
	}

	/**
	 * Reactor Netty's client collects the bodies of some methods and tells their length.
	 */
	static boolean isExpected(Script script, String fact) {
		// A body without a byte may be told as one, or not at all
		if (script.content().length == 0
				&& (fact.startsWith("upstream: content-length") || fact.startsWith("upstream: framing"))) {
			return true;
		}
		// Spring names a type for the body of OPTIONS that has none
		if (script.method().equals("OPTIONS") && fact.equals("upstream: content-type: application/octet-stream")) {
			return true;
		}
		boolean collected = List.of("GET", "HEAD", "DELETE").contains(script.method())
				&& List.of("chunked", "own").contains(script.body());
		return collected && (fact.startsWith("upstream: content-length") || fact.startsWith("upstream: framing"));
	}

	/**
	 * Spring names a type for the body of OPTIONS that has none.
	 */
	static boolean isAdded(Script script, String name) {
		return script.method().equals("OPTIONS") && name.equals("content-type");
	}

	/**
	 * nginx takes the first interim response for the final one, and what follows for the
	 * response to its next request.
	 */
	static boolean isKnownToNginx(Script script) {
		return script.interim().isEmpty();
	}

	/**
	 * Where nginx differs, and is right for itself.
	 * @param passed whether the request passed nginx
	 */
	static boolean isOfNginx(Script script, boolean passed) {
		// It knows no methods in small letters
		boolean small = script.method().equals("get") && !passed;
		// What upstreams make of a path is not its affair
		boolean path = Oracle.REFUSED_TARGETS.containsKey(script.choices().getOrDefault("target", "")) && passed;
		// It takes the host of the target, and no notice of the other one
		boolean elsewhere = script.form().equals("elsewhere") && passed;
		// It takes what is before the @ for a part of the host
		boolean user = script.peculiarity() == Peculiarity.HOST_WITH_USER && passed;
		return small || path || elsewhere || user;
	}

	/**
	 * A server that may compress says so, each of them for other bodies that it does not
	 * compress. Nobody is the worse for it.
	 */
	static void leaveOutVary(Map<String, List<String>> fields) {
		fields.computeIfPresent("vary", (name, values) -> {
			// Tomcat makes one line of small letters
			List<String> others = values.stream()
				.map((value) -> value.equals("accept,accept-encoding") ? "Accept" : value)
				.filter((value) -> !value.equals("accept-encoding"))
				.toList();
			return others.isEmpty() ? null : others;
		});
	}

	/**
	 * Tomcat leaves out what describes a body where there is none: of 204, 205 and 304.
	 */
	static boolean isLeftOut(Script script, String header) {
		return List.of(204, 205, 304).contains(script.status())
				&& (header.startsWith("content-type:") || header.startsWith("content-length:"));
	}

	/**
	 * What a container refuses it answers with a page of its own.
	 */
	static boolean refused(Script script, Outcome outcome) {
		return outcome.status() == 400 && script.status() != 400;
	}

	/**
	 * Tomcat answers malformed chunks with 400. If the upstream has answered before, and
	 * breaks off because of them, it is 500.
	 */
	static boolean isBothBroken(Script script, Outcome outcome) {
		return script.malformed() && !script.answer().equals("whole") && outcome.status() == 500;
	}

	/**
	 * Where both 400 and 501 are right, Netty and Tomcat have one each: a coding without
	 * chunks, or one that is folded.
	 */
	static boolean isRefusedInItsWay(Script script) {
		// Tomcat resets a stream whose target has control characters
		boolean reset = script.http2() && !Oracle.answers(script).isEmpty();
		return reset || (script.peculiarity() != null && script.peculiarity().answers().size() > 1);
	}

	/**
	 * Tomcat reads and writes anew a type with a charset. Of two types it takes one.
	 */
	static String type(String type) {
		return type.replace("; charset", ";charset");
	}

}
