package io.gatewaybench.benchmark.export;

import java.util.List;
import java.util.Map;

/**
 * A load in the format of a tool.
 *
 * @param files the files, by their names
 * @param command what starts the tool, in the directory of the files
 * @param notes what the format can't say, or says in another way, in whole sentences
 */
public record Export(Map<String, String> files, String command, List<String> notes) {

	/**
	 * Copies the collections.
	 */
	public Export {
		files = Map.copyOf(files);
		notes = List.copyOf(notes);
	}

}
