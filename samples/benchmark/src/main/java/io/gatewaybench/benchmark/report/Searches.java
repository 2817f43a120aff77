package io.gatewaybench.benchmark.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

import io.gatewaybench.benchmark.engine.LoadResult;
import io.gatewaybench.benchmark.engine.StageResult;
import io.gatewaybench.benchmark.engine.TypeResult;
import io.gatewaybench.benchmark.result.RunResults;

/**
 * The rates that searches for the highest one tried. Raw files have them, the results do
 * not.
 */
final class Searches {

	// The name that the search gives to what it sends
	private static final Pattern SEARCH = Pattern.compile("search \\d+ at (\\d+)/s");

	private static final String FILE = "/load.json";

	private Searches() {
	}

	static Table table(RunResults results, RawFiles raw) {
		List<Row> searched = Row.of(results).stream().filter((row) -> row.first().load().p99LimitMs() != null).toList();
		return Table.of("Search for the highest rate",
				"In the order of the search. A rate holds if no request fails and the P99 of the response time is within the limit. "
						+ "A longer measurement confirms the last rate that held, or a lower one.",
				List.of("row", "requests/s", "P99 of the response time", "failed", "holds"), (rows) -> {
					if (!searched.isEmpty()) {
						raw.names()
							.stream()
							.filter((name) -> name.endsWith(FILE))
							.forEach((name) -> stages(raw.directory().resolve(name))
								.ifPresent((stages) -> searches(stages, searched, rows)));
					}
				});
	}

	private static Optional<List<StageResult>> stages(Path file) {
		try {
			return Optional.of(LoadResult.read(Objects.requireNonNull(file.getParent())).stages());
		}
		catch (IOException ex) {
			// A report without it is better than none
			return Optional.empty();
		}
	}

	// After a search comes its measurement
	private static void searches(List<StageResult> stages, List<Row> searched, Consumer<List<String>> rows) {
		List<StageResult> tried = new ArrayList<>();
		for (StageResult stage : stages) {
			if (SEARCH.matcher(stage.stage()).matches()) {
				tried.add(stage);
				continue;
			}
			searched.stream()
				.filter((row) -> row.first().id().equals(stage.stage()))
				.forEach((row) -> tried.forEach((each) -> rows.accept(line(row, each))));
			tried.clear();
		}
	}

	private static List<String> line(Row row, StageResult stage) {
		TypeResult total = stage.total();
		Double p99 = total.latency().slo().summary().p99OrMaxMs();
		long limit = Objects.requireNonNull(row.first().load().p99LimitMs());
		boolean holds = total.counts().failed() == 0 && p99 != null && p99 <= limit;
		return List.of(row.title(), Figures.count(Long.parseLong(SEARCH.matcher(stage.stage()).replaceFirst("$1"))),
				Figures.millis(p99), Figures.count(total.counts().failed()), holds ? "yes" : "no");
	}

}
