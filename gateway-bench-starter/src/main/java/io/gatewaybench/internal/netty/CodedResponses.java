package io.gatewaybench.internal.netty;

import java.util.function.BiPredicate;

import io.gatewaybench.internal.rewrite.ContentCoding;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpVersion;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

import org.springframework.http.support.Netty4HeadersAdapter;

/**
 * Compresses what the application has asked for, as far as it may be. Reactor Netty codes
 * parts of bodies and what has a strong {@code ETag} or {@code no-transform}, and takes
 * {@code snappy} where a client accepts anything.
 */
final class CodedResponses {

	private CodedResponses() {
	}

	static HttpServer of(HttpServer server) {
		BiPredicate<HttpServerRequest, HttpServerResponse> wanted = server.configuration().compressPredicate();
		return (wanted != null)
				? EmptyContent.of(server)
					.compress((request, response) -> wanted.test(request, response) && isCoded(request, response))
				: server;
	}

	private static boolean isCoded(HttpServerRequest request, HttpServerResponse response) {
		// Netty would send it in chunks
		if (request.version().equals(HttpVersion.HTTP_1_0) || !ContentCoding.isAllowed(response.status().code(),
				new org.springframework.http.HttpHeaders(new Netty4HeadersAdapter(response.responseHeaders())))) {
			return false;
		}
		HttpHeaders headers = request.requestHeaders();
		String accepted = accepted(headers);
		if (accepted == null) {
			return false;
		}
		// Netty chooses by this. It does not know names, only whether they are in the
		// text
		headers.set(HttpHeaderNames.ACCEPT_ENCODING, accepted);
		return true;
	}

	private static @Nullable String accepted(HttpHeaders request) {
		return ContentCoding.accepted(request.getAll(HttpHeaderNames.ACCEPT_ENCODING));
	}

}
