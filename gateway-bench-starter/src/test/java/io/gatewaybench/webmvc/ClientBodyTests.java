package io.gatewaybench.webmvc;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;

import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.DelegatingServletInputStream;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.util.StreamUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Spring's mock is like Jetty: a body that is not there is unfinished until somebody has
 * tried to read it.
 */
class ClientBodyTests {

	private final MockHttpServletRequest request = new MockHttpServletRequest("GET", "/service/x");

	@Test
	void aRequestWithoutLengthAndCodingHasNoBody() throws Exception {
		assertThat(this.request.getInputStream().isFinished()).isFalse();
		assertThat(ClientBody.exists(this.request)).isFalse();
		assertThat(ClientBody.exists(new HttpServletRequestWrapper(this.request))).isFalse();
	}

	@Test
	void aBodyExistsUntilItIsRead() throws Exception {
		this.request.setContent("body".getBytes(StandardCharsets.UTF_8));
		assertThat(ClientBody.exists(this.request)).isTrue();
		StreamUtils.drain(this.request.getInputStream());
		assertThat(ClientBody.exists(this.request)).isFalse();
	}

	@Test
	void aCodingTellsOfABodyWithoutALength() {
		this.request.addHeader("Transfer-Encoding", "chunked");
		assertThat(ClientBody.exists(this.request)).isTrue();
	}

	@Test
	void aRequestOfHttp2MayHaveABodyWithoutLengthAndCoding() {
		this.request.setProtocol("HTTP/2.0");
		assertThat(ClientBody.exists(this.request)).isTrue();
	}

	@Test
	void theBodyThatAFilterPutsInPlaceOfNoneExists() {
		assertThat(ClientBody.exists(new HttpServletRequestWrapper(this.request) {

			private final ServletInputStream body = new DelegatingServletInputStream(
					new ByteArrayInputStream("body".getBytes(StandardCharsets.UTF_8)));

			@Override
			public ServletInputStream getInputStream() {
				return this.body;
			}

		})).isTrue();
	}

}
