package io.gatewaybench.benchmark.export;

import org.jspecify.annotations.Nullable;

/**
 * Knows the format of a tool.
 */
interface Exporter {

	/**
	 * A note of several tools.
	 */
	String STATUS_OR_SIZE = "it checks neither the status nor the size that the suite expects; it counts a status from"
			+ " 400 on as an error";

	/**
	 * The same.
	 */
	String COMPRESSION = "it asks for compressed responses (Accept-Encoding: gzip), for which some targets have more to"
			+ " do; name the header in the suite to ask for what you want";

	/**
	 * The same.
	 */
	String SECONDS = "it counts in whole seconds, so it sends up to a second longer";

	/**
	 * Why a load can't be said in this format.
	 * @param request the load
	 * @return why, to be put behind the name of the tool: {@code can't send at a rate};
	 * {@code null} if it can
	 */
	@Nullable String objection(ExportRequest request);

	/**
	 * Says the load in this format.
	 * @param request a load without objection
	 */
	Export export(ExportRequest request);

}
