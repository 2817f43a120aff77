package io.gatewaybench.benchmark.report;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * The address of a file beside the report.
 */
final class RelativeLink {

	private RelativeLink() {
	}

	static String to(String path) {
		try {
			// The leading dot keeps a colon in the first segment from becoming a scheme
			return new URI(null, null, "./" + path, null).toASCIIString().replace("(", "%28").replace(")", "%29");
		}
		catch (URISyntaxException ex) {
			throw new IllegalArgumentException("No relative link to '" + path + "'", ex);
		}
	}

}
