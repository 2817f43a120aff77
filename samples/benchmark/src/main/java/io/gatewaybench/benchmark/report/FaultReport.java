package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.load.Counts;
import io.gatewaybench.benchmark.result.Environment;
import io.gatewaybench.benchmark.result.FaultResult;
import io.gatewaybench.benchmark.result.FaultResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.WarmupCurve;

/**
 * What clients see of faults, as text and as Markdown.
 *
 * @param results what was found out
 */
public record FaultReport(FaultResults results) {

	private static final int OK = 200;

	private static final int MOST_FAILURES = 3;

	/**
	 * The part of the report that fits a terminal.
	 * @return lines, the last one ended
	 */
	public String toText() {
		StringBuilder text = new StringBuilder();
		tables().forEach((table) -> text.append('\n').append(table.toText()));
		text.append('\n').append(howToRead()).append('\n');
		failures().forEach((failure) -> text.append(failure).append('\n'));
		warnings().forEach((warning) -> text.append("! ").append(warning).append('\n'));
		return text.toString();
	}

	/**
	 * What was seen of one fault in one line.
	 * @param fault what was seen
	 * @return the line
	 */
	public static String line(FaultResult fault) {
		return name(fault) + ": " + Figures.count(fault.total().failed()) + " of "
				+ Figures.count(fault.total().intended()) + " requests failed; retries: "
				+ Figures.count(fault.retries()) + ", ejections: " + Figures.count(fault.ejections());
	}

	/**
	 * The whole report, for a pull request or a wiki.
	 * @return Markdown
	 */
	public String toMarkdown() {
		List<Table> sections = new ArrayList<>(tables());
		sections.addFirst(Table.ofSentences("What speaks against the figures", warnings()));
		sections.add(Table.ofSentences("How to read this", List.of(howToRead())));
		sections.add(Table.ofSentences("Failures", failures().isEmpty() ? List.of("None.") : failures()));
		sections.add(Table.ofSentences("Environment", List.of(environment())));
		return sections.stream()
			.filter((section) -> !section.isEmpty())
			.map(MarkdownReport::section)
			.collect(Collectors.joining("", "# What clients see when something goes wrong\n\n", ""));
	}

	private List<Table> tables() {
		return this.results.faults()
			.stream()
			.map(FaultResult::gateway)
			.distinct()
			.map((gateway) -> new Table(
					gateway + ", " + Figures.perSecond(this.results.settings().rate()) + " requests per second", "",
					List.of("fault", "outage", "sent", "failed", "status", "timeout", "refused", "reset", "body",
							"clients", "attempts", "retried", "ejected after", "ejections", "back after", "P50", "P99",
							"max", "holds"),
					this.results.faults()
						.stream()
						.filter((fault) -> fault.gateway().equals(gateway))
						.map(FaultReport::row)
						.toList()))
			.toList();
	}

	private static List<String> row(FaultResult fault) {
		Counts counts = fault.total();
		return List.of(fault.fault(), Figures.millis(fault.outageMs()), Figures.count(counts.intended()),
				Figures.count(counts.failed()), Figures.count(counts.httpError()), Figures.count(counts.timeout()),
				Figures.count(counts.refused()), Figures.count(counts.reset()), Figures.count(counts.wrongBody()),
				Figures.count(fault.extraClients().visits()), Figures.count(fault.attempts()),
				Figures.count(fault.retries()),
				(fault.ejections() > 0) ? Figures.millis(fault.ejectedAfterMs()) : "never",
				Figures.count(fault.ejections()),
				(fault.ejections() > 0) ? Figures.millis(fault.backAfterMs()) : "never out",
				Figures.millis(fault.response().p50Ms()), Figures.millis(fault.response().p99Ms()),
				Figures.millis(fault.response().maxMs()), fault.broken().isEmpty() ? "yes" : "no");
	}

	private String howToRead() {
		FaultResults.Settings settings = this.results.settings();
		return "Something goes wrong in a load of at most "
				+ Figures.duration(settings.before().plus(settings.fault()).plus(settings.after()))
				+ ", of which P50, P99 and max, the response times of successful responses, cover the "
				+ Figures.duration(settings.fault())
				+ " after the fault began. 'ejected after' is the time from the start of the fault to the first ejection. "
				+ "'back after' is the time from the end of the outage until the instance takes requests for good; the "
				+ "outage includes the restart of the process. 'clients' are extra clients that are not part of the load. "
				+ "'attempts' are requests to instances. 'holds' is yes if the gateway met every requirement of this fault.";
	}

	private List<String> failures() {
		List<String> failures = new ArrayList<>();
		for (FaultResult fault : this.results.faults()) {
			if (fault.total().failed() > 0) {
				String statuses = fault.statuses()
					.entrySet()
					.stream()
					.filter((entry) -> entry.getKey() != OK)
					.map((entry) -> Figures.count(entry.getValue()) + " × " + entry.getKey())
					.collect(Collectors.joining(", "));
				failures.add(name(fault) + ": " + (statuses.isEmpty() ? "" : statuses + "; ")
						+ fault.failures().stream().limit(MOST_FAILURES).collect(Collectors.joining("; ")));
			}
		}
		return failures;
	}

	private List<String> warnings() {
		List<String> warnings = new ArrayList<>();
		if (this.results.status() == Status.INTERRUPTED) {
			warnings.add("The run was interrupted.");
		}
		else if (this.results.failure() != null) {
			warnings.add("The run failed: " + this.results.failure());
		}
		for (WarmupCurve curve : this.results.warmups()) {
			if (!Boolean.TRUE.equals(curve.steady())) {
				warnings.add(curve.variant() + " was not known to be warm when its first fault came.");
			}
		}
		for (FaultResult fault : this.results.faults()) {
			fault.broken().forEach((broken) -> warnings.add(name(fault) + ": " + broken));
			if (!fault.total().balanced()) {
				warnings.add(name(fault) + ": it is not known of every request what became of it.");
			}
			if (fault.total().aborted() > 0) {
				warnings.add(name(fault) + ": the generator gave up " + Figures.count(fault.total().aborted())
						+ " of the failed requests.");
			}
			if (fault.before().failed() > 0) {
				warnings.add(name(fault) + ": " + Figures.count(fault.before().failed())
						+ " of the failed requests were sent before the fault.");
			}
			if (fault.ejections() > fault.recoveries() && !fault.removed()) {
				warnings.add(name(fault) + ": the instance was not back before the load was over.");
			}
		}
		return warnings;
	}

	private String environment() {
		Environment environment = this.results.environment();
		return "CPU: " + environment.cpu() + ", " + environment.cores() + " cores; operating system: "
				+ environment.os() + "; Java: " + environment.java() + "; heap of the gateway: "
				+ this.results.settings().heap() + "; commit: " + Setup.commit(environment) + "; arguments: "
				+ String.join(" ", environment.runnerCommand()) + ".";
	}

	private static String name(FaultResult fault) {
		return fault.gateway() + ", " + fault.fault();
	}

}
