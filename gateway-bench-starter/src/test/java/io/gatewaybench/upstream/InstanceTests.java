package io.gatewaybench.upstream;

import java.net.URI;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class InstanceTests {

	private static final Instance INSTANCE = Instance.parse("http://10.0.0.3:8081");

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			http://10.0.0.3:8081   | http  | 10.0.0.3:8081
			https://service.local  | https | service.local
			HTTPS://Service        | https | Service
			http://localhost:8081/ | http  | localhost:8081
			http://[::1]:8081      | http  | [::1]:8081
			http://host:           | http  | host
			http://host:80         | http  | host:80
			http://host:65535      | http  | host:65535
			""")
	void schemeHostAndPortMakeAnInstance(String url, String scheme, String authority) {
		assertThat(Instance.parse(url)).isEqualTo(new Instance(scheme, authority));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			http://                  | not a URL: Expected authority
			10.0.0.3:8081            | not a URL: Illegal character in scheme name
			'http://host '           | not a URL: Illegal character in authority
			http://host/{a}          | not a URL: Illegal character in path
			http:8081                | it has no host, or its host or port is malformed
			http:///api              | it has no host, or its host or port is malformed
			http://:8081             | it has no host, or its host or port is malformed
			http://my_host           | it has no host, or its host or port is malformed
			http://host:http         | it has no host, or its host or port is malformed
			http://host:-1           | it has no host, or its host or port is malformed
			http://host:99999999999  | it has no host, or its host or port is malformed
			''                       | it needs the scheme http or https
			host                     | it needs the scheme http or https
			//host                   | it needs the scheme http or https
			localhost:8081           | it needs the scheme http or https
			ftp://host               | it needs the scheme http or https
			rr://service             | it needs the scheme http or https
			http://host:0            | its port is not between 1 and 65535
			http://host:65536        | its port is not between 1 and 65535
			http://host/api          | it has the path '/api', but the path comes from the request
			http://host//            | it has the path '//', but the path comes from the request
			http://host?a=b          | it has a query or a fragment
			http://host?             | it has a query or a fragment
			http://host/#            | it has a query or a fragment
			http://me:secret@host    | it has user info
			http://me:1/secret@host  | it has user info
			""")
	void whateverElseIsThereIsRefused(String url, String problem) {
		assertThatIllegalArgumentException().isThrownBy(() -> Instance.parse(url))
			.withMessage(problem + "; write http://host:port");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			/                       |                     | /
			/a/b                    | x=1                 | /a/b?x=1
			/a%2Fb/%2e%2e/c%20d     | x=%26&y=a+b         | /a%2Fb/%2e%2e/c%20d?x=%26&y=a+b
			/a;v=1/b                | a                   | /a;v=1/b?a
			/a/../b/./c             | b=2&a=1&b=1         | /a/../b/./c?b=2&a=1&b=1
			/%C3%A4/ä               | ä=ö                 | /%C3%A4/ä?ä=ö
			//a//b//                | ''                  | //a//b//?
			""")
	void pathAndQueryAreKeptByteForByte(String path, String query, String expected) {
		assertThat(INSTANCE.target(path, query)).hasToString("http://10.0.0.3:8081" + expected);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			//evil/             |
			///evil             |
			/@evil/             |
			/a@evil:80/         |
			/:80@evil/          |
			/%40evil            | @evil
			/                   | @evil/
			/                   | x=http://evil/
			/;@evil             | //evil
			/..//evil           |
			""")
	void neitherPathNorQueryCanChangeTheHost(String path, String query) {
		URI target = INSTANCE.target(path, query);
		assertThat(target.getHost()).isEqualTo("10.0.0.3");
		assertThat(target.getPort()).isEqualTo(8081);
		assertThat(target.getRawUserInfo()).isNull();
		assertThat(target.getRawPath()).isEqualTo(path);
		assertThat(target.getRawQuery()).isEqualTo(query);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "@evil", ".evil", ":80@evil", "0", "?@evil", "evil/", "*", "http://evil/" })
	void aPathThatWouldContinueTheAuthorityIsRefused(String path) {
		assertThatIllegalArgumentException().isThrownBy(() -> INSTANCE.target(path, null))
			.withMessage("Path must start with a slash but was '%s'", path);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/\\evil", "/\\@evil", "/a b", "/a\tb", "/a\r\nHost: evil", "/a\nb", "/a\u0000b",
			"/a\u007fb", "/a\u0085b", "/a\u2028b", "/%", "/%2", "/%zz", "/a[b]", "/a\"b", "/<a>", "/{a}", "/a|b", "/^",
			"/`", "/#evil", "/a#", "/a#b?c" })
	void whatIsNotLegalInAPathIsRefused(String path) {
		assertThatIllegalArgumentException().isThrownBy(() -> INSTANCE.target(path, null));
	}

	@ParameterizedTest
	@ValueSource(strings = { "a=\\", "a b", "a\r\nb", "a=\u0000", "a=%", "#", "a#b", "a=\"", "a={b}", "a=<b>" })
	void whatIsNotLegalInAQueryIsRefused(String query) {
		assertThatIllegalArgumentException().isThrownBy(() -> INSTANCE.target("/", query));
	}

	@Test
	void anInstanceCanBeTakenFromTheUrlOfARequest() {
		Instance instance = Instance.of(URI.create("https://host:8443/a%20b?c"));
		assertThat(instance).isEqualTo(new Instance("https", "host:8443"));
		assertThat(instance.target("/d", null)).hasToString("https://host:8443/d");
	}

}
