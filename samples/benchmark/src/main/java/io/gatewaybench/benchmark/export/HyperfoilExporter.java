package io.gatewaybench.benchmark.export;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.plan.Arrivals;
import io.gatewaybench.benchmark.plan.RequestType;
import org.jspecify.annotations.Nullable;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * A benchmark for Hyperfoil.
 */
final class HyperfoilExporter implements Exporter {

	private static final YAMLMapper YAML = YAMLMapper.shared();

	// What a session draws
	private static final String DRAWN = "request";

	@Override
	public @Nullable String objection(ExportRequest request) {
		if (request.iterations() > 0) {
			return "ends a phase with users by time only, and not after some requests of each user";
		}
		boolean variables = request.mix()
			.stream()
			.anyMatch((type) -> type.paths().stream().anyMatch(HyperfoilExporter::isVariable)
					|| type.headers().values().stream().anyMatch(HyperfoilExporter::isVariable));
		if (variables) {
			return "takes ${ in a path or a header for a variable";
		}
		boolean pause = request.isOpen()
				&& request.parts(request.length()).stream().anyMatch((part) -> part.from() == 0 && part.to() == 0);
		return pause ? "has no phase in which nothing is sent" : null;
	}

	private static boolean isVariable(String text) {
		return text.contains("${");
	}

	@Override
	public Export export(ExportRequest request) {
		String file = request.id() + ".hf.yaml";
		Map<String, Object> benchmark = new LinkedHashMap<>();
		benchmark.put("name", request.id());
		Map<String, Object> http = new LinkedHashMap<>();
		http.put("host", request.target().toString());
		http.put("sharedConnections", request.connections());
		http.put("requestTimeout", millis(request.timeouts().response()));
		benchmark.put("http", http);
		Map<String, Object> ergonomics = new LinkedHashMap<>();
		// A request's latency begins when it should have been sent
		ergonomics.put("compensateInternalLatency", true);
		ergonomics.put("repeatCookies", false);
		ergonomics.put("userAgentFromSession", false);
		ergonomics.put("stopOnInvalid", false);
		benchmark.put("ergonomics", ergonomics);
		benchmark.put("phases", phases(request));
		List<String> notes = new ArrayList<>();
		notes
			.add("versions that do not know compensateInternalLatency, such as 0.25, refuse the file until that line is"
					+ " removed");
		notes.add("its address is no parameter; change http.host in the file, or export it with --target");
		notes.add("it checks that the status is 2xx or 3xx, and not the status and the size that the suite expects");
		if (request.isOpen()) {
			notes.add("it tells a session that finds none of its " + request.connections()
					+ " places free in its log; here such a request waits, with its clock running");
		}
		else if (!request.thinkTime().isZero()) {
			notes.add("its users begin at the same moment; here they begin spread over a think time");
		}
		return new Export(Map.of(file, YAML.writeValueAsString(benchmark)),
				"start Hyperfoil's cli.sh, then: start-local; upload %s; run %s".formatted(file, request.id()), notes);
	}

	private static List<Map<String, Object>> phases(ExportRequest request) {
		List<Map<String, Object>> phases = new ArrayList<>();
		if (!request.warmUp().isZero()) {
			add(phases, request, "warmup", request.warmUp());
		}
		add(phases, request, "measure", request.length());
		return phases;
	}

	private static void add(List<Map<String, Object>> phases, ExportRequest request, String name, Duration length) {
		if (!request.isOpen()) {
			Map<String, Object> phase = new LinkedHashMap<>();
			phase.put("users", request.connections());
			add(phases, name, "always", phase, length);
			phase.put("scenario", drawn(request));
			return;
		}
		List<ExportRequest.Part> parts = request.parts(length);
		for (int index = 0; index < parts.size(); index++) {
			ExportRequest.Part part = parts.get(index);
			Map<String, Object> phase = new LinkedHashMap<>();
			boolean ramp = part.from() != part.to();
			if (ramp) {
				phase.put("initialUsersPerSec", part.from());
				phase.put("targetUsersPerSec", part.to());
			}
			else {
				phase.put("usersPerSec", part.from());
			}
			phase.put("variance", request.load().arrivals() == Arrivals.POISSON);
			phase.put("maxSessions", request.connections());
			String kind = !ramp ? "constantRate" : (part.from() < part.to()) ? "increasingRate" : "decreasingRate";
			add(phases, (parts.size() == 1) ? name : name + "-" + (index + 1), kind, phase,
					Duration.ofMillis(Math.round(part.seconds() * 1e3)));
			List<ExportRequest.Single> singles = request.singles();
			// One fork is refused
			if (singles.size() == 1) {
				phase.put("scenario", send(singles.getFirst()));
			}
			else {
				phase.put("forks", forks(singles));
			}
		}
	}

	private static void add(List<Map<String, Object>> phases, String name, String kind, Map<String, Object> phase,
			Duration length) {
		phase.put("duration", millis(length));
		if (!phases.isEmpty()) {
			phase.put("startAfter", phases.getLast().keySet().iterator().next());
		}
		phases.add(Map.of(name, Map.of(kind, phase)));
	}

	// A session of the open model is one request. It has to be the first step, or its
	// latency would begin when it is sent
	private static List<Object> send(ExportRequest.Single single) {
		return List.of(Map.of("send", List.of(Map.of("httpRequest", request(single)))));
	}

	private static List<Object> forks(List<ExportRequest.Single> singles) {
		List<Object> forks = new ArrayList<>();
		for (ExportRequest.Single single : singles) {
			Map<String, Object> fork = new LinkedHashMap<>();
			fork.put("weight", single.weight());
			fork.put("scenario", send(single));
			forks.add(Map.of(single.name(), fork));
		}
		return forks;
	}

	// Forks would give each user one kind of request, and quick ones a greater share
	private static Map<String, Object> drawn(ExportRequest request) {
		List<Object> draw = new ArrayList<>();
		Map<String, Double> weights = new LinkedHashMap<>();
		List<Object> sequences = new ArrayList<>();
		for (ExportRequest.Single single : request.singles()) {
			weights.put(single.name(), single.weight());
		}
		draw.add(Map.of("randomItem", Map.of("toVar", DRAWN, "list", weights)));
		for (ExportRequest.Single single : request.singles()) {
			Map<String, Object> conditional = new LinkedHashMap<>();
			conditional.put("stringCondition", Map.of("fromVar", DRAWN, "equalTo", single.name()));
			conditional.put("actions", List.of(Map.of("newSequence", single.name())));
			draw.add(Map.of("conditional", conditional));
			List<Object> steps = new ArrayList<>();
			steps.add(Map.of("httpRequest", request(single)));
			if (!request.thinkTime().isZero()) {
				steps.add(Map.of("thinkTime", millis(request.thinkTime())));
			}
			sequences.add(Map.of(single.name(), steps));
		}
		Map<String, Object> scenario = new LinkedHashMap<>();
		scenario.put("initialSequences", List.of(Map.of("draw", draw)));
		scenario.put("sequences", sequences);
		return scenario;
	}

	private static Map<String, Object> request(ExportRequest.Single single) {
		RequestType type = single.type();
		Map<String, Object> request = new LinkedHashMap<>();
		request.put(type.method(), single.path());
		request.put("metric", type.name());
		if (!type.headers().isEmpty()) {
			request.put("headers", type.headers());
		}
		if (type.body() != null) {
			request.put("body", Map.of("text", type.body()));
		}
		return request;
	}

	private static String millis(Duration duration) {
		return duration.toMillis() + "ms";
	}

}
