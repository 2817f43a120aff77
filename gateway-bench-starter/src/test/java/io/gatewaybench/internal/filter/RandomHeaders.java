package io.gatewaybench.internal.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

import org.springframework.http.HttpHeaders;

/**
 * Headers that gateways leave out, and others, in any order, number and spelling.
 */
public final class RandomHeaders {

	private static final List<String> NAMES = List.of("Connection", "Keep-Alive", "Transfer-Encoding", "TE", "Trailer",
			"Proxy-Authorization", "Proxy-Authenticate", "X-Application-Context", "Upgrade", "Forwarded",
			"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-", "X-Forwarded", "Host", "Accept", "Set-Cookie",
			"Content-Type", "Content-Length", "X-Hop", "X-Custom");

	private static final List<String> VALUES = List.of("", "x", "close", "keep-alive", "chunked", "X-Hop, x-custom",
			"transfer-encoding", "12", "application/grpc", "application/grpc+proto", "application/json", ", ,");

	private RandomHeaders() {
	}

	/**
	 * Make headers.
	 * @param seed the same headers for the same seed
	 * @return up to twelve of them
	 */
	public static HttpHeaders of(long seed) {
		SplittableRandom random = new SplittableRandom(seed);
		HttpHeaders headers = new HttpHeaders();
		for (int i = random.nextInt(13); i > 0; i--) {
			headers.add(spell(NAMES.get(random.nextInt(NAMES.size())), random),
					VALUES.get(random.nextInt(VALUES.size())));
		}
		return headers;
	}

	/**
	 * Headers as they would be written.
	 * @param headers the headers
	 * @return a line for each name, in order
	 */
	public static List<String> lines(HttpHeaders headers) {
		List<String> lines = new ArrayList<>();
		headers.forEach((name, values) -> lines.add(name + "=" + values));
		return lines;
	}

	private static String spell(String name, SplittableRandom random) {
		return switch (random.nextInt(3)) {
			case 0 -> name.toLowerCase(Locale.ROOT);
			case 1 -> name.toUpperCase(Locale.ROOT);
			default -> name;
		};
	}

}
