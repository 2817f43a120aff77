package io.gatewaybench.benchmark.report;

import java.util.List;

/**
 * A part of the report as data, which every output shows in its own way.
 */
sealed interface Section permits Table, Section.Sentences {

	/**
	 * The heading, with what a reader needs to know in parentheses behind it; empty for
	 * none.
	 */
	String caption();

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
		public boolean isEmpty() {
			return this.sentences.isEmpty();
		}

	}

}
