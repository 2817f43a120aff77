package io.gatewaybench.benchmark.report;

import java.util.Locale;

/**
 * A figure of rows as inline SVG: names on the left, values on the right, and a scale
 * from 0 to 1 in between.
 */
final class Svg {

	static final int ROW = 26;

	private static final int WIDTH = 520;

	private static final int LEFT = 178;

	private static final int RIGHT = 84;

	private final StringBuilder text = new StringBuilder();

	private int y;

	void row(String name) {
		append("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>", LEFT - 8, this.y + ROW / 2 + 4,
				HtmlReport.escape(name));
	}

	void bar(String style, double from, double to) {
		append("<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>", style, x(from), this.y + 6,
				Math.max(0, x(to) - x(from)), ROW - 12);
	}

	void dot(String style, double at, double radius) {
		append("<circle class=\"%s\" cx=\"%.1f\" cy=\"%d\" r=\"%.1f\"/>", style, x(at), this.y + ROW / 2, radius);
	}

	/**
	 * A line through the middle of the row.
	 */
	void whisker(double from, double to) {
		int middle = this.y + ROW / 2;
		append("<line class=\"whisker\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>", x(from), x(to), middle, middle);
	}

	/**
	 * A line across the row.
	 */
	void mark(double at) {
		append("<line class=\"mark\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>", x(at), x(at), this.y + 3,
				this.y + ROW - 3);
	}

	/**
	 * A curve within the row.
	 * @param style the class of the line
	 * @param values from 0 to 1
	 */
	void curve(String style, double[] values) {
		this.text.append("<polyline class=\"").append(style).append("\" points=\"");
		for (int index = 0; index < values.length; index++) {
			this.text.append(String.format(Locale.ROOT, "%.1f,%.1f ",
					x(index / (double) Math.max(1, values.length - 1)), this.y + ROW - 4 - (ROW - 8) * values[index]));
		}
		this.text.append("\"/>");
	}

	/**
	 * Ends the row.
	 * @param value what is written on the right
	 */
	void end(String value) {
		append("<text class=\"dim\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", WIDTH, this.y + ROW / 2 + 4,
				HtmlReport.escape(value));
		this.y += ROW;
	}

	String figure(String caption, String detail) {
		return "<figure><figcaption>" + HtmlReport.escape(caption) + " <span>" + HtmlReport.escape(detail)
				+ "</span></figcaption>\n"
				+ String.format(Locale.ROOT, "<svg role=\"img\" aria-label=\"%s\" viewBox=\"0 0 %d %d\">\n",
						HtmlReport.escape(caption), WIDTH, Math.max(this.y, 1))
				+ String.format(Locale.ROOT, "<line class=\"axis\" x1=\"%d\" x2=\"%d\" y1=\"0\" y2=\"%d\"/>\n", LEFT,
						LEFT, this.y)
				+ this.text + "</svg></figure>\n";
	}

	private static double x(double part) {
		return LEFT + Math.clamp(part, 0, 1) * (WIDTH - LEFT - RIGHT);
	}

	private void append(String format, Object... arguments) {
		this.text.append(String.format(Locale.ROOT, format, arguments));
	}

}
