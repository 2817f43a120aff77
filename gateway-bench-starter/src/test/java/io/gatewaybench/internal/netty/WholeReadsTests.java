package io.gatewaybench.internal.netty;

import org.junit.jupiter.api.Test;
import reactor.netty.http.client.HttpClient;

import static org.assertj.core.api.Assertions.assertThat;

@SuppressWarnings("deprecation")
class WholeReadsTests {

	@Test
	void nothingThatWasReadIsCutIntoPieces() {
		HttpClient client = WholeReads.of(HttpClient.create());
		assertThat(client.configuration().decoder().maxChunkSize()).isEqualTo(WholeReads.LARGEST_READ);
	}

	@Test
	void theRestOfTheDecoderIsAsItWas() {
		HttpClient client = WholeReads.of(HttpClient.create()
			.httpResponseDecoder((decoder) -> decoder.maxHeaderSize(1_000)
				.maxInitialLineLength(2_000)
				.validateHeaders(false)
				.initialBufferSize(3_000)
				.allowDuplicateContentLengths(true)
				.allowPartialChunks(false)
				.h2cMaxContentLength(4_000)));
		assertThat(client.configuration().decoder()).satisfies((decoder) -> {
			assertThat(decoder.maxChunkSize()).isEqualTo(WholeReads.LARGEST_READ);
			assertThat(decoder.maxHeaderSize()).isEqualTo(1_000);
			assertThat(decoder.maxInitialLineLength()).isEqualTo(2_000);
			assertThat(decoder.validateHeaders()).isFalse();
			assertThat(decoder.initialBufferSize()).isEqualTo(3_000);
			assertThat(decoder.allowDuplicateContentLengths()).isTrue();
			assertThat(decoder.allowPartialChunks()).isFalse();
			assertThat(decoder.h2cMaxContentLength()).isEqualTo(4_000);
		});
	}

	@Test
	void aDecoderOfTheApplicationIsLeftAlone() {
		HttpClient small = HttpClient.create().httpResponseDecoder((decoder) -> decoder.maxChunkSize(1_000));
		assertThat(WholeReads.of(small)).isSameAs(small);
		HttpClient strict = HttpClient.create().httpResponseDecoder((decoder) -> decoder.failOnMissingResponse(true));
		assertThat(WholeReads.of(strict)).isSameAs(strict);
	}

}
