package io.gatewaybench.internal.filter;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.HttpHeaders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class HeaderRulesTests {

	@Test
	void headersAreSetAndOthersLeftAlone() {
		HttpHeaders headers = new HttpHeaders();
		headers.add("X-Other", "1");
		HeaderRules.of(Map.of("X-Gateway-Type", "WebFlux")).applyTo("orders", headers);
		assertThat(headers.headerSet()).hasSize(2);
		assertThat(headers.getFirst("X-Other")).isEqualTo("1");
		assertThat(headers.getFirst("X-Gateway-Type")).isEqualTo("WebFlux");
	}

	@Test
	void allValuesOfAHeaderOfTheSameNameAreReplacedWhateverItsCase() {
		HttpHeaders headers = new HttpHeaders();
		headers.add("x-gateway-type", "forged");
		headers.add("X-GATEWAY-TYPE", "twice");
		HeaderRules.of(Map.of("X-Gateway-Type", "WebFlux")).applyTo("orders", headers);
		assertThat(headers.get("X-Gateway-Type")).containsExactly("WebFlux");
	}

	@Test
	void laterChangesOfTheMapChangeNothing() {
		Map<String, String> configured = new LinkedHashMap<>(Map.of("X-A", "1"));
		HeaderRules rules = HeaderRules.of(configured);
		configured.put("X-B", "2");
		HttpHeaders headers = new HttpHeaders();
		rules.applyTo("orders", headers);
		assertThat(headers.containsHeader("X-B")).isFalse();
	}

	@Test
	void customizersComeAfterTheRulesInTheirOrderAndKnowTheRoute() {
		HttpHeaders headers = new HttpHeaders();
		headers.add("Server", "tomcat");
		HeaderRules.of(Map.of("X-A", "1"))
			.customizedBy(List.of((route, changed) -> changed.set("X-A", changed.getFirst("X-A") + route),
					(route, changed) -> changed.add("X-A", "last"), (route, changed) -> changed.remove("Server")))
			.applyTo("orders", headers);
		assertThat(headers.headerSet()).hasSize(1);
		assertThat(headers.get("X-A")).containsExactly("1orders", "last");
	}

	@Test
	void aCustomizerCannotSplitTheMessage() {
		HeaderRules rules = HeaderRules.of(Map.of())
			.customizedBy(List.of((route, changed) -> changed.set("X-A", "1\r\nX-B: 2")));
		assertThatIllegalArgumentException().isThrownBy(() -> rules.applyTo("orders", new HttpHeaders()))
			.withMessageContaining("X-A");
	}

	@Test
	void noRulesChangeNothing() {
		HttpHeaders headers = new HttpHeaders();
		HeaderRules.of(Map.of()).applyTo("orders", headers);
		assertThat(headers.isEmpty()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "X-A", "x", "0", "!#$%&'*+-.^_`|~" })
	void everyTokenIsAName(String name) {
		HttpHeaders headers = new HttpHeaders();
		HeaderRules.of(Map.of(name, "value")).applyTo("orders", headers);
		assertThat(headers.getFirst(name)).isEqualTo("value");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "X A", "X-A:", "X\r\nY", "X\u0000", "Ä", "X(A)", "X/A", "\"X\"", "X,A", "X;A",
			"X=A", "X@A", "{type}", "\u007f" })
	void whatIsNoTokenIsNoName(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> HeaderRules.of(Map.of(name, "value")))
			.withMessage("'%s' is not a header name; use letters, digits and !#$%%&'*+-.^_`|~", name);
	}

	@ParameterizedTest
	@ValueSource(strings = { "Connection", "Content-Encoding", "content-length", "HOST", "Keep-Alive", "TE", "Trailer",
			"Transfer-Encoding", "transfer-ENCODING", "Upgrade" })
	void whatFramesOrRoutesTheMessageIsReserved(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> HeaderRules.of(Map.of(name, "value")))
			.withMessage(
					"'%s' frames or routes the message, which is the gateway's own business; choose another header",
					name);
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\r\nX-B: b", "a\rb", "a\nb", "a\u0000b", "a\u007f", "a\u0085", "\u00e4", "\u010a" })
	void whatIsNotPrintableAsciiIsNoValue(String value) {
		assertThatIllegalArgumentException().isThrownBy(() -> HeaderRules.of(Map.of("X-A", value)))
			.withMessage("the value of 'X-A' must be printable ASCII, without line breaks");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " a b ", "a\tb", "~!\"#%" })
	void printableAsciiIsAValue(String value) {
		HttpHeaders headers = new HttpHeaders();
		HeaderRules.of(Map.of("X-A", value)).applyTo("orders", headers);
		assertThat(headers.getFirst("X-A")).isEqualTo(value);
	}

}
