package io.gatewaybench.benchmark.run;

import java.io.PrintStream;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The last lines of a terminal, which are drawn again. Between two drawings the cursor
 * stands at the beginning of the line below them, and no mode of the terminal is changed.
 * So the terminal is clean whenever and however the process ends.
 *
 * @see <a href="https://invisible-island.net/xterm/ctlseqs/ctlseqs.html">XTerm Control
 * Sequences</a>
 */
final class LiveView {

	private static final String UP = "\033[%dA";

	private static final String CLEAR_REST_OF_LINE = "\033[K";

	private static final String CLEAR_BELOW = "\033[J";

	private static final String WRAP_OFF = "\033[?7l";

	private static final String WRAP_ON = "\033[?7h";

	private static final String BLOCKS = "▁▂▃▄▅▆▇█";

	private static final String ASCII_BLOCKS = "_.-:=+*#";

	private static final int USUAL_COLUMNS = 80;

	private final PrintStream out;

	private final int columns;

	private final String blocks;

	private int height;

	/**
	 * A view without a line.
	 * @param out the terminal
	 * @param columns how wide it is, 0 if that is not known
	 */
	LiveView(PrintStream out, int columns) {
		this.out = out;
		// Some terminals do not know, and say 0
		this.columns = (columns > 0) ? columns : USUAL_COLUMNS;
		this.blocks = out.charset().newEncoder().canEncode(BLOCKS) ? BLOCKS : ASCII_BLOCKS;
	}

	/**
	 * Draws the view again.
	 * @param above what is printed above the view and stays there: empty, or lines that
	 * end with a line break
	 * @param lines the lines of the view, which are cut at the edge of the terminal
	 */
	void draw(String above, List<String> lines) {
		if (this.height == 0 && lines.isEmpty()) {
			this.out.print(above);
			return;
		}
		// All at once, as a view that is drawn in parts flickers
		StringBuilder text = new StringBuilder("\r");
		if (this.height > 0) {
			text.append(UP.formatted(this.height));
		}
		text.append(above.replace("\n", CLEAR_REST_OF_LINE + "\n"));
		// The terminal may be narrower than it was at the start
		text.append(WRAP_OFF);
		lines.forEach((line) -> text.append(cut(line)).append(CLEAR_REST_OF_LINE).append('\n'));
		text.append(WRAP_ON).append(CLEAR_BELOW);
		this.out.print(text);
		this.out.flush();
		this.height = lines.size();
	}

	private String cut(String line) {
		return line.substring(0, Math.min(line.length(), this.columns));
	}

	/**
	 * A column for each figure, as high as the figure beside the highest one.
	 * @param figures none of them negative
	 */
	String sparkline(Collection<Long> figures) {
		double highest = Math.max(1, figures.isEmpty() ? 1 : Collections.max(figures));
		return figures.stream()
			.map((figure) -> (int) Math.round(figure / highest * (this.blocks.length() - 1)))
			.map((height) -> String.valueOf(this.blocks.charAt(height)))
			.collect(Collectors.joining());
	}

}
