package io.gatewaybench.benchmark.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.gatewaybench.benchmark.result.RunResults;

/**
 * The report as one page that needs nothing else: no script, no network, style and charts
 * inside.
 */
final class HtmlReport {

	private static final String TEMPLATE = template();

	private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{(title|content)}}");

	private HtmlReport() {
	}

	static String render(Findings findings, List<String> files) {
		RunResults results = findings.results();
		StringBuilder html = new StringBuilder();
		html.append("<h1>").append(escape(results.title())).append("</h1>\n");
		paragraph(html, "subtitle",
				"Suite " + results.suite() + ", started " + results.startedAt() + ", Java "
						+ results.environment().java() + ", " + results.environment().cpu() + ", "
						+ results.environment().cores() + " cores." + findings.published());
		findings.warnings().forEach((warning) -> paragraph(html, "warning", warning));
		findings.headline().forEach((section) -> section(html, section));
		if (!results.scenarios().isEmpty()) {
			html.append("<div class=\"charts\">\n").append(new Charts(findings).all()).append("</div>\n");
		}
		findings.details().forEach((section) -> section(html, section));
		html.append("<h2>Files</h2>\n<ul>\n");
		files.forEach((file) -> html.append("<li><a href=\"")
			.append(escape(RelativeLink.to(file)))
			.append("\">")
			.append(escape(file))
			.append("</a></li>\n"));
		html.append("</ul>");
		// In one pass: what is put in could look like a placeholder itself
		return PLACEHOLDER.matcher(TEMPLATE)
			.replaceAll((match) -> Matcher
				.quoteReplacement(match.group().equals("{{title}}") ? escape(results.title()) : html.toString()));
	}

	private static void paragraph(StringBuilder html, String style, String text) {
		html.append("<p class=\"").append(style).append("\">").append(escape(text)).append("</p>\n");
	}

	private static void section(StringBuilder html, Section section) {
		if (section.isEmpty()) {
			return;
		}
		int detail = section.caption().indexOf(" (");
		if (!section.caption().isEmpty()) {
			html.append("<h2>")
				.append(escape((detail < 0) ? section.caption() : section.caption().substring(0, detail)))
				.append("</h2>\n");
		}
		if (detail >= 0) {
			paragraph(html, "note", section.caption().substring(detail + 2, section.caption().length() - 1) + ".");
		}
		switch (section) {
			case Table table -> table(html, table);
			case Section.Sentences one when one.caption().isEmpty() ->
				one.sentences().forEach((sentence) -> paragraph(html, "subtitle", sentence));
			case Section.Sentences list -> {
				html.append("<ul>\n");
				list.sentences().forEach((item) -> html.append("<li>").append(escape(item)).append("</li>\n"));
				html.append("</ul>\n");
			}
		}
	}

	private static void table(StringBuilder html, Table table) {
		// Names and values, which are longer than figures
		String style = (table.head().size() == 2) ? " class=\"facts\"" : "";
		html.append("<div class=\"scroll\"><table").append(style).append("><thead><tr>");
		table.head().forEach((cell) -> html.append("<th scope=\"col\">").append(escape(cell)).append("</th>"));
		html.append("</tr></thead>\n<tbody>\n");
		table.rows().forEach((row) -> {
			html.append("<tr>");
			row.forEach((cell) -> html
				.append(cell.equals("valid") || cell.equals("invalid") ? "<td class=\"" + cell + "\">" : "<td>")
				.append(escape(cell))
				.append("</td>"));
			html.append("</tr>\n");
		});
		html.append("</tbody></table></div>\n");
	}

	/**
	 * Text that HTML shows as it is, in elements and in quoted attributes.
	 */
	static String escape(String text) {
		return text.replace("&", "&amp;")
			.replace("<", "&lt;")
			.replace(">", "&gt;")
			.replace("\"", "&quot;")
			.replace("'", "&#39;");
	}

	private static String template() {
		try (InputStream in = HtmlReport.class.getResourceAsStream("report.html")) {
			return new String(Objects.requireNonNull(in, "report.html").readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("report.html can't be read", ex);
		}
	}

}
