package io.gatewaybench.internal.netty;

import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpResponseDecoderSpec;

/**
 * Passes on what was read from an upstream in one piece. Netty 4 cuts it into pieces of 8
 * KB by default. That saves no memory, as all of it was read already, and each piece goes
 * through every filter. Netty 5 does not do that any more.
 *
 * @see <a href="https://github.com/netty/netty/issues/8430">Netty 8430</a>
 */
@SuppressWarnings("deprecation")
final class WholeReads {

	/**
	 * The most that Netty reads at once, so that there is still a limit for a decoder
	 * that waits for a whole chunk.
	 */
	static final int LARGEST_READ = 64 * 1024;

	private WholeReads() {
	}

	/**
	 * A decoder can only be set up anew. One that the application has set up in a way
	 * that cannot be asked for, or with a size of its own, is left alone.
	 */
	static HttpClient of(HttpClient client) {
		HttpResponseDecoderSpec current = client.configuration().decoder();
		boolean isCopied = client.httpResponseDecoder((copy) -> copy(current, copy)) == client;
		return isCopied ? client.httpResponseDecoder((copy) -> copy(current, copy).maxChunkSize(LARGEST_READ)) : client;
	}

	private static HttpResponseDecoderSpec copy(HttpResponseDecoderSpec from, HttpResponseDecoderSpec to) {
		return to.maxInitialLineLength(from.maxInitialLineLength())
			.maxHeaderSize(from.maxHeaderSize())
			.validateHeaders(from.validateHeaders())
			.initialBufferSize(from.initialBufferSize())
			.allowDuplicateContentLengths(from.allowDuplicateContentLengths())
			.allowPartialChunks(from.allowPartialChunks())
			.h2cMaxContentLength(from.h2cMaxContentLength());
	}

}
