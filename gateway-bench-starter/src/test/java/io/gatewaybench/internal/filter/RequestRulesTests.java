package io.gatewaybench.internal.filter;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which requests pass, in short; the contracts show the same over sockets.
 */
class RequestRulesTests {

	private final RequestRules rules = new RequestRules(false);

	@ParameterizedTest
	@CsvSource(delimiter = '>',
			value = { "/a/x > /a/** > 0", "/a/.. > /a/** > 400", "/a/b/.. > /a/** > 0",
					"/a/b%252fc/../../x > /a/** > 400", "/a/b%2f.. > /** > 400", "/a/.. > /** > 0", "/.. > /** > 400",
					"/a/b/../c > /a/{*rest} > 0", "/a/b/../../c > /a/{*rest} > 400", "/a/b/.. > /a/{b} > 400",
					"/a/b/.;/../c > /a/** > 0", "/a/..%25%32%66b > /a/** > 400", "/a/x%c3%a9 > /a/** > 0",
					"/a/x%c3 > /a/** > 400", "/a/x%25c3 > /a/** > 0", "/a/%2500 > /a/** > 0", "/a/%00 > /a/** > 400",
					"/.well-known/x > /** > 0", "/a/100% > /a/** > 0" })
	void aPathMayNotLeadOutOfTheOneOfItsRoute(String path, String pattern, int answer) {
		assertThat(this.rules.onRoute("GET", path, pattern)).isEqualTo(answer);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '>', value = { "/a/b > /a/b", "/a?b=/c > /a", "//a > //a", "http://host/a?b > /a",
			"http://host > ''", "http://host?a=/b > ''", "/?/ > /", "/a://b > /a://b" })
	void thePathOfATargetIsWhatIsBetweenTheHostAndTheQuery(String target, String path) {
		assertThat(RequestRules.path(target)).isEqualTo(path);
	}

	@Test
	void aRouteWithoutAPathHasTheWholeOne() {
		assertThat(this.rules.onRoute("GET", "/a/../b", null)).isEqualTo(RequestRules.PASS);
		assertThat(this.rules.onRoute("GET", "/a/../../b", null)).isEqualTo(400);
	}

	@Test
	void whatIsImpossibleIsRefusedWherePathsPassAsSent() {
		RequestRules passing = new RequestRules(true);
		assertThat(passing.onRoute("GET", "/a/../..%2fb", "/a/**")).isEqualTo(RequestRules.PASS);
		assertThat(passing.onRoute("GET", "/a/%00", "/a/**")).isEqualTo(400);
		assertThat(passing.onRoute("GET", "/a/%ff", "/a/**")).isEqualTo(400);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '>',
			value = { "gateway > 0", "gateway:80 > 0", "a_b > 0", "[::1] > 0", "[::1]:80 > 0", "a: > 0", "[::1 > 400",
					"[::1]x > 400", "a:b > 400", "a/b > 400", "u@a > 400", "a b > 400", "a:1:2 > 400", "'' > 0" })
	void aHostIsANameOrAnAddress(String host, int answer) {
		assertThat(RequestRules.target("GET", "/", false, List.of(host))).isEqualTo(answer);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '>', value = { "chunked > 0", "Chunked > 0", ",chunked > 0", "chunked, chunked > 400",
			"gzip > 400", "gzip, chunked > 501", "chunked, gzip > 400", "a b > 400" })
	void onlyChunksEndARequest(String codings, int answer) {
		assertThat(RequestRules.framing(false, List.of(codings))).isEqualTo(answer);
		assertThat(RequestRules.framing(true, List.of(codings))).isEqualTo(400);
	}

}
