package io.gatewaybench.differential;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;

import io.gatewaybench.differential.Client.Outcome;

/**
 * What the gateway has compressed for the client, if it has (RFC 9110, sections 7.7, 8.4,
 * 8.8.3.3 and 12.5.3).
 *
 * @param name the coding, empty if there is none
 * @param content the body without it, as far as it came
 */
record Coding(String name, byte[] content) {

	static Coding of(Script script, Outcome outcome) {
		byte[] content = outcome.body().content();
		List<String> codings = outcome.head().isEmpty() ? List.of() : Wire.values(outcome.head(), "content-encoding");
		if (codings.isEmpty() || script.responseHeaders().toString().contains("Content-Encoding")) {
			return new Coding("", content);
		}
		return new Coding(codings.get(0), script.bodiless() ? content : decoded(codings.get(0), content));
	}

	private static byte[] decoded(String coding, byte[] content) {
		ByteArrayOutputStream decoded = new ByteArrayOutputStream();
		try (InputStream in = coding.equals("gzip") ? new GZIPInputStream(new ByteArrayInputStream(content))
				: new InflaterInputStream(new ByteArrayInputStream(content))) {
			for (int next = in.read(); next >= 0; next = in.read()) {
				decoded.write(next);
			}
		}
		catch (IOException ex) {
			// Broken off, or nothing that can be decoded
		}
		return decoded.toByteArray();
	}

	boolean byGateway() {
		return !this.name.isEmpty();
	}

	void judge(Script script, Map<String, List<String>> got, List<String> complaints) {
		if (!byGateway()) {
			return;
		}
		String accepted = script.headers()
			.stream()
			.filter((header) -> header.getKey().equalsIgnoreCase("accept-encoding"))
			.map(Map.Entry::getValue)
			.findFirst()
			.orElse("");
		boolean wanted = Set.of("gzip", "deflate").contains(this.name)
				&& (accepted.matches(".*\\b" + this.name + "\\b(?!;q=0(,|$)).*")
						|| accepted.matches("\\*|.*, \\*;q=0\\.1"));
		String response = got.toString().toLowerCase();
		boolean allowed = script.status() != 206 && !response.contains("no-transform") && !response.contains("digest=")
				&& !response.contains("content-range=") && !response.contains("content-md5=");
		boolean told = got.getOrDefault("vary", List.of()).toString().toLowerCase().contains("accept-encoding");
		boolean strong = got.getOrDefault("etag", List.of()).stream().anyMatch((tag) -> !tag.startsWith("W/"));
		if (!wanted || !allowed || !told || strong) {
			complaints.add("the body was compressed as %s for a client that accepts '%s'%s%s%s".formatted(this.name,
					accepted, allowed ? "" : ", which is not allowed", told ? "" : ", without Vary",
					strong ? ", with a strong tag" : ""));
		}
	}

}
