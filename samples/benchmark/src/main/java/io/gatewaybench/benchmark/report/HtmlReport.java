package io.gatewaybench.benchmark.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.failure.Resource;
import io.gatewaybench.benchmark.result.RunResults;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The report as a page for the browser. By itself it needs nothing else: no network;
 * style, script, data and the library that draws the charts are in it. Many pages can
 * also share one copy of these. All but the charts shows without script.
 */
final class HtmlReport {

	private static final JsonMapper MAPPER = new JsonMapper();

	private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{(\\w+)}}");

	private final StringBuilder html = new StringBuilder();

	private HtmlReport() {
	}

	/**
	 * A page.
	 * @param assets where style, script and library go, and replace older ones, to be
	 * shared with other pages beside this one; {@code null} if they are in the page
	 * @throws IOException if they can't be written
	 */
	static String render(Findings findings, @Nullable Path assets) throws IOException {
		Charts data = new Charts(findings);
		List<Chart> charts = data.all();
		// Only the whole of ECharts can draw frames, but it is larger by half
		boolean flames = charts.stream().anyMatch((chart) -> chart.id().equals("flame"));
		String library = flames ? "echarts.min.js" : "echarts.common.min.js";
		String style = Resource.text(HtmlReport.class, "report.css");
		String draw = Resource.text(HtmlReport.class, "echarts/" + library);
		String script = Resource.text(HtmlReport.class, "flame.js") + Resource.text(HtmlReport.class, "report.js");
		// What the browser may use: this very style and these very scripts
		String policy = "style-src %s; script-src %s %s".formatted(hash(style), hash(draw), hash(script));
		String styles = "<style>" + style + "</style>";
		String scripts = "<script>" + draw + "</script>\n<script>" + script + "</script>";
		if (assets != null) {
			Files.createDirectories(assets);
			Files.writeString(assets.resolve("report.css"), style);
			Files.writeString(assets.resolve(library), draw);
			Files.writeString(assets.resolve("report.js"), script);
			policy = "style-src 'self'; script-src 'self'";
			styles = "<link rel=\"stylesheet\" href=\"%s/report.css\">".formatted(assets.getFileName());
			scripts = "<script src=\"%1$s/%2$s\"></script>\n<script src=\"%1$s/report.js\"></script>"
				.formatted(assets.getFileName(), library);
		}
		Map<String, String> parts = Map.of("title", escape(findings.results().title()), "policy",
				"default-src 'none'; img-src data:; " + policy + "; base-uri 'none'; form-action 'none'", "style",
				styles, "content", new HtmlReport().content(findings, charts),
				// The end of the element must not be in its text
				"data",
				MAPPER
					.writeValueAsString(new TreeMap<>(Map.of("variants", data.variants(), "charts",
							charts.stream().map(Chart.Encoded::of).toList())))
					.replace("<", "\\u003c"),
				"scripts", scripts);
		// In one pass: what is put in could look like a placeholder itself
		return PLACEHOLDER.matcher(Resource.text(HtmlReport.class, "report.html"))
			.replaceAll((match) -> Matcher.quoteReplacement(Objects.requireNonNull(parts.get(match.group(1)))));
	}

	private static String hash(String text) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
			return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private String content(Findings findings, List<Chart> charts) {
		RunResults results = findings.results();
		Answer answer = Answer.of(results);
		add("<header><h1>%s</h1>\n", results.title());
		add("<p class=\"subtitle\">%s</p>\n</header>\n", "Suite " + results.suite() + ", " + results.startedAt());
		add("<main>\n<section class=\"answer\" aria-label=\"Answer\">\n<h2>Answer</h2>\n");
		answer.sentences().forEach((sentence) -> add("<p class=\"headline\">%s</p>\n", sentence));
		if (!answer.table().isEmpty()) {
			table(answer.table());
			note(answer.table().caption() + ". " + answer.table().note());
		}
		add("</section>\n<section class=\"sure\">\n<h2>How sure</h2>\n");
		list(answer.howSure());
		add("</section>\n");
		if (!answer.next().isEmpty()) {
			add("<section class=\"next\">\n<h2>What next</h2>\n");
			list(answer.next());
			add("</section>\n");
		}
		add("<p class=\"context\">%s</p>\n", findings.context());
		Table thresholds = ThresholdReport.table(results);
		if (!thresholds.isEmpty()) {
			section(thresholds);
		}
		if (!charts.isEmpty()) {
			add("<h2>Charts</h2>\n<noscript><p class=\"note\">The charts need JavaScript. "
					+ "Their figures are in the tables below.</p></noscript>\n<div class=\"charts\">\n");
			charts.forEach(this::figure);
			add("</div>\n");
		}
		findings.figures().forEach(this::section);
		add("<h2>Details</h2>\n");
		findings.details().forEach((table) -> {
			add("<details><summary>%s</summary>\n", table.caption());
			body(table);
			add("</details>\n");
		});
		return this.html.append("</main>").toString();
	}

	/**
	 * Adds HTML.
	 * @param texts what stands at each {@code %s}, which is escaped
	 */
	private void add(String format, String... texts) {
		this.html.append(format.formatted(Stream.of(texts).map(HtmlReport::escape).toArray()));
	}

	private void figure(Chart chart) {
		add("<figure id=\"chart-%s\" hidden>\n<figcaption>%s</figcaption>\n<div class=\"controls\"></div>\n",
				chart.id(), chart.caption());
		add("<div class=\"plot\" role=\"img\" aria-label=\"%s\" aria-describedby=\"how-%s\"></div>\n", chart.caption(),
				chart.id());
		add("<p class=\"note\" id=\"how-%s\">%s</p>\n", chart.id(), chart.howToRead());
		add("</figure>\n");
	}

	private void section(Table table) {
		add("<h2>%s</h2>\n", table.caption());
		body(table);
	}

	private void body(Table table) {
		if (table.head().isEmpty()) {
			list(table.sentences());
			return;
		}
		if (!table.note().isEmpty()) {
			note(table.note());
		}
		table(table);
	}

	private void note(String text) {
		add("<p class=\"note\">%s</p>\n", text);
	}

	private void list(List<String> sentences) {
		if (!sentences.isEmpty()) {
			add("<ul>\n");
			sentences.forEach((item) -> add("<li>%s</li>\n", item));
			add("</ul>\n");
		}
	}

	/**
	 * A table. HTML needs no end of a cell or a row, and a long report has thousands of
	 * them.
	 */
	private void table(Table table) {
		add("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">", table.caption());
		// Names and values, which are longer than figures
		add((table.head().size() == 2) ? "<table class=\"facts\"><thead><tr>" : "<table><thead><tr>");
		for (int column = 0; column < table.head().size(); column++) {
			add("<th scope=\"col\"" + (table.isText(column) ? " class=\"text\">" : ">") + "%s",
					table.head().get(column));
		}
		add("</thead>\n<tbody>\n");
		table.rows().forEach((row) -> {
			add("<tr><th scope=\"row\">%s", row.getFirst());
			for (int column = 1; column < row.size(); column++) {
				cell(row.get(column), table.isText(column));
			}
			add("\n");
		});
		add("</tbody></table></div>\n");
	}

	private void cell(String cell, boolean text) {
		int detail = cell.indexOf(" (");
		if (text || detail < 0) {
			add(text ? "<td class=\"text\">%s" : "<td>%s", cell);
		}
		else {
			add("<td>%s <small>%s</small>", cell.substring(0, detail), cell.substring(detail + 2, cell.length() - 1));
		}
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

}
