package io.gatewaybench.benchmark.export;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.engine.WrkScript;
import org.jspecify.annotations.Nullable;

/**
 * A script for wrk.
 */
final class WrkExporter implements Exporter {

	private static final String PAUSE = """

			delay = function()
			  return %d
			end
			""";

	@Override
	public @Nullable String objection(ExportRequest request) {
		if (request.isOpen()) {
			return "sends as fast as responses come, and at no rate";
		}
		return (request.iterations() > 0) ? "ends by time only, and not after some requests of each user" : null;
	}

	@Override
	public Export export(ExportRequest request) {
		String file = request.id() + ".lua";
		long timeout = ExportRequest.seconds(request.timeouts().response());
		String command = "wrk -t1 -c%d -d%ds --timeout %ds --latency -s %s %s".formatted(request.connections(),
				ExportRequest.seconds(request.length()), timeout, file, request.target());
		String script = "-- %s of gateway-bench. Run: %s\n".formatted(request.id(), command)
				+ WrkScript.requests(request.mix(), request.seed())
				+ (request.thinkTime().isZero() ? "" : PAUSE.formatted(request.thinkTime().toMillis()));
		List<String> notes = new ArrayList<>();
		if (request.hasFractions()) {
			notes.add(SECONDS);
		}
		if (!request.warmUp().isZero()) {
			notes.add("it has no warm-up; run the command twice, and leave out the first result");
		}
		if (!request.thinkTime().isZero()) {
			notes.add("its users begin at the same moment; here they begin spread over a think time");
		}
		notes.add(STATUS_OR_SIZE);
		return new Export(Map.of(file, script), command, notes);
	}

}
