package io.gatewaybench.benchmark.export;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.plan.Arrivals;
import io.gatewaybench.benchmark.plan.RequestType;
import org.jspecify.annotations.Nullable;

/**
 * A test plan for JMeter, of elements that it comes with.
 */
final class JmeterExporter implements Exporter {

	private static final int MILLION = 1_000_000;

	@Override
	public @Nullable String objection(ExportRequest request) {
		return null;
	}

	@Override
	public Export export(ExportRequest request) {
		String file = request.id() + ".jmx";
		String host = request.target().getHost();
		int port = (request.target().getPort() >= 0) ? request.target().getPort() : 80;
		String command = "jmeter -n -t %s -l %s.jtl -Jtarget.host=%s -Jtarget.port=%d".formatted(file, request.id(),
				host, port);
		Jmx jmx = new Jmx();
		// An open model group counts from the start of the test, and not from its own
		jmx.element("TestPlan", "TestPlan", request.id(),
				() -> jmx.flag("TestPlan.serialize_threadgroups", !request.isOpen()));
		jmx.tree(() -> {
			defaults(jmx, request, host, port);
			paths(jmx, request);
			if (!request.warmUp().isZero()) {
				threads(jmx, request, true);
			}
			threads(jmx, request, false);
		});
		return new Export(Map.of(file, jmx.end()), command, notes(request));
	}

	private static List<String> notes(ExportRequest request) {
		List<String> notes = new ArrayList<>();
		if (request.isOpen()) {
			notes.add("it opens a connection for every request of the open model, and has no limit of requests in"
					+ " flight; here connections stay open, and there are " + request.connections() + " at most");
		}
		else if (request.hasFractions()) {
			notes.add(SECONDS);
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

	private static void defaults(Jmx jmx, ExportRequest request, String host, int port) {
		jmx.element("ConfigTestElement", "HttpDefaultsGui", "target", () -> {
			jmx.raw("HTTPSampler.domain", "${__P(target.host,%s)}".formatted(host));
			jmx.raw("HTTPSampler.port", "${__P(target.port,%d)}".formatted(port));
			jmx.raw("HTTPSampler.protocol", "http");
			jmx.raw("HTTPSampler.implementation", "HttpClient4");
			jmx.raw("HTTPSampler.connect_timeout", Long.toString(request.timeouts().connect().toMillis()));
			jmx.raw("HTTPSampler.response_timeout", Long.toString(request.timeouts().response().toMillis()));
		});
		jmx.leaf();
	}

	/**
	 * Variables with the paths of requests that have several.
	 */
	private static void paths(Jmx jmx, ExportRequest request) {
		jmx.element("Arguments", "ArgumentsPanel", "paths", () -> jmx.collection("Arguments.arguments", () -> {
			for (RequestType type : request.mix()) {
				for (int index = 0; index < type.paths().size() && type.paths().size() > 1; index++) {
					jmx.argument("Argument", type.name() + "-path-" + (index + 1), type.paths().get(index));
				}
			}
		}));
		jmx.leaf();
	}

	private static void threads(Jmx jmx, ExportRequest request, boolean warmUp) {
		String name = warmUp ? "warm-up" : "measurement";
		long millis = (warmUp ? request.warmUp() : request.length()).toMillis();
		if (request.isOpen()) {
			// Requests on their way at the end of a group are broken off
			long drain = request.timeouts().response().toSeconds() + 1;
			String begin = (warmUp || request.warmUp().isZero()) ? ""
					: "pause(%d s) ".formatted(ExportRequest.seconds(request.warmUp()) + drain);
			String schedule = request.parts(Duration.ofMillis(millis))
				.stream()
				.map((part) -> "rate(%s/s) %s_arrivals(%s s) rate(%s/s)".formatted(part.from(),
						(request.load().arrivals() == Arrivals.POISSON) ? "random" : "even", part.seconds(), part.to()))
				.collect(Collectors.joining(" "));
			jmx.element("OpenModelThreadGroup", "OpenModelThreadGroupGui", name, () -> {
				jmx.raw("OpenModelThreadGroup.schedule", "%s%s pause(%d s)".formatted(begin, schedule, drain));
				jmx.raw("OpenModelThreadGroup.random_seed", Long.toString(request.seed()));
			});
		}
		else {
			boolean iterations = !warmUp && request.iterations() > 0;
			jmx.element("ThreadGroup", "ThreadGroupGui", name, () -> {
				jmx.raw("ThreadGroup.num_threads", Integer.toString(request.connections()));
				jmx.raw("ThreadGroup.ramp_time", "0");
				jmx.flag("ThreadGroup.scheduler", true);
				jmx.raw("ThreadGroup.duration", Long.toString(ExportRequest.seconds(Duration.ofMillis(millis))));
				// Otherwise each iteration would open a connection
				jmx.flag("ThreadGroup.same_user_on_next_iteration", true);
				jmx.raw("ThreadGroup.on_sample_error", "continue");
				jmx.property("ThreadGroup.main_controller", "LoopController", () -> {
					jmx.raw("LoopController.loops", Integer.toString(iterations ? request.iterations() : -1));
					// Otherwise its loops begin again
					jmx.flag("LoopController.continue_forever", false);
				});
			});
		}
		jmx.tree(() -> {
			if (!request.thinkTime().isZero()) {
				jmx.element("ConstantTimer", "ConstantTimerGui", "think time",
						() -> jmx.raw("ConstantTimer.delay", Long.toString(request.thinkTime().toMillis())));
				jmx.leaf();
			}
			jmx.element("SwitchController", "SwitchControllerGui", "mix",
					() -> jmx.raw("SwitchController.value", draw(request.mix())));
			jmx.tree(() -> request.mix().forEach((type) -> sampler(jmx, type, warmUp)));
		});
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

	private static void sampler(Jmx jmx, RequestType type, boolean warmUp) {
		jmx.element("HTTPSamplerProxy", "HttpTestSampleGui", (warmUp ? "warm-up " : "") + type.name(), () -> {
			if (type.paths().size() == 1) {
				jmx.text("HTTPSampler.path", type.paths().getFirst());
			}
			else {
				jmx.raw("HTTPSampler.path",
						"${__V(%s-path-${__Random(1,%d)})}".formatted(type.name(), type.paths().size()));
			}
			jmx.raw("HTTPSampler.method", type.method());
			jmx.flag("HTTPSampler.use_keepalive", true);
			jmx.flag("HTTPSampler.follow_redirects", false);
			jmx.flag("HTTPSampler.auto_redirects", false);
			jmx.flag("HTTPSampler.postBodyRaw", type.body() != null);
			jmx.raw("HTTPSampler.contentEncoding", "UTF-8");
			jmx.property("HTTPsampler.Arguments", "Arguments", () -> jmx.collection("Arguments.arguments", () -> {
				if (type.body() != null) {
					jmx.argument("HTTPArgument", "", type.body());
				}
			}));
		});
		jmx.tree(() -> {
			jmx.element("HeaderManager", "HeaderPanel", "headers", () -> jmx.collection("HeaderManager.headers",
					() -> type.headers().forEach((name, value) -> jmx.header(name, value))));
			jmx.leaf();
			jmx.element("ResponseAssertion", "AssertionGui", "status", () -> {
				jmx.collection("Asserion.test_strings", () -> jmx.raw("0", Integer.toString(type.expect().status())));
				jmx.raw("Assertion.test_field", "Assertion.response_code");
				// A status that is expected is no error, also above 399
				jmx.flag("Assertion.assume_success", true);
				jmx.number("Assertion.test_type", 8);
			});
			jmx.leaf();
			if (type.expect().minBytes() > 0) {
				jmx.element("SizeAssertion", "SizeAssertionGui", "size", () -> {
					jmx.raw("Assertion.test_field", "SizeAssertion.response_data");
					jmx.raw("SizeAssertion.size", Integer.toString(type.expect().minBytes()));
					jmx.number("SizeAssertion.operator", 5);
				});
				jmx.leaf();
			}
		});
	}

}
