package io.gatewaybench.benchmark.engine;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.plan.LoadPlan;
import io.gatewaybench.benchmark.plan.RequestType;
import io.gatewaybench.benchmark.plan.Stage;

/**
 * What wrk runs: draws requests as {@link RequestMix} does, and at the end prints what
 * {@link WrkOutput} reads.
 */
public final class WrkScript {

	private static final String REQUESTS = """
			local types = {
			%s}
			local total = 0
			local prepared = {}
			local ends = {}

			init = function(args)
			  math.randomseed(%d)
			  for i, type in ipairs(types) do
			    total = total + type.weight
			    ends[i] = total
			    prepared[i] = {}
			    for j, path in ipairs(type.paths) do
			      prepared[i][j] = wrk.format(type.method, path, type.headers, type.body)
			    end
			  end
			end

			request = function()
			  local draw = math.random() * total
			  local i = 1
			  while i < #ends and draw >= ends[i] do
			    i = i + 1
			  end
			  return prepared[i][math.random(#prepared[i])]
			end
			""";

	private static final String RESULT = """

			done = function(summary, latency, requests)
			  local errors = summary.errors
			  io.write(string.format("%s %%d %%d %%d %%d %%d %%d %%d %%f\\n", summary.duration, summary.requests,
			    errors.status, errors.timeout, errors.connect, errors.read, errors.write, os.clock()))
			  for i = 1, #latency do
			    local micros, count = latency(i)
			    io.write(string.format("%s %%d %%d\\n", micros, count))
			  end
			end
			""";

	private WrkScript() {
	}

	static String of(LoadPlan plan, Stage stage) {
		return requests(plan.mix(stage), plan.seed()) + RESULT.formatted(WrkOutput.SUMMARY, WrkOutput.LATENCY);
	}

	/**
	 * The part of the script that draws requests.
	 * @param mix the requests
	 * @param seed the seed of the draws
	 * @return the functions {@code init} and {@code request} in Lua
	 */
	public static String requests(List<RequestType> mix, long seed) {
		String types = mix.stream().map(WrkScript::type).collect(Collectors.joining());
		return REQUESTS.formatted(types, seed & Integer.MAX_VALUE);
	}

	private static String type(RequestType type) {
		return "  {weight = %s, method = %s, paths = %s, headers = %s, body = %s},\n".formatted(type.weight(),
				text(type.method()), paths(type.paths()), headers(type.headers()),
				(type.body() != null) ? text(type.body()) : "nil");
	}

	private static String paths(List<String> paths) {
		return paths.stream().map(WrkScript::text).collect(Collectors.joining(", ", "{", "}"));
	}

	private static String headers(Map<String, String> headers) {
		return headers.entrySet()
			.stream()
			.map((header) -> "[" + text(header.getKey()) + "] = " + text(header.getValue()))
			.collect(Collectors.joining(", ", "{", "}"));
	}

	/**
	 * A literal that needs no other escape than that of Lua for any byte.
	 */
	private static String text(String value) {
		StringBuilder literal = new StringBuilder("\"");
		for (byte each : value.getBytes(StandardCharsets.UTF_8)) {
			boolean plain = Character.isLetterOrDigit(each) || each == '/' || each == '-' || each == '.';
			literal.append((plain && each > 0) ? String.valueOf((char) each) : "\\%03d".formatted(each & 0xff));
		}
		return literal.append('"').toString();
	}

}
