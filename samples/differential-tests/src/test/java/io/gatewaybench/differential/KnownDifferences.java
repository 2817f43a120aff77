package io.gatewaybench.differential;

import java.util.List;
import java.util.regex.Pattern;

import io.gatewaybench.differential.Client.Outcome;

/**
 * Where the gateways differ and may, each with its reason.
 */
final class KnownDifferences {

	private static final Pattern EXPECTED = Pattern.compile("upstream: (accept: \\*/\\*|user-agent: ReactorNetty.*"
			+ "|content-length: .*|framing .*|connection .*|content-type: .*)");

	private KnownDifferences() {
	}

	/**
	 * What the clients of the two flavours say about themselves and about bodies.
	 */
	static boolean isExpected(String fact) {
		return EXPECTED.matcher(fact).matches();
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
