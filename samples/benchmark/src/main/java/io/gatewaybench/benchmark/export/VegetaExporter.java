package io.gatewaybench.benchmark.export;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.plan.Arrivals;
import org.jspecify.annotations.Nullable;

/**
 * Targets and a shell script for vegeta.
 */
final class VegetaExporter implements Exporter {

	// Stands first in a line, so that no header can be taken for it
	private static final String TARGET = "@TARGET@";

	private static final String SCRIPT = """
			#!/bin/sh
			# %1$s of gateway-bench. Run: %2$s
			set -eu
			TARGET=${TARGET:-%3$s}
			cd "$(dirname "$0")"

			attack() {
			  sed "s|%4$s|${TARGET%%/}|" %1$s.jsonl | vegeta attack -format=json -duration="$1" %5$s
			}

			%6$sattack %7$dms > %1$s.bin
			vegeta report %1$s.bin
			""";

	@Override
	public @Nullable String objection(ExportRequest request) {
		if (!request.load().steps().isEmpty()) {
			return "can't change its rate while it sends";
		}
		if (!request.thinkTime().isZero()) {
			return "has no think time";
		}
		return (request.iterations() > 0) ? "ends by time only, and not after some requests of each user" : null;
	}

	@Override
	public Export export(ExportRequest request) {
		String id = request.id();
		String command = "TARGET=%s sh %s.sh".formatted(request.target(), id);
		ExportRequest.TimeUnit unit = request.timeUnit();
		String rate = request.isOpen() ? unit.of(request.load().rate()) + "/" + unit.seconds() + "s" : "0";
		String options = "-rate=%1$s -workers=%2$d -max-workers=%2$d -connections=%2$d -timeout=%3$dms -redirects=-1"
			.formatted(rate, request.connections(), request.timeouts().response().toMillis());
		String warmUp = request.warmUp().isZero() ? ""
				: "attack %dms > /dev/null\n".formatted(request.warmUp().toMillis());
		String script = SCRIPT.formatted(id, command, request.target(), TARGET, options, warmUp,
				request.length().toMillis());
		String targets = Turns.of(request.singles())
			.stream()
			.map(VegetaExporter::target)
			.collect(Collectors.joining("\n", "", "\n"));
		List<String> notes = new ArrayList<>();
		notes.add("it sends the requests of its file in their order, and again; the shares are the same, the sequence"
				+ " is not");
		if (request.isOpen()) {
			notes.add("its latency begins when a request is sent; here the time that a request waits for a free"
					+ " connection counts, too");
		}
		if (request.load().arrivals() == Arrivals.POISSON) {
			notes.add("it can't spread requests as a Poisson process; their distances are equal");
		}
		notes.add(STATUS_OR_SIZE);
		notes.add(COMPRESSION);
		return new Export(Map.of(id + ".jsonl", targets, id + ".sh", script), command, notes);
	}

	private static String target(ExportRequest.Single single) {
		Map<String, Object> target = new LinkedHashMap<>();
		target.put("url", TARGET + single.path());
		target.put("method", single.type().method());
		Map<String, List<String>> headers = new LinkedHashMap<>();
		single.type().headers().forEach((name, value) -> headers.put(name, List.of(value)));
		target.put("header", headers);
		if (single.type().body() != null) {
			target.put("body",
					Base64.getEncoder().encodeToString(single.type().body().getBytes(StandardCharsets.UTF_8)));
		}
		return Json.of(target);
	}

}
