package io.gatewaybench.differential;

import java.util.List;

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
				&& script.body().equals("chunked");
		return collected && (fact.startsWith("upstream: content-length") || fact.startsWith("upstream: framing"));
	}

	/**
	 * Spring names a type for the body of OPTIONS that has none.
	 */
	static boolean isAdded(Script script, String name) {
		return script.method().equals("OPTIONS") && name.equals("content-type");
	}

	/**
	 * Where nginx differs, and is right for itself.
	 * @param passed whether the request passed nginx
	 */
	static boolean isOfNginx(Script script, boolean passed) {
		return false;
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

}
