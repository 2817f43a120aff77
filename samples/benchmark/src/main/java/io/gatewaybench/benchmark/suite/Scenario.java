package io.gatewaybench.benchmark.suite;

import java.util.List;

import io.gatewaybench.benchmark.load.Workload;

/**
 * One row of a suite: a variant and what it is loaded with.
 *
 * @param id the name on the command line and of files, for example {@code webmvc-vt-c16}
 * @param title the name in reports
 * @param variant what load is sent to
 * @param load what it is loaded with
 */
public record Scenario(String id, String title, Variant variant, Load load) {

	/**
	 * Names a row by its variant and its load.
	 * @param variant what load is sent to
	 * @param load what it is loaded with
	 * @return the row
	 */
	public static Scenario of(Variant variant, Load load) {
		return new Scenario(variant.id() + "-" + load.id(), variant.title() + " " + load.title(), variant, load);
	}

	/**
	 * Who sends what.
	 * @return the workload of the load
	 */
	public Workload workload() {
		return this.load.workload();
	}

	/**
	 * The names of rows in reports, which need the load only where there are several.
	 * @param rows all rows of a run
	 * @return the same rows, by the titles of their variants if all have the same load
	 */
	public static List<Scenario> named(List<Scenario> rows) {
		boolean alike = rows.stream().map((row) -> row.load().id()).distinct().count() == 1;
		return !alike ? rows
				: rows.stream().map((row) -> new Scenario(row.id, row.variant.title(), row.variant, row.load)).toList();
	}

	/**
	 * The same row at a rate that was found.
	 * @param found requests per second
	 * @return the row, of the same name
	 */
	public Scenario at(double found) {
		return new Scenario(this.id, this.title, this.variant, this.load.at(found));
	}

	/**
	 * The same row for a variant of another name.
	 * @return the row
	 */
	public Scenario again() {
		return of(this.variant.again(), this.load);
	}

}
