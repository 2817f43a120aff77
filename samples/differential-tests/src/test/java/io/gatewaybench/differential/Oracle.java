package io.gatewaybench.differential;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

import io.gatewaybench.differential.Client.Outcome;
import io.gatewaybench.differential.ScriptedUpstream.Attempt;

/**
 * Knows what has to become of a script where RFC 9110 and 9112 leave no choice, and what
 * has to be the same on all gateways.
 */
final class Oracle {

	/**
	 * What a gateway may answer in place of an upstream.
	 */
	private static final Set<Integer> OWN_STATUS = Set.of(400, 413, 414, 431, 501, 502, 503, 504);

	/**
	 * Headers of the connection, of the moment, and of the flavour.
	 */
	private static final Set<String> NOT_COMPARED = Set.of("connection", "keep-alive", "transfer-encoding", "date",
			"x-gateway-type", "x-served-by");

	private Oracle() {
	}

	/**
	 * What one gateway made of a script.
	 *
	 * @param gateway its name
	 * @param id first part of the path
	 * @param outcome what the client saw
	 * @param attempts what the upstream saw
	 * @param allEnded whether nothing was left open
	 */
	record Run(String gateway, String id, Outcome outcome, List<Attempt> attempts, boolean allEnded) {

	}

	/**
	 * Whether the gateway may have used a connection in the moment in which the upstream
	 * closed it, which nobody can rule out, and may not send the request again.
	 */
	static boolean isUnlucky(Script script, Run run) {
		return run.outcome().status() == 502 && run.attempts().isEmpty() && !script.mayBeRepeated()
				&& !script.clientBreaksOff();
	}

	/**
	 * What is wrong about one run.
	 */
	static List<String> complaints(Script script, Run run) {
		List<String> complaints = new ArrayList<>();
		Outcome outcome = run.outcome();
		complain(complaints, outcome.end().equals("timeout"), "the client waited for ever");
		complain(complaints, !run.allEnded(), "the upstream was left waiting");
		complain(complaints, outcome.expectationFailed(), "nothing answered the expectation of the client");
		boolean own = outcome.status() != script.status();
		judgeAttempts(script, run, complaints);
		complain(complaints, own && outcome.status() >= 200 && !OWN_STATUS.contains(outcome.status()),
				"status %d is nobody's".formatted(outcome.status()));
		if (script.clientBreaksOff()) {
			return complaints;
		}
		if (mustSucceed(script)) {
			judgeSuccess(script, run, complaints);
		}
		else if (mustFail(script)) {
			complain(complaints, !own && outcome.complete(), "a response that broke off was complete for the client");
		}
		if (!own && script.route().equals("plain") && script.isLegal()) {
			complain(complaints, !outcome.body().isPartOf(script.bodiless() ? new byte[0] : script.responseContent()),
					"the client got other bytes than the upstream sent");
		}
		return complaints;
	}

	private static void judgeAttempts(Script script, Run run, List<String> complaints) {
		int attempts = run.attempts().size();
		complain(complaints, attempts > 1 && !script.mayBeRepeated(), "a request that may not be repeated came again");
		complain(complaints, attempts > mostAttempts(run), "a request came %d times".formatted(attempts));
		complain(complaints,
				attempts > 1 && script.fails() == 0 && script.responseCut() < 0 && script.isLegal()
						&& !script.answer().equals("deaf") && !isPartOfChanged(script),
				"a request came again although it was answered");
		for (Attempt attempt : run.attempts()) {
			complain(complaints, attempt.body().isComplete() && KnownDifferences.isNoticed(script),
					"a request that broke off was complete for the upstream");
			complain(complaints, !attempt.body().isPartOf(script.content()),
					"the upstream got other bytes than the client sent");
		}
		complain(complaints, attempts > 0 && script.clientBreaksOff() && !script.hasBody(),
				"half a head reached the upstream");
	}

	/**
	 * The gateway asks for the whole of a body that it changes.
	 */
	private static boolean isPartOfChanged(Script script) {
		return script.status() == 206 && script.route().equals("rewrite") && script.json()
				&& script.headers().toString().contains("Range");
	}

	/**
	 * Apache's client cannot tell a pooled connection that was closed before the request
	 * from one that the upstream resets because of it.
	 */
	private static int mostAttempts(Run run) {
		return run.gateway().startsWith("webmvc") ? 4 : 2;
	}

	private static boolean mustSucceed(Script script) {
		boolean answered = script.fails() == 0 || (script.fails() == 1 && script.mayBeRepeated() && !script.hasBody());
		return answered && script.isLegal() && script.responseCut() < 0 && script.leave() < 0
				&& !script.answer().equals("deaf");
	}

	private static boolean mustFail(Script script) {
		boolean untilClose = script.framing().equals("close") && script.responseCutBy().equals("close")
				&& !script.bodiless();
		boolean cut = lacksContent(script) && script.status() != 205 && !untilClose && script.isLegal();
		return (cut || script.endsEarly()) && script.leave() < 0;
	}

	/**
	 * Whether more is missing than what follows the digit of the last chunk. A body is
	 * whole with the last chunk (RFC 9112, section 8), and Apache's client takes the end
	 * of the connection for that of a line.
	 */
	private static boolean lacksContent(Script script) {
		long length = ScriptedUpstream.response(script).length;
		long missing = length - length * script.responseCut() / 1000;
		String end = script.responseTrailers() ? ScriptedUpstream.TRAILERS : "\r\n";
		long dispensable = script.framing().equals("chunked") ? "\r\n".length() + end.length() : 0;
		return script.responseCut() >= 0 && missing > dispensable;
	}

	private static void judgeSuccess(Script script, Run run, List<String> complaints) {
		Outcome outcome = run.outcome();
		complain(complaints, outcome.status() != script.status() || !outcome.end().startsWith("complete"),
				"the response did not arrive");
		byte[] expected = script.bodiless() ? new byte[0] : script.responseContent();
		byte[] got = outcome.body().content();
		boolean rewritten = script.route().equals("rewrite") && script.json() && expected.length > 0;
		byte[] start = rewritten ? Arrays.copyOf(expected, expected.length - 1) : expected;
		boolean right = rewritten ? got.length >= start.length && Arrays.equals(start, Arrays.copyOf(got, start.length))
				: Arrays.equals(expected, got);
		complain(complaints, !right, "the response is not the one that was sent");
		if (!run.attempts().isEmpty()) {
			Attempt last = run.attempts().get(run.attempts().size() - 1);
			// What is left of a request that was answered already may be left out
			boolean needed = !script.answer().equals("head");
			complain(complaints, needed && !last.body().isComplete(), "the request did not arrive whole");
			complain(complaints, needed && !Arrays.equals(script.content(), last.body().content()),
					"the request is not the one that was sent");
		}
	}

	private static void complain(List<String> complaints, boolean wrong, String what) {
		if (wrong) {
			complaints.add(what);
		}
	}

	/**
	 * What has to be the same on all gateways.
	 */
	static List<String> facts(Script script, Run run) {
		List<String> facts = new ArrayList<>();
		boolean certain = !script.clientBreaksOff() && script.leave() < 0 && script.responseCut() < 0
				&& script.answer().equals("whole") && script.fails() == 0 && !script.endsEarly();
		if (!certain) {
			return facts;
		}
		if (!script.isLegal() && script.bodiless()) {
			// Where there is no body, it matters little how its end would be told
			return facts;
		}
		Outcome outcome = run.outcome();
		facts.add("status " + outcome.status());
		if (!script.isLegal() || KnownDifferences.refused(script, outcome)) {
			return facts;
		}
		facts.add("end " + outcome.end());
		facts.add("body " + Body.describe(masked(outcome.body().content())));
		// The name of the flavour is in a body that was rewritten, and not of one length
		boolean rewritten = script.route().equals("rewrite") && script.json();
		headers(outcome.head(), run.id()).filter((line) -> !rewritten || !line.startsWith("content-length:"))
			.filter((line) -> !KnownDifferences.isLeftOut(script, line))
			.forEach((line) -> facts.add("client: " + line));
		facts.add("attempts " + run.attempts().size());
		if (!run.attempts().isEmpty()) {
			Attempt attempt = run.attempts().get(0);
			facts.add("request " + attempt.head().get(0).replace(run.id(), "ID"));
			facts.add("request body " + Body.describe(attempt.body().content()) + attempt.body().isComplete());
			facts.add("request trailers " + attempt.body().trailers());
			headers(attempt.head(), run.id()).forEach((line) -> facts.add("upstream: " + line));
			facts.add("upstream: framing " + Wire.values(attempt.head(), "transfer-encoding"));
			facts.removeIf((fact) -> KnownDifferences.isExpected(script, fact));
		}
		return facts;
	}

	private static byte[] masked(byte[] content) {
		String text = new String(content, StandardCharsets.ISO_8859_1);
		return text.replaceFirst("\"type\":\"\\w+\",\"timestamp\":\\d+", "").getBytes(StandardCharsets.ISO_8859_1);
	}

	private static Stream<String> headers(List<String> head, String id) {
		return head.stream().skip(1).map((line) -> {
			int colon = line.indexOf(':');
			String name = line.substring(0, colon).toLowerCase(Locale.ROOT);
			return name + ": "
					+ line.substring(colon + 1).trim().replace(id, "ID").replaceAll("127.0.0.1:\\d+", "HOST");
		}).filter((line) -> !NOT_COMPARED.contains(line.substring(0, line.indexOf(':')))).sorted();
	}

}
