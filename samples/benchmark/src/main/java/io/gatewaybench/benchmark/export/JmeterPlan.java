package io.gatewaybench.benchmark.export;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.load.Arrivals;
import io.gatewaybench.benchmark.load.LoadPlan;
import io.gatewaybench.benchmark.load.RequestType;

/**
 * A test plan for JMeter, of elements that it comes with.
 */
final class JmeterPlan {

	private static final String DOCUMENT = """
			<?xml version="1.0" encoding="UTF-8"?>
			<jmeterTestPlan version="1.2" properties="5.0" jmeter="5.6.3">
			<hashTree>
			%s</hashTree>
			</jmeterTestPlan>
			""";

	// A carriage return would be read as a line feed
	private static final Pattern SPECIAL = Pattern.compile("[\\\\$]|[^\\t\\n -\\x{fffd}\\x{10000}-\\x{10ffff}]");

	private static final int MILLION = 1_000_000;

	private JmeterPlan() {
	}

	static ExportFormat.Export export(ExportRequest request) {
		String id = request.plan().id();
		String file = id + ".jmx";
		String command = "jmeter -n -t %s -l %s.jtl -Jtarget.host=%s -Jtarget.port=%d".formatted(file, id,
				request.plan().target().getHost(), request.plan().port());
		String children = defaults(request.plan()) + paths(request.mix())
				+ (request.warmUp().isZero() ? "" : threads(request, true)) + threads(request, false);
		// An open model group counts from the start of the test, and not from its own
		String plan = element("TestPlan", "TestPlan", id, flag("TestPlan.serialize_threadgroups", !request.isOpen()),
				children);
		return new ExportFormat.Export(file, DOCUMENT.formatted(plan), command, notes(request));
	}

	private static List<String> notes(ExportRequest request) {
		List<String> notes = new ArrayList<>();
		if (request.isOpen()) {
			notes.add("it opens a connection for every request of the open model, and has no limit of requests in"
					+ " flight; here connections stay open, and there are " + request.connections() + " at most");
		}
		else if (request.warmUp().toMillis() % 1_000 + request.stage().sending().toMillis() % 1_000 > 0) {
			notes.add("it counts in whole seconds, so it sends up to a second longer");
		}
		if (!request.thinkTime().isZero()) {
			notes.add("its users begin at the same moment, after a think time; here they begin spread over one");
		}
		if (!request.warmUp().isZero()) {
			notes
				.add("its summary includes the warm-up; samples of the measurement have the name of the request alone");
		}
		return notes;
	}

	private static String defaults(LoadPlan plan) {
		return element("ConfigTestElement", "HttpDefaultsGui", "target",
				raw("HTTPSampler.domain", "${__P(target.host,%s)}".formatted(plan.target().getHost()))
						+ raw("HTTPSampler.port", "${__P(target.port,%d)}".formatted(plan.port()))
						+ raw("HTTPSampler.protocol", plan.target().getScheme())
						+ raw("HTTPSampler.implementation", "HttpClient4")
						+ raw("HTTPSampler.connect_timeout", plan.timeouts().connect().toMillis())
						+ raw("HTTPSampler.response_timeout", plan.timeouts().response().toMillis()),
				"");
	}

	/**
	 * Variables with the paths of requests that have several.
	 */
	private static String paths(List<RequestType> mix) {
		StringBuilder paths = new StringBuilder();
		for (RequestType type : mix) {
			for (int index = 0; index < type.paths().size() && type.paths().size() > 1; index++) {
				paths.append(argument("Argument", type.name() + "-path-" + (index + 1), type.paths().get(index), ""));
			}
		}
		return element("Arguments", "ArgumentsPanel", "paths", collection("Arguments.arguments", paths.toString()), "");
	}

	private static String threads(ExportRequest request, boolean warmUp) {
		String name = warmUp ? "warm-up" : "measurement";
		Duration length = warmUp ? request.warmUp() : request.stage().sending();
		String timer = request.thinkTime().isZero() ? "" : element("ConstantTimer", "ConstantTimerGui", "think time",
				raw("ConstantTimer.delay", request.thinkTime().toMillis()), "");
		String children = timer + element("SwitchController", "SwitchControllerGui", "mix",
				raw("SwitchController.value", draw(request.mix())),
				request.mix().stream().map((type) -> sampler(type, warmUp)).collect(Collectors.joining()));
		if (request.isOpen()) {
			return element("OpenModelThreadGroup", "OpenModelThreadGroupGui", name,
					raw("OpenModelThreadGroup.schedule", schedule(request, warmUp, length))
							+ raw("OpenModelThreadGroup.random_seed", request.plan().seed()),
					children);
		}
		int loops = (!warmUp && request.stage().iterations() > 0) ? request.stage().iterations() : -1;
		return element("ThreadGroup", "ThreadGroupGui", name,
				raw("ThreadGroup.num_threads", request.connections()) + raw("ThreadGroup.ramp_time", 0)
						+ flag("ThreadGroup.scheduler", true) + raw("ThreadGroup.duration", seconds(length))
						// Otherwise each iteration would open a connection
						+ flag("ThreadGroup.same_user_on_next_iteration", true)
						+ raw("ThreadGroup.on_sample_error", "continue")
						+ property("ThreadGroup.main_controller", "LoopController", raw("LoopController.loops", loops)
								// Otherwise its loops begin again
								+ flag("LoopController.continue_forever", false)),
				children);
	}

	private static String schedule(ExportRequest request, boolean warmUp, Duration length) {
		// Requests on their way at the end of a group are broken off
		long drain = request.plan().timeouts().response().toSeconds() + 1;
		String begin = (warmUp || request.warmUp().isZero()) ? ""
				: "pause(%d s) ".formatted(seconds(request.warmUp()) + drain);
		String spread = (request.stage().arrivals() == Arrivals.POISSON) ? "random" : "even";
		return request.parts(length)
			.stream()
			.map((part) -> "rate(%s/s) %s_arrivals(%s s) rate(%s/s) ".formatted(part.from(), spread, part.seconds(),
					part.to()))
			.collect(Collectors.joining("", begin, "pause(%d s)".formatted(drain)));
	}

	private static long seconds(Duration length) {
		return (length.toMillis() + 999) / 1_000;
	}

	/**
	 * The number of a request, drawn by weight.
	 */
	private static String draw(List<RequestType> mix) {
		double sum = mix.stream().mapToDouble(RequestType::weight).sum();
		StringBuilder choice = new StringBuilder();
		double weight = 0;
		for (int index = 0; index < mix.size() - 1; index++) {
			weight += mix.get(index).weight();
			choice.append("d < %d ? %d : ".formatted(Math.round(weight / sum * MILLION), index));
		}
		return "${__jexl3(var d = ${__Random(0,%d)}; %s%d)}".formatted(MILLION - 1, choice, mix.size() - 1);
	}

	private static String sampler(RequestType type, boolean warmUp) {
		String path = (type.paths().size() == 1) ? literal(type.paths().getFirst())
				: "${__V(%s-path-${__Random(1,%d)})}".formatted(type.name(), type.paths().size());
		String body = (type.body() == null) ? ""
				: argument("HTTPArgument", "", type.body(), flag("HTTPArgument.always_encode", false));
		return element("HTTPSamplerProxy", "HttpTestSampleGui", (warmUp ? "warm-up " : "") + type.name(),
				raw("HTTPSampler.path", path) + raw("HTTPSampler.method", type.method())
						+ flag("HTTPSampler.use_keepalive", true) + flag("HTTPSampler.follow_redirects", false)
						+ flag("HTTPSampler.auto_redirects", false)
						+ flag("HTTPSampler.postBodyRaw", type.body() != null)
						+ raw("HTTPSampler.contentEncoding", "UTF-8")
						+ property("HTTPsampler.Arguments", "Arguments", collection("Arguments.arguments", body)),
				headers(type) + checks(type));
	}

	private static String headers(RequestType type) {
		return element("HeaderManager", "HeaderPanel", "headers", collection("HeaderManager.headers", type.headers()
			.entrySet()
			.stream()
			.map((header) -> property("", "Header",
					raw("Header.name", literal(header.getKey())) + raw("Header.value", literal(header.getValue()))))
			.collect(Collectors.joining())), "");
	}

	private static String checks(RequestType type) {
		int size = type.expect().minBytes();
		return element("ResponseAssertion", "AssertionGui", "status",
				collection("Asserion.test_strings", raw("0", type.expect().status()))
						+ raw("Assertion.test_field", "Assertion.response_code")
						// A status that is expected is no error, also above 399
						+ flag("Assertion.assume_success", true) + number("Assertion.test_type", 8),
				"")
				+ ((size == 0) ? ""
						: element("SizeAssertion", "SizeAssertionGui", "size",
								raw("Assertion.test_field", "SizeAssertion.response_data")
										+ raw("SizeAssertion.size", size) + number("SizeAssertion.operator", 5),
								""));
	}

	// JMeter's XML, in which the children of an element are in the hashTree behind it
	private static String element(String type, String gui, String name, String properties, String children) {
		return "<%1$s guiclass=\"%2$s\" testclass=\"%1$s\" testname=\"%3$s\">\n%4$s</%1$s>\n<hashTree>\n%5$s</hashTree>\n"
			.formatted(type, gui, name, properties, children);
	}

	private static String property(String name, String type, String properties) {
		return "<elementProp name=\"%s\" elementType=\"%s\">\n%s</elementProp>\n".formatted(name, type, properties);
	}

	private static String collection(String name, String elements) {
		return "<collectionProp name=\"%s\">\n%s</collectionProp>\n".formatted(name, elements);
	}

	private static String argument(String type, String name, String value, String more) {
		return property(name, type, raw("Argument.name", name) + raw("Argument.value", literal(value))
				+ raw("Argument.metadata", "=") + more);
	}

	private static String flag(String name, boolean value) {
		return "<boolProp name=\"%s\">%s</boolProp>\n".formatted(name, value);
	}

	private static String number(String name, int value) {
		return "<intProp name=\"%s\">%d</intProp>\n".formatted(name, value);
	}

	/**
	 * A text in which JMeter may call functions.
	 */
	private static String raw(String name, Object value) {
		String text = value.toString().replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
		return "<stringProp name=\"%s\">%s</stringProp>\n".formatted(name, text);
	}

	/**
	 * A text that JMeter takes as it is: calls a function for each character that JMeter
	 * would change, as it does backslashes in texts with a call, or that XML can't hold.
	 */
	private static String literal(String value) {
		return SPECIAL.matcher(value)
			.replaceAll((found) -> Matcher.quoteReplacement("${__char(%d)}".formatted((int) found.group().charAt(0))));
	}

}
