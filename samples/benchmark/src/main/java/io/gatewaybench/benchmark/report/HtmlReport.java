package io.gatewaybench.benchmark.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.result.RunResults;
import tools.jackson.databind.json.JsonMapper;

/**
 * The report as a page for the browser. By itself it needs nothing else: no network;
 * style, script, data and the library that draws the charts are in it. Many pages can
 * also share one copy of these. All but the charts shows without script.
 */
final class HtmlReport {

	private static final JsonMapper MAPPER = new JsonMapper();

	private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{(\\w+)}}");

	private final Findings findings;

	private final StringBuilder html = new StringBuilder();

	private HtmlReport(Findings findings) {
		this.findings = findings;
	}

	/**
	 * A page that needs nothing else.
	 */
	static String render(Findings findings) {
		return render(findings, (parts) -> {
			// What the browser may use: this very style and these very scripts
			String scripts = parts.scripts().values().stream().map(HtmlReport::hash).collect(Collectors.joining(" "));
			return new Page("style-src " + hash(parts.style()) + "; script-src " + scripts,
					"<style>" + parts.style() + "</style>",
					parts.scripts()
						.values()
						.stream()
						.map((script) -> "<script>" + script + "</script>")
						.collect(Collectors.joining("\n")));
		});
	}

	/**
	 * A page that shares style, script and library with others.
	 * @param assets where these go, and replace older ones; beside the page
	 */
	static String render(Findings findings, Path assets) throws IOException {
		Map<String, String> files = new LinkedHashMap<>();
		String page = render(findings, (parts) -> {
			files.put("report.css", parts.style());
			files.putAll(parts.scripts());
			String name = assets.getFileName() + "/";
			return new Page("style-src 'self'; script-src 'self'",
					"<link rel=\"stylesheet\" href=\"" + name + "report.css\">",
					parts.scripts()
						.keySet()
						.stream()
						.map((script) -> "<script src=\"" + name + script + "\"></script>")
						.collect(Collectors.joining("\n")));
		});
		Files.createDirectories(assets);
		for (Map.Entry<String, String> file : files.entrySet()) {
			Files.writeString(assets.resolve(file.getKey()), file.getValue());
		}
		return page;
	}

	private static String render(Findings findings, Function<Parts, Page> assembly) {
		Charts data = new Charts(findings.results(), findings.raw());
		List<Chart> charts = data.all();
		// Only the whole of ECharts can draw frames, but it is larger by half
		boolean flames = charts.stream().anyMatch((chart) -> chart.id().equals("flame"));
		String library = flames ? "echarts.min.js" : "echarts.common.min.js";
		Map<String, String> scripts = new LinkedHashMap<>();
		scripts.put(library, resource("echarts/" + library));
		scripts.put("report.js", resource("flame.js") + resource("report.js"));
		Page page = assembly.apply(new Parts(resource("report.css"), scripts));
		Map<String, String> parts = Map.of("title", escape(findings.results().title()), "policy",
				"default-src 'none'; img-src data:; " + page.policy() + "; base-uri 'none'; form-action 'none'",
				"style", page.style(), "content", new HtmlReport(findings).content(charts),
				// The end of the element must not be in its text
				"data",
				MAPPER
					.writeValueAsString(Map.of("variants", data.variants(), "charts",
							charts.stream().map(Chart.Encoded::of).toList()))
					.replace("<", "\\u003c"),
				"scripts", page.scripts());
		// In one pass: what is put in could look like a placeholder itself
		return PLACEHOLDER.matcher(resource("report.html"))
			.replaceAll((match) -> Matcher.quoteReplacement(Objects.requireNonNull(parts.get(match.group(1)))));
	}

	/**
	 * What every page uses: the style, and the scripts by the names of their files.
	 */
	private record Parts(String style, Map<String, String> scripts) {
	}

	/**
	 * How a page gets it: the part of its policy, and its elements.
	 */
	private record Page(String policy, String style, String scripts) {
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

	private String content(List<Chart> charts) {
		RunResults results = this.findings.results();
		Answer answer = this.findings.answer();
		this.html.append("<header><h1>").append(escape(results.title())).append("</h1>\n");
		paragraph("subtitle", "Suite " + results.suite() + ", " + results.startedAt());
		this.html.append("</header>\n<main>\n<section class=\"answer\" aria-label=\"Answer\">\n<h2>Answer</h2>\n");
		answer.sentences().forEach((sentence) -> paragraph("headline", sentence));
		if (!answer.table().isEmpty()) {
			table(answer.table());
			paragraph("note", answer.table().caption() + ". " + answer.table().note());
		}
		this.html.append("</section>\n<section class=\"sure\">\n<h2>How sure</h2>\n");
		list(answer.howSure());
		this.html.append("</section>\n");
		if (!answer.next().isEmpty()) {
			this.html.append("<section class=\"next\">\n<h2>What next</h2>\n");
			list(answer.next());
			this.html.append("</section>\n");
		}
		paragraph("context", this.findings.context());
		if (!this.findings.thresholds().isEmpty()) {
			section(this.findings.thresholds());
		}
		if (!charts.isEmpty()) {
			this.html.append("<h2>Charts</h2>\n<noscript><p class=\"note\">The charts need JavaScript. "
					+ "Their figures are in the tables below.</p></noscript>\n<div class=\"charts\">\n");
			charts.forEach(this::figure);
			this.html.append("</div>\n");
		}
		this.findings.figures().forEach(this::section);
		this.html.append("<h2>Details</h2>\n");
		this.findings.details().forEach((section) -> folded(section.caption(), () -> body(section)));
		return this.html.append("</main>").toString();
	}

	private void figure(Chart chart) {
		this.html.append("<figure id=\"chart-")
			.append(chart.id())
			.append("\" hidden>\n<figcaption>")
			.append(escape(chart.caption()))
			.append("</figcaption>\n<div class=\"controls\"></div>\n<div class=\"plot\" role=\"img\" aria-label=\"")
			.append(escape(chart.caption() + ". " + chart.howToRead()))
			.append("\"></div>\n");
		paragraph("note", chart.howToRead());
		this.html.append("</figure>\n");
	}

	private void folded(String summary, Runnable body) {
		this.html.append("<details><summary>").append(escape(summary)).append("</summary>\n");
		body.run();
		this.html.append("</details>\n");
	}

	private void section(Section section) {
		this.html.append("<h2>").append(escape(section.caption())).append("</h2>\n");
		body(section);
	}

	private void body(Section section) {
		paragraph("note", section.note());
		switch (section) {
			case Table table -> table(table);
			case Section.Sentences sentences -> list(sentences.sentences());
		}
	}

	private void paragraph(String style, String text) {
		if (!text.isEmpty()) {
			this.html.append("<p class=\"").append(style).append("\">").append(escape(text)).append("</p>\n");
		}
	}

	private void list(List<String> sentences) {
		if (!sentences.isEmpty()) {
			this.html.append("<ul>\n");
			sentences.forEach((item) -> this.html.append("<li>").append(escape(item)).append("</li>\n"));
			this.html.append("</ul>\n");
		}
	}

	private void table(Table table) {
		// Names and values, which are longer than figures
		String style = (table.head().size() == 2) ? " class=\"facts\"" : "";
		this.html.append("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"")
			.append(escape(table.caption()))
			.append("\"><table")
			.append(style)
			.append("><thead><tr>");
		for (int column = 0; column < table.head().size(); column++) {
			this.html.append(table.isText(column) ? "<th scope=\"col\" class=\"text\">" : "<th scope=\"col\">")
				.append(escape(table.head().get(column)))
				.append("</th>");
		}
		this.html.append("</tr></thead>\n<tbody>\n");
		table.rows().forEach((row) -> {
			this.html.append("<tr>");
			for (int column = 0; column < row.size(); column++) {
				cell(row.get(column),
						(column == 0) ? "th scope=\"row\"" : table.isText(column) ? "td class=\"text\"" : "td");
			}
			this.html.append("</tr>\n");
		});
		this.html.append("</tbody></table></div>\n");
	}

	private void cell(Cell cell, String element) {
		this.html.append('<').append(element).append('>').append(escape(cell.text()));
		if (!cell.detail().isEmpty()) {
			this.html.append(" <small>").append(escape(cell.detail())).append("</small>");
		}
		this.html.append("</").append(element, 0, 2).append(">");
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

	private static String resource(String name) {
		try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
			return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(name + " can't be read", ex);
		}
	}

}
