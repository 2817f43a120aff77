package io.gatewaybench.differential;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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
	 * Targets that do not pass, with their answers (RFC 9112, section 3.2): they lead out
	 * of their route for some upstreams, or have characters or escapes that are none.
	 */
	static final Map<String, Integer> REFUSED_TARGETS = Map.ofEntries(Map.entry("/../../admin", 400),
			Map.entry("/%2e%2e/.%2E/a", 400), Map.entry("/..;/..;a=b/a", 400), Map.entry("/..%3b/..%3ba/x", 400),
			Map.entry("/%252e%252e/%25252e./a", 400), Map.entry("/..%5c..%5cadmin", 400),
			Map.entry("/..%2f..%2fadmin", 400), Map.entry("/a/../../../plain/x", 400), Map.entry("/a%2fb", 400),
			Map.entry("/a%5Cb", 400), Map.entry("/a%00b", 400), Map.entry("/a\\..\\b", 400),
			Map.entry("/\u00c3\u00a9", 400), Map.entry("/x?a=\u00e9", 400), Map.entry("/a#b", 400),
			Map.entry("/x?a#b", 400), Map.entry("/%ff", 400), Map.entry("/%zz", 400), Map.entry("/a%2", 400),
			Map.entry("/a\"b", 400), Map.entry("/a|b{c}", 400), Map.entry("/x?a=\"<b>\"", 400),
			Map.entry("/a\u0001b", 400), Map.entry("/x\u0000", 400), Map.entry("/x{9000}", 414));

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
	 * @param begun when the client began, by {@link System#nanoTime()}
	 * @param outcome what the client saw
	 * @param attempts what the upstream saw
	 * @param allEnded whether nothing was left open
	 * @param withheld whether a piece of the response did not reach the client before the
	 * next one was sent
	 */
	record Run(String gateway, String id, long begun, Outcome outcome, List<Attempt> attempts, boolean allEnded,
			boolean withheld) {

	}

	/**
	 * Whether the gateway may have used a connection in the moment in which the upstream
	 * closed it, which nobody can rule out, and may not send the request again. Or
	 * whether the machine was so busy that an answer was late.
	 */
	static boolean isUnlucky(Script script, Run run) {
		boolean closed = run.outcome().status() == 502 && run.attempts().isEmpty() && !script.mayBeRepeated()
				&& !script.clientBreaksOff();
		return closed || (cameAgainThoughAnswered(script, run) && run.attempts().get(1).mayFollowTimeout(run.begun()));
	}

	private static boolean cameAgainThoughAnswered(Script script, Run run) {
		return run.attempts().size() > 1 && script.fails() == 0 && script.responseCut() < 0 && script.isLegal()
				&& !script.answer().equals("deaf") && !isPartOfChanged(script);
	}

	/**
	 * What the gateway may answer itself to a request that does not pass.
	 * @return nothing if it has to pass
	 */
	static Set<Integer> answers(Script script) {
		Set<Integer> answers = new TreeSet<>(script.peculiarity().answers());
		switch (script.form()) {
			case "asterisk" -> answers.add(script.method().equals("OPTIONS") ? 200 : 400);
			case "authority", "elsewhere" -> answers.add(400);
			default -> {
				// With the path of the script
				Integer answer = REFUSED_TARGETS.get(script.choices().getOrDefault("target", ""));
				answers.addAll((answer != null) ? Set.of(answer) : Set.of());
			}
		}
		if (script.http10() && script.body().equals("chunked")) {
			answers.add(400);
		}
		if (Set.of("TRACE", "CONNECT").contains(script.method())) {
			answers.addAll(Set.of(400, 405, 501));
		}
		return answers;
	}

	private static void judgeRefusal(Script script, Run run, List<String> complaints) {
		Outcome outcome = run.outcome();
		boolean reset = script.http2() && outcome.end().startsWith("broken: Reset");
		complain(complaints, !answers(script).contains(outcome.status()) && !reset,
				"status %d, not one of %s".formatted(outcome.status(), answers(script)));
		boolean passed = run.attempts()
			.stream()
			.anyMatch((attempt) -> !script.peculiarity().isBrokenInBody() || attempt.body().isComplete());
		complain(complaints, passed, "a request that may not pass reached the upstream");
		complain(complaints, outcome.answeredTwice(), "what follows a request of unknown length was answered");
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
		if (!answers(script).isEmpty()) {
			judgeRefusal(script, run, complaints);
			return complaints;
		}
		boolean own = outcome.status() != script.status();
		judgeAttempts(script, run, complaints);
		complain(complaints,
				own && outcome.status() >= 200 && !OWN_STATUS.contains(outcome.status())
						&& !KnownDifferences.isBothBroken(script, outcome),
				"status %d is nobody's".formatted(outcome.status()));
		if (script.clientBreaksOff()) {
			return complaints;
		}
		if (mustSucceed(script)) {
			judgeSuccess(script, run, complaints);
		}
		else if (mustFail(script)) {
			complain(complaints, !own && outcome.end().startsWith("complete"),
					"a response that broke off was complete for the client");
		}
		else if (script.oddity().refused() && !script.bodiless()) {
			complain(complaints, !own, "a response that is none reached the client");
		}
		if (!own && !script.route().equals("rewrite") && script.isLegal()) {
			byte[] content = Coding.of(script, outcome).content();
			complain(complaints, !Body.isPart(content, script.bodiless() ? new byte[0] : script.responseContent()),
					"the client got other bytes than the upstream sent");
		}
		return complaints;
	}

	private static void judgeAttempts(Script script, Run run, List<String> complaints) {
		int attempts = run.attempts().size();
		complain(complaints, attempts > 1 && !script.mayBeRepeated(), "a request that may not be repeated came again");
		complain(complaints, attempts > mostAttempts(run), "a request came %d times".formatted(attempts));
		complain(complaints, cameAgainThoughAnswered(script, run), "a request came again although it was answered");
		for (Attempt attempt : run.attempts()) {
			complain(complaints, attempt.body().isComplete() && KnownDifferences.isNoticed(script),
					"a request that broke off was complete for the upstream");
			complain(complaints, !attempt.body().isPartOf(script.content()),
					"the upstream got other bytes than the client sent");
			complain(complaints, attempt.head().get(0).contains("/smuggled"), "the body of a request became a request");
			if (!attempt.isRepeatedWithoutRange(run)) {
				Fields.judgeRequest(script, attempt.head(), complaints);
			}
			judgeTarget(script, run, attempt, complaints);
		}
		complain(complaints, attempts > 0 && script.clientBreaksOff() && !script.hasBody(),
				"half a head reached the upstream");
	}

	private static void judgeTarget(Script script, Run run, Attempt attempt, List<String> complaints) {
		String line = "%s /%s%s HTTP/1.1".formatted(script.method(), run.id(), script.target());
		complain(complaints, !attempt.head().get(0).equals(line), "the upstream got another request line");
	}

	/**
	 * The gateway asks for the whole of a body that it changes.
	 */
	private static boolean isPartOfChanged(Script script) {
		return Set.of(206, 416).contains(script.status()) && script.route().equals("rewrite")
				&& script.headers().toString().toLowerCase(Locale.ROOT).contains("range=");
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
		Coding coding = Coding.of(script, outcome);
		byte[] got = coding.content();
		boolean rewritten = script.mayBeRewritten() && script.status() != 206 && expected.length > 0;
		byte[] start = rewritten ? Arrays.copyOf(expected, expected.length - 1) : expected;
		boolean right = rewritten ? got.length >= start.length && Arrays.equals(start, Arrays.copyOf(got, start.length))
				: Arrays.equals(expected, got);
		complain(complaints, !right, "the response is not the one that was sent");
		complain(complaints, rewritten && got.length == expected.length, "the response has no field");
		if (outcome.status() == script.status()) {
			Fields.judgeResponse(script, run, coding, complaints);
		}
		complain(complaints, run.withheld(), "a piece of the response was withheld until the next one came");
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
		if (!isCertain(script)) {
			return facts;
		}
		if (!script.isLegal() && script.bodiless()) {
			// Where there is no body, it matters little how its end would be told
			return facts;
		}
		Outcome outcome = run.outcome();
		if (!KnownDifferences.isRefusedInItsWay(script)) {
			facts.add("status " + outcome.status());
		}
		if (!answers(script).isEmpty() || !script.isLegal() || KnownDifferences.refused(script, outcome)) {
			return facts;
		}
		// Tomcat compresses for HTTP/1.0, too, and knows no length then
		boolean mayBeCoded = script.headers().toString().toLowerCase(Locale.ROOT).contains("accept-encoding=");
		if (!(mayBeCoded && script.http10())) {
			facts.add("end " + outcome.end());
		}
		facts.add("body " + Body.describe(masked(Coding.of(script, outcome).content())));
		// The name of the flavour is in a body that was rewritten, and not of one length
		boolean rewritten = script.route().equals("rewrite") && script.json();
		headers(outcome.head(), run.id()).filter((line) -> !rewritten || !line.startsWith("content-length:"))
			.filter((line) -> !line.startsWith("vary:"))
			.map(KnownDifferences::type)
			.filter((line) -> !mayBeCoded || !line.matches("(content-(length|encoding)|vary|etag):.*"))
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

	/**
	 * Whether nginx can do the same, and it is clear what comes of it. It asks for the
	 * prefix as well, and knows no other routes.
	 */
	static boolean isComparedWithNginx(Script script) {
		return isCertain(script) && !script.http2() && script.isLegal() && !script.route().equals("rewrite")
				&& KnownDifferences.isKnownToNginx(script);
	}

	/**
	 * Where a gateway differs from nginx without a reason that is known.
	 */
	static List<String> differences(Script script, Run run, Run nginx) {
		List<String> differences = new ArrayList<>();
		boolean passed = !run.attempts().isEmpty();
		boolean passedNginx = !nginx.attempts().isEmpty();
		if (KnownDifferences.isOfNginx(script, passedNginx)) {
			return differences;
		}
		complain(differences, passed != passedNginx,
				passed ? "passes, and gets %d there".formatted(nginx.outcome().status())
						: "gets %d, and passes there".formatted(run.outcome().status()));
		if (passed && passedNginx) {
			complain(differences, run.outcome().status() != nginx.outcome().status(),
					"status %d, not %d".formatted(run.outcome().status(), nginx.outcome().status()));
			complain(differences,
					!Arrays.equals(Coding.of(script, run.outcome()).content(), nginx.outcome().body().content()),
					"another body reached the client");
			Attempt attempt = run.attempts().get(0);
			Attempt there = nginx.attempts().get(0);
			complain(differences, !Arrays.equals(attempt.body().content(), there.body().content()),
					"another body reached the upstream");
			complain(differences,
					!there.head()
						.get(0)
						.replace("/" + script.route() + "/" + nginx.id(), "/" + run.id())
						.equals(attempt.head().get(0)),
					"another request line reached the upstream");
		}
		return differences;
	}

	private static boolean isCertain(Script script) {
		return !script.clientBreaksOff() && script.leave() < 0 && script.responseCut() < 0
				&& script.answer().equals("whole") && script.fails() == 0 && !script.endsEarly()
				&& !script.peculiarity().isBrokenInBody();
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
