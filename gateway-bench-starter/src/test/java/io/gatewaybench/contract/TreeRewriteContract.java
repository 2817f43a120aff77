package io.gatewaybench.contract;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is special about the engines that hold the whole body and build a tree.
 */
class TreeRewriteContract extends BodyRewriteContract {

	TreeRewriteContract(Gateway gateway, String engine) {
		super(gateway, engine);
	}

	@ParameterizedTest
	@ValueSource(ints = { MAX_BUFFER_SIZE, 5_000_000 })
	void aBodyBeyondTheLimitPassesUnchanged(int length) throws Exception {
		String body = "{\"a\":\"" + "x".repeat(length) + "\"}";
		json(body);
		assertThat(get().text()).isEqualTo(body);
	}

}
