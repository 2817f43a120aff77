package io.gatewaybench.benchmark.run;

import java.util.List;

/**
 * Something that can speak against a measurement, decided before anything was measured.
 */
@FunctionalInterface
interface Rule {

	/**
	 * Looks at a measurement.
	 * @param context what is known
	 * @return what speaks against it, nothing if nothing does
	 */
	List<Objection> objections(MeasurementContext context);

}
