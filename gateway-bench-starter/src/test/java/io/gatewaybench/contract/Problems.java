package io.gatewaybench.contract;

import io.gatewaybench.contract.HttpExchange.Message;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a client sees of a failure of the upstream.
 */
final class Problems {

	static final String REFUSED = "{\"title\":\"Bad Gateway\",\"status\":502,"
			+ "\"detail\":\"The upstream could not be reached.\"}";

	static final String BROKEN = "{\"title\":\"Bad Gateway\",\"status\":502,"
			+ "\"detail\":\"The upstream broke off or did not answer with a response.\"}";

	static final String NO_CONNECTION = "{\"title\":\"Service Unavailable\",\"status\":503,"
			+ "\"detail\":\"No connection to the upstream became free in time.\"}";

	static final String CONNECT_TIMEOUT = "{\"title\":\"Gateway Timeout\",\"status\":504,"
			+ "\"detail\":\"The upstream did not accept the connection in time.\"}";

	static final String RESPONSE_TIMEOUT = "{\"title\":\"Gateway Timeout\",\"status\":504,"
			+ "\"detail\":\"The upstream did not answer in time.\"}";

	static final String BODY_TIMEOUT = "{\"title\":\"Gateway Timeout\",\"status\":504,"
			+ "\"detail\":\"The upstream did not go on with its response in time.\"}";

	private Problems() {
	}

	static void assertProblem(Message response, int status, String problem) {
		assertThat(response.text()).isEqualTo(problem);
		assertThat(response.status()).isEqualTo(status);
		assertThat(response.headers("Content-Type")).containsExactly("application/problem+json");
		assertThat(response.headers("Content-Length")).containsExactly(String.valueOf(problem.length()));
	}

}
