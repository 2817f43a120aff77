package io.gatewaybench.contract;

import com.github.tomakehurst.wiremock.WireMockServer;

import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;

/**
 * Upstreams for the contracts.
 */
final class Upstreams {

	private Upstreams() {
	}

	/**
	 * WireMock on a free port. Without HTTP/2, because the JDK's client asks for an
	 * upgrade that WireMock then does not carry through (spring-cloud-gateway issue
	 * 3141).
	 */
	static WireMockServer wireMock() {
		return new WireMockServer(options().dynamicPort().http2PlainDisabled(true).gzipDisabled(true));
	}

}
