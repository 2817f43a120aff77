package io.gatewaybench.filter;

import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

class PathPrefixTests {

	@ParameterizedTest
	@CsvSource({ "/a/b, 0, /a/b", "/a/b, 1, /b", "/a/b, 2, /", "/a/b, 3, /", "/a/b/, 1, /b/", "/a/b/, 2, /", "/a, 1, /",
			"/a/, 1, /", "/, 1, /", "'', 1, /", "'', 0, ''", "//a/b, 1, /b", "/a//b, 1, //b", "/a//b, 2, /",
			"/a//b/c, 2, /c", "/a/b//c/, 1, /b//c/", "/a%2Fb/c, 1, /c", "/a/b%2Fc, 1, /b%2Fc",
			"/a/%2e%2e/b, 1, /%2e%2e/b", "/a/../b, 1, /../b", "/a;v=1/b;w=2, 1, /b;w=2", "a/b, 1, /b",
			"/a/b/c/d, 3, /d" })
	void theFirstSegmentsAreDroppedAndTheRestIsKept(String path, int parts, String expected) {
		assertThat(PathPrefix.strip(path, parts)).isEqualTo(expected);
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void withoutDoubledSlashesItIsWhatTheGatewayItselfDoes(long seed) {
		Random random = new Random(seed);
		String path = "/" + Stream.generate(() -> randomText(random, "ab%2F.;=", 1, 4))
			.limit(random.nextInt(6))
			.collect(Collectors.joining("/"));
		if (random.nextBoolean() && !path.endsWith("/")) {
			path += "/";
		}
		int parts = random.nextInt(7);
		assertThat(PathPrefix.strip(path, parts)).isEqualTo(stripPrefixOfTheGateway(path, parts));
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void whatRemainsIsTheEndOfThePathAndStartsWithASlash(long seed) {
		Random random = new Random(seed);
		String path = randomText(random, "/a%.", 0, 12);
		assertThat(PathPrefix.strip(path, random.nextInt(1, 7))).startsWith("/")
			.satisfiesAnyOf((rest) -> assertThat(path).endsWith(rest), (rest) -> assertThat(rest).isEqualTo("/"));
	}

	static LongStream seeds() {
		return LongStream.range(0, 300);
	}

	private static String randomText(Random random, String alphabet, int minLength, int maxLength) {
		StringBuilder text = new StringBuilder();
		for (int length = random.nextInt(minLength, maxLength + 1); length > 0; length--) {
			text.append(alphabet.charAt(random.nextInt(alphabet.length())));
		}
		return text.toString();
	}

	/**
	 * The algorithm of {@code StripPrefixGatewayFilterFactory} in Spring Cloud Gateway
	 * 5.0.2.
	 */
	private static String stripPrefixOfTheGateway(String path, int parts) {
		String[] segments = StringUtils.tokenizeToStringArray(path, "/");
		StringBuilder rest = new StringBuilder("/");
		for (int i = parts; i < segments.length; i++) {
			if (rest.length() > 1) {
				rest.append('/');
			}
			rest.append(segments[i]);
		}
		if (rest.length() > 1 && path.endsWith("/")) {
			rest.append('/');
		}
		return rest.toString();
	}

}
