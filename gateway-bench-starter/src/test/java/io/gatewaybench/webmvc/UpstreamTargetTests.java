package io.gatewaybench.webmvc;

import java.net.URI;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.servlet.function.ServerRequest;

import static org.assertj.core.api.Assertions.assertThat;

class UpstreamTargetTests {

	@ParameterizedTest
	@CsvSource({ "a, a=, a, ''", "a=b+c, a=b%20c, a, b c", "a=%7e, a=~, a, ~", "a=%41, a=A, a, A" })
	void theQueryStaysAsTheClientWroteIt(String original, String rebuilt, String name, String value) {
		MockHttpServletRequest request = request(original, name, value);
		assertThat(UpstreamTarget.query(serverRequest(request), url(rebuilt))).isEqualTo(original);
	}

	@Test
	void aQueryThatAFilterChangedIsTheOneThatTheGatewayBuilt() {
		MockHttpServletRequest request = request("a=b+c", "a", "b c");
		ServerRequest changed = ServerRequest.from(serverRequest(request))
			.params((params) -> params.add("added", "1"))
			.build();
		assertThat(UpstreamTarget.query(changed, url("a=b%20c&added=1"))).isEqualTo("a=b%20c&added=1");
	}

	@Test
	void aValueThatAFilterChangedIsTheOneThatTheGatewayBuilt() {
		MockHttpServletRequest request = request("a=b", "a", "b");
		ServerRequest changed = ServerRequest.from(serverRequest(request))
			.params((params) -> params.set("a", "c"))
			.build();
		assertThat(UpstreamTarget.query(changed, url("a=c"))).isEqualTo("a=c");
	}

	@Test
	void withoutAQueryThereIsNone() {
		assertThat(
				UpstreamTarget.query(serverRequest(new MockHttpServletRequest("GET", "/")), URI.create("http://host/")))
			.isNull();
	}

	@Test
	void aQueryThatAFilterAddedToARequestWithoutOneIsKept() {
		assertThat(UpstreamTarget.query(serverRequest(new MockHttpServletRequest("GET", "/")), url("added=1")))
			.isEqualTo("added=1");
	}

	private static MockHttpServletRequest request(String query, String name, String value) {
		MockHttpServletRequest request = new MockHttpServletRequest("GET", "/");
		request.setQueryString(query);
		request.setParameter(name, value);
		return request;
	}

	private static ServerRequest serverRequest(MockHttpServletRequest request) {
		return ServerRequest.create(request, List.of());
	}

	private static URI url(String query) {
		return URI.create("http://host/?" + query);
	}

}
