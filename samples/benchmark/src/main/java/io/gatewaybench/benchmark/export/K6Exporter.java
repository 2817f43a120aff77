package io.gatewaybench.benchmark.export;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.plan.Arrivals;
import org.jspecify.annotations.Nullable;

/**
 * A script for k6.
 */
final class K6Exporter implements Exporter {

	private static final String TEMPLATE = """
			// %s of gateway-bench. Run: %s
			import http from 'k6/http';
			import { check, sleep } from 'k6';

			const TARGET = (__ENV.TARGET || %s).replace(/\\/$/, '');

			const REQUESTS = [
			%s];

			const TOTAL = REQUESTS.reduce((sum, each) => sum + each.weight, 0);

			const EXPECTED = REQUESTS.map((each) => http.expectedStatuses(each.status));

			export const options = %s;

			function draw() {
			  let rest = Math.random() * TOTAL;
			  for (let index = 0; index < REQUESTS.length - 1; index++) {
			    rest -= REQUESTS[index].weight;
			    if (rest < 0) {
			      return index;
			    }
			  }
			  return REQUESTS.length - 1;
			}

			export default function () {
			  const index = draw();
			  const request = REQUESTS[index];
			  const path = request.paths[Math.floor(Math.random() * request.paths.length)];
			  const response = http.request(request.method, TARGET + path, request.body, {
			    headers: request.headers,
			    tags: { name: request.name },
			    timeout: '%dms',
			    redirects: 0,
			    responseType: 'binary',
			    responseCallback: EXPECTED[index],
			  });
			  check(response, {
			    'status': (each) => each.status === request.status,
			    'size': (each) => (each.body ? each.body.byteLength : 0) >= request.minBytes,
			  });
			%s}
			""";

	@Override
	public @Nullable String objection(ExportRequest request) {
		return null;
	}

	@Override
	public Export export(ExportRequest request) {
		String file = request.id() + ".js";
		String command = "k6 run -e TARGET=%s %s".formatted(request.target(), file);
		String requests = request.mix()
			.stream()
			.map((type) -> "  " + Json.of(Json.request(type)) + ",\n")
			.collect(Collectors.joining());
		String pause = request.thinkTime().isZero() ? ""
				: "  sleep(%s);\n".formatted(request.thinkTime().toMillis() / 1e3);
		String script = TEMPLATE.formatted(request.id(), command, Json.of(request.target().toString()), requests,
				Json.of(options(request)), request.timeouts().response().toMillis(), pause);
		List<String> notes = new ArrayList<>();
		if (request.isOpen()) {
			notes.add("it leaves out a request that finds all of its users busy, and counts it in dropped_iterations;"
					+ " here it waits, with its clock running");
			if (request.load().arrivals() == Arrivals.POISSON) {
				notes.add("it can't spread requests as a Poisson process; their distances are equal");
			}
		}
		else if (!request.thinkTime().isZero()) {
			notes.add("its users begin at the same moment; here they begin spread over a think time");
		}
		return new Export(Map.of(file, script), command, notes);
	}

	private static Map<String, Object> options(ExportRequest request) {
		Map<String, Object> scenarios = new LinkedHashMap<>();
		Duration start = Duration.ZERO;
		if (!request.warmUp().isZero()) {
			scenarios.put("warmup", scenario(request, Duration.ZERO, request.warmUp(), 0));
			// The last responses of the warm-up are no part of the measurement
			start = request.warmUp().plusSeconds(1);
		}
		scenarios.put("measure", scenario(request, start, request.length(), request.iterations()));
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
		scenario.put("gracefulStop", millis(request.timeouts().response()));
		return scenario;
	}

	private static void open(ExportRequest request, Duration length, Map<String, Object> scenario) {
		ExportRequest.TimeUnit unit = request.timeUnit();
		List<ExportRequest.Part> parts = request.parts(length);
		scenario.put("timeUnit", unit.seconds() + "s");
		scenario.put("preAllocatedVUs", request.connections());
		scenario.put("maxVUs", request.connections());
		if (request.load().steps().isEmpty()) {
			scenario.put("executor", "constant-arrival-rate");
			scenario.put("rate", unit.of(request.load().rate()));
			scenario.put("duration", millis(length));
			return;
		}
		scenario.put("executor", "ramping-arrival-rate");
		scenario.put("startRate", unit.of(parts.getFirst().from()));
		List<Map<String, Object>> stages = new ArrayList<>();
		for (ExportRequest.Part part : parts) {
			stages.add(Map.of("target", unit.of(part.from()), "duration", "0s"));
			stages.add(Map.of("target", unit.of(part.to()), "duration", Math.round(part.seconds() * 1e3) + "ms"));
		}
		scenario.put("stages", stages);
	}

	private static String millis(Duration duration) {
		return duration.toMillis() + "ms";
	}

}
