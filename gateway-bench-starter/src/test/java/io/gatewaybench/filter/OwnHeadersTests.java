package io.gatewaybench.filter;

import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.http.HttpHeaders;

import static org.assertj.core.api.Assertions.assertThat;

class OwnHeadersTests {

	private final HttpHeaders message = new HttpHeaders();

	@Test
	void aCopyHasTheSameNamesAndValuesInTheSameOrder() {
		this.message.add("Set-Cookie", "a=1");
		this.message.add("X-Custom", "x");
		this.message.add("set-cookie", "b=2");
		OwnHeaders copy = OwnHeaders.copyOf(this.message);
		assertThat(copy).isEqualTo(this.message);
		assertThat(passes(copy)).containsExactly("Set-Cookie=[a=1, b=2]", "X-Custom=[x]");
	}

	@Test
	void aChangeOfTheCopyIsNoneOfTheMessage() {
		this.message.add("X-Custom", "x");
		OwnHeaders copy = OwnHeaders.copyOf(this.message);
		copy.add("x-custom", "y");
		copy.set("X-Other", "z");
		assertThat(passes(copy)).containsExactly("X-Custom=[x, y]", "X-Other=[z]");
		assertThat(passes(this.message)).containsExactly("X-Custom=[x]");
	}

	@Test
	void whatIsLeftOutIsGoneHoweverItIsSpelled() {
		for (String name : List.of("FORWARDED", "x-forwarded-for", "X-FORWARDED-", "X-Forwarded", "Te", "X-Custom")) {
			this.message.add(name, "x");
		}
		OwnHeaders copy = OwnHeaders.copyOf(this.message)
			.withoutForwarded()
			.withoutXForwarded()
			.without(List.of("te", "absent"));
		assertThat(passes(copy)).containsExactly("X-Forwarded=[x]", "X-Custom=[x]");
		assertThat(copy.containsHeader("x-forwarded-for")).isFalse();
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
