package io.gatewaybench.benchmark.report;

import java.util.List;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.result.RunResults;

/**
 * What a report says, in words and tables, whatever it is written in: the order of its
 * sections.
 *
 * @param results the run
 * @param raw the files of the run
 */
record Findings(RunResults results, RawFiles raw) {

	/**
	 * What it comes to: the first screen.
	 */
	Answer answer() {
		return Answer.of(this.results);
	}

	/**
	 * What must not hold, and whether it does; empty where nothing was asked.
	 */
	Table thresholds() {
		return ThresholdTable.of(this.results);
	}

	/**
	 * Versions, machine and load in one line.
	 */
	String context() {
		return new Setup(this.results, this.raw).context();
	}

	/**
	 * The figures.
	 */
	List<Section> figures() {
		Measurements measurements = new Measurements(this.results);
		return nonEmpty(Stream.concat(
				Stream.concat(Stream.of(new Ratios(this.results).table(), Claims.table(this.results)),
						Published.sections(this.results).stream()),
				Stream.of(Burst.table(this.results), measurements.more(), Costs.gateways(this.results),
						Costs.peaks(this.results), Costs.others(this.results), measurements.errors(),
						measurements.remarks())));
	}

	/**
	 * What a reader looks up.
	 */
	List<Section> details() {
		Measurements measurements = new Measurements(this.results);
		Setup setup = new Setup(this.results, this.raw);
		return nonEmpty(Stream.of(new Section.Sentences("How to read this", new Method(this.results).sentences()),
				setup.differences(), setup.environment(), setup.commands(), measurements.all(), measurements.types(),
				measurements.agents(), measurements.warmups(), Profiles.read(this.results, this.raw).section()));
	}

	private static List<Section> nonEmpty(Stream<Section> sections) {
		return sections.filter((section) -> !section.isEmpty()).toList();
	}

}
