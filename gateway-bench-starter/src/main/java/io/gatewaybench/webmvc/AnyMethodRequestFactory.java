package io.gatewaybench.webmvc;

import java.io.IOException;
import java.net.URI;
import java.util.Set;

import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.core5.http.ClassicHttpRequest;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;

/**
 * Requests through Apache's client with any method. Spring knows only some methods here.
 */
final class AnyMethodRequestFactory implements ClientHttpRequestFactory, DisposableBean {

	private static final Set<HttpMethod> KNOWN_METHODS = Set.of(HttpMethod.values());

	private final HttpComponentsClientHttpRequestFactory known;

	private final HttpComponentsClientHttpRequestFactory others;

	AnyMethodRequestFactory(HttpComponentsClientHttpRequestFactory known) {
		this.known = known;
		this.others = new HttpComponentsClientHttpRequestFactory(known.getHttpClient()) {

			@Override
			protected ClassicHttpRequest createHttpUriRequest(HttpMethod method, URI uri) {
				return new HttpUriRequestBase(method.name(), uri);
			}

		};
	}

	@Override
	public ClientHttpRequest createRequest(URI uri, HttpMethod method) throws IOException {
		return (KNOWN_METHODS.contains(method) ? this.known : this.others).createRequest(uri, method);
	}

	@Override
	public void destroy() throws Exception {
		this.known.destroy();
	}

}
