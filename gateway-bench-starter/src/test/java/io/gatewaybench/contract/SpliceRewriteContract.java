package io.gatewaybench.contract;

import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is special about the engine that puts the field between the bytes.
 */
class SpliceRewriteContract extends BodyRewriteContract {

	SpliceRewriteContract(Gateway gateway) {
		super(gateway, "splice");
	}

	@ParameterizedTest
	@ValueSource(ints = { MAX_BUFFER_SIZE, 5_000_000 })
	void aBodyBeyondTheLimitStreamsWithTheFieldAtItsEnd(int length) throws Exception {
		String members = "{\"a\":\"" + "x".repeat(length) + "\"";
		json(members + "}");
		Message response = HttpExchange.send(port(), KEEP_ALIVE);
		assertThat(masked(response)).isEqualTo(members + ",\"_gateway\":" + metadata() + "}");
		assertThat(response.header("Content-Length")).isNull();
		assertThat(response.headers("Transfer-Encoding")).containsExactly("chunked");
	}

	@Test
	void everyOtherByteStaysAsItWas() throws Exception {
		json(" {\t\"n\" : 1.0e+1 ,\r\n \"u\":\"\\u00e9\\/\" , \"n\":1.00 } \n");
		assertThat(masked(get())).isEqualTo(
				" {\t\"n\" : 1.0e+1 ,\r\n \"u\":\"\\u00e9\\/\" , \"n\":1.00 ,\"_gateway\":" + metadata() + "} \n");
	}

	@Test
	void aFieldWithAnEscapedKeyIsReplacedInItsPlace() throws Exception {
		json("{\"\\u005fgateway\": \"forged\" , \"b\":2}");
		assertThat(masked(get())).isEqualTo("{\"\\u005fgateway\": " + metadata() + " , \"b\":2}");
	}

	@Test
	void aLargeBodyThatTurnsOutBrokenPassesUnchanged() throws Exception {
		String body = "{\"a\":\"" + "x".repeat(4 * MAX_BUFFER_SIZE) + "\",}";
		json(body);
		assertThat(get().text()).isEqualTo(body);
	}

}
