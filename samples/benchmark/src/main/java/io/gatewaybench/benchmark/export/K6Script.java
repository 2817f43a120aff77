package io.gatewaybench.benchmark.export;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.failure.Resource;
import io.gatewaybench.benchmark.load.Arrivals;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A script for k6.
 */
final class K6Script {

	private static final String TEMPLATE = Resource.text(K6Script.class, "k6.js");

	// Literals of JSON are literals of JavaScript, too. They are ASCII, so k6 can't take
	// them for another charset
	private static final JsonMapper JSON = JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

	private K6Script() {
	}

	static ExportFormat.Export export(ExportRequest request) {
		String file = request.plan().id() + ".js";
		String command = "k6 run -e TARGET=%s %s".formatted(request.plan().target(), file);
		String requests = request.mix()
			.stream()
			.map((type) -> "  " + JSON.writeValueAsString(type) + ",\n")
			.collect(Collectors.joining());
		String pause = request.thinkTime().isZero() ? ""
				: "  sleep(%s);\n".formatted(request.thinkTime().toMillis() / 1e3);
		String script = TEMPLATE.formatted(request.plan().id(), command,
				JSON.writeValueAsString(request.plan().target().toString()), requests,
				JSON.writeValueAsString(options(request)), request.plan().timeouts().response().toMillis(), pause);
		List<String> notes = new ArrayList<>();
		if (request.isOpen()) {
			notes.add("it leaves out a request that finds all of its users busy, and counts it in dropped_iterations;"
					+ " here it waits, with its clock running");
			if (request.stage().arrivals() == Arrivals.POISSON) {
				notes.add("it can't spread requests as a Poisson process; their distances are equal");
			}
		}
		else if (!request.thinkTime().isZero()) {
			notes.add("its users begin at the same moment; here they begin spread over a think time");
		}
		return new ExportFormat.Export(file, script, command, notes);
	}

	private static Map<String, Object> options(ExportRequest request) {
		Map<String, Object> scenarios = new LinkedHashMap<>();
		Duration start = Duration.ZERO;
		if (!request.warmUp().isZero()) {
			scenarios.put("warmup", scenario(request, Duration.ZERO, request.warmUp(), 0));
			// The last responses of the warm-up are no part of the measurement
			start = request.warmUp().plusSeconds(1);
		}
		scenarios.put("measure", scenario(request, start, request.stage().sending(), request.stage().iterations()));
		Map<String, Object> options = new LinkedHashMap<>();
		options.put("scenarios", scenarios);
		// Without a threshold, k6 tells nothing of the measurement alone
		options.put("thresholds", Map.of("http_req_duration{scenario:measure}", List.of("max>=0"),
				"http_reqs{scenario:measure}", List.of("count>0"), "checks{scenario:measure}", List.of("rate>=0")));
		options.put("summaryTrendStats", List.of("avg", "min", "med", "p(90)", "p(99)", "p(99.9)", "max"));
		return options;
	}

	private static Map<String, Object> scenario(ExportRequest request, Duration start, Duration length,
			int iterations) {
		Map<String, Object> scenario = new LinkedHashMap<>();
		if (request.isOpen()) {
			open(request, length, scenario);
		}
		else {
			scenario.put("executor", (iterations > 0) ? "per-vu-iterations" : "constant-vus");
			scenario.put("vus", request.connections());
			if (iterations > 0) {
				scenario.put("iterations", iterations);
				scenario.put("maxDuration", millis(length));
			}
			else {
				scenario.put("duration", millis(length));
			}
		}
		scenario.put("startTime", millis(start));
		scenario.put("gracefulStop", millis(request.plan().timeouts().response()));
		return scenario;
	}

	private static void open(ExportRequest request, Duration length, Map<String, Object> scenario) {
		List<ExportRequest.Part> parts = request.parts(length);
		// It takes whole numbers only
		boolean whole = parts.stream().allMatch((part) -> part.from() % 1 + part.to() % 1 == 0);
		int unit = whole ? 1 : 1_000;
		scenario.put("timeUnit", unit + "s");
		scenario.put("preAllocatedVUs", request.connections());
		scenario.put("maxVUs", request.connections());
		if (request.stage().steps().isEmpty()) {
			scenario.put("executor", "constant-arrival-rate");
			scenario.put("rate", Math.round(request.stage().rate() * unit));
			scenario.put("duration", millis(length));
			return;
		}
		scenario.put("executor", "ramping-arrival-rate");
		scenario.put("startRate", Math.round(parts.getFirst().from() * unit));
		List<Map<String, Object>> stages = new ArrayList<>();
		for (ExportRequest.Part part : parts) {
			stages.add(Map.of("target", Math.round(part.from() * unit), "duration", "0s"));
			stages.add(Map.of("target", Math.round(part.to() * unit), "duration",
					Math.round(part.seconds() * 1e3) + "ms"));
		}
		scenario.put("stages", stages);
	}

	private static String millis(Duration duration) {
		return duration.toMillis() + "ms";
	}

}
