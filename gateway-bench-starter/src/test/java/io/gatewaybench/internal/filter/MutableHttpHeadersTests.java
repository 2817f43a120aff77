package io.gatewaybench.internal.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;

import org.springframework.http.HttpHeaders;

import static org.assertj.core.api.Assertions.assertThat;

class MutableHttpHeadersTests {

	private final HttpHeaders message = new HttpHeaders();

	@Test
	void aCopyHasTheSameNamesAndValuesInTheSameOrder() {
		this.message.add("Set-Cookie", "a=1");
		this.message.add("X-Custom", "x");
		this.message.add("set-cookie", "b=2");
		MutableHttpHeaders copy = MutableHttpHeaders.copyOf(this.message);
		assertThat(copy).isEqualTo(this.message);
		assertThat(passes(copy)).containsExactly("Set-Cookie=[a=1, b=2]", "X-Custom=[x]");
	}

	@Test
	void fieldsOfOneNameInAnySpellingAreOneHeader() {
		HttpHeaders headers = MutableHttpHeaders
			.of(List.of(Map.entry("Set-Cookie", "a=1"), Map.entry("X-Custom", "x"), Map.entry("set-cookie", "b=2")));
		assertThat(passes(headers)).containsExactly("Set-Cookie=[a=1, b=2]", "X-Custom=[x]");
	}

	@Test
	void aChangeOfTheCopyIsNoneOfTheMessage() {
		this.message.add("X-Custom", "x");
		MutableHttpHeaders copy = MutableHttpHeaders.copyOf(this.message);
		copy.add("x-custom", "y");
		copy.set("X-Other", "z");
		assertThat(passes(copy)).containsExactly("X-Custom=[x, y]", "X-Other=[z]");
		assertThat(passes(this.message)).containsExactly("X-Custom=[x]");
	}

	@Test
	void whatIsLeftOutIsGoneHoweverItIsSpelled() {
		for (String name : List.of("FORWARDED", "x-forwarded-for", "X-FORWARDED-", "X-Forwarded", "Te", "To",
				"X-Custom")) {
			this.message.add(name, "x");
		}
		MutableHttpHeaders copy = MutableHttpHeaders.copyOf(this.message)
			.withoutForwarded()
			.withoutXForwarded()
			.without(List.of("te", "absent"));
		assertThat(passes(copy)).containsExactly("X-Forwarded=[x]", "To=[x]", "X-Custom=[x]");
		assertThat(copy.containsHeader("x-forwarded-for")).isFalse();
	}

	@Test
	void aNameIsKnownAndTakenOutInAnySpelling() {
		this.message.add("X-Custom", "x");
		this.message.add("X-Other", "y");
		MutableHttpHeaders copy = MutableHttpHeaders.copyOf(this.message);
		assertThat(copy.headerNames().contains("x-custom")).isTrue();
		assertThat(copy.headerNames().remove("x-custom")).isTrue();
		assertThat(copy.headerNames().remove("x-custom")).isFalse();
		assertThat(passes(copy)).containsExactly("X-Other=[y]");
	}

	@Test
	void theyBehaveAsSpringsHeaders() {
		for (long seed = 0; seed < 2_000; seed++) {
			HttpHeaders expected = RandomHeaders.of(seed);
			MutableHttpHeaders headers = MutableHttpHeaders.copyOf(expected);
			HttpHeaders others = RandomHeaders.of(-1 - seed);
			SplittableRandom random = new SplittableRandom(seed);
			others.forEach((name, values) -> {
				switch (random.nextInt(4)) {
					case 0 -> assertThat(headers.remove(name)).isEqualTo(expected.remove(name));
					case 1 -> change(expected, headers, (all) -> all.addAll(name, values));
					case 2 -> change(expected, headers, (all) -> all.put(name, new ArrayList<>(values)));
					default -> assertThat(headers.getFirst(name)).isEqualTo(expected.getFirst(name));
				}
				assertThat(headers.containsHeader(name)).isEqualTo(expected.containsHeader(name));
				assertThat(headers.headerNames().contains(name)).isEqualTo(expected.headerNames().contains(name));
			});
			assertThat(passes(headers)).as("seed %d", seed).isEqualTo(RandomHeaders.lines(expected));
			assertThat(headers).isEqualTo(expected);
			headers.headerNames().removeIf((name) -> name.length() > 4);
			expected.headerNames().removeIf((name) -> name.length() > 4);
			assertThat(passes(headers)).as("seed %d", seed).isEqualTo(RandomHeaders.lines(expected));
		}
	}

	private static void change(HttpHeaders expected, HttpHeaders headers, Consumer<HttpHeaders> change) {
		change.accept(expected);
		change.accept(headers);
	}

	/**
	 * All ways to look through the headers see the same.
	 */
	private static List<String> passes(HttpHeaders headers) {
		List<String> passed = RandomHeaders.lines(headers);
		assertThat(headers.headerSet()).extracting((entry) -> entry.getKey() + "=" + entry.getValue())
			.containsExactlyElementsOf(passed);
		assertThat(headers.headerNames()).extracting((name) -> name + "=" + headers.get(name))
			.containsExactlyElementsOf(passed);
		assertThat(headers.size()).isEqualTo(passed.size());
		return passed;
	}

}
