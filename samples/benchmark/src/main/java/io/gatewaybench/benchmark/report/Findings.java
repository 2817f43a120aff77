package io.gatewaybench.benchmark.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.result.RunResults;

/**
 * What a report says, in words and tables, whatever it is written in: the order of its
 * sections.
 *
 * @param results the run
 * @param directory the files of the run
 */
record Findings(RunResults results, Path directory) {

	/**
	 * Versions, machine and load in one line.
	 */
	String context() {
		return new Setup(this.results, this.directory).context();
	}

	/**
	 * The figures.
	 */
	List<Table> figures() {
		Measurements measurements = new Measurements(this.results);
		return nonEmpty(measurements.ratios(), Published.claims(this.results), Published.table(this.results),
				Published.notes(this.results), measurements.more(), Costs.table(this.results), measurements.errors(),
				measurements.remarks());
	}

	/**
	 * What a reader looks up.
	 */
	List<Table> details() {
		Measurements measurements = new Measurements(this.results);
		Setup setup = new Setup(this.results, this.directory);
		return nonEmpty(Table.ofSentences("How to read this", new Method(this.results).sentences()),
				setup.differences(), setup.environment(), measurements.all(), measurements.types(),
				measurements.agents(), Profiles.read(this).table());
	}

	/**
	 * Everything below the first screen.
	 */
	List<Table> all() {
		Table thresholds = ThresholdReport.table(this.results);
		return Stream.of(nonEmpty(thresholds), figures(), details()).flatMap(List::stream).toList();
	}

	private static List<Table> nonEmpty(Table... tables) {
		return Stream.of(tables).filter((table) -> !table.isEmpty()).toList();
	}

	/**
	 * Files of the run.
	 * @param folder where they are below its directory, which may not be there
	 * @param ending what their names end with
	 */
	List<Path> files(String folder, String ending) {
		try (Stream<Path> files = Files.walk(this.directory.resolve(folder))) {
			return files.filter((file) -> file.getFileName().toString().endsWith(ending)).sorted().toList();
		}
		catch (IOException ex) {
			return List.of();
		}
	}

	/**
	 * The text of a file, empty if it is not there or can't be read: a report without it
	 * is better than none.
	 */
	static Optional<String> text(Path file) {
		try {
			return Optional.of(Files.readString(file));
		}
		catch (IOException ex) {
			return Optional.empty();
		}
	}

}
