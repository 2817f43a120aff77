package io.gatewaybench.benchmark.report;

import java.util.List;

/**
 * A part of the report as data, which every output shows in its own way.
 */
sealed interface Section permits Table, Section.Sentences {

	/**
	 * The heading.
	 */
	String caption();

	/**
	 * What a reader needs to know of it, in sentences; empty for nothing.
	 */
	String note();

	/**
	 * Whether there is nothing to show.
	 */
	boolean isEmpty();

	/**
	 * Sentences under a heading.
	 *
	 * @param caption the heading
	 * @param sentences the sentences
	 */
	record Sentences(String caption, List<String> sentences) implements Section {

		public Sentences {
			sentences = List.copyOf(sentences);
		}

		@Override
		public String note() {
			return "";
		}

		@Override
		public boolean isEmpty() {
			return this.sentences.isEmpty();
		}

	}

}
