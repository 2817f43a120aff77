package io.gatewaybench.contract;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What clients do while they send the body of a request.
 */
class UploadsContract {

	private static final String OK = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok";

	private static final int LENGTH = 2_000_000;

	private final Gateway gateway;

	private RawUpstream upstream;

	UploadsContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@BeforeEach
	void startUpstream() throws IOException {
		this.upstream = new RawUpstream();
		this.upstream.answer(OK);
	}

	@AfterEach
	void stopUpstream() throws IOException {
		this.upstream.close();
	}

	@ParameterizedTest
	@EnumSource
	void theServerAnswersTheExpectationOfAClient(Route route) throws Exception {
		try (RunningGateway running = start(route)) {
			for (boolean waiting : new boolean[] { true, false, true }) {
				assertThat(expectAndUpload(running, waiting).text()).isEqualTo("ok");
				Message request = this.upstream.request();
				assertThat(request.headers("Expect")).isEmpty();
				assertThat(request.body()).hasSize(LENGTH);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void anUpstreamCanRefuseABodyThatIsStillToCome(boolean waiting) throws Exception {
		this.upstream.answerEarly("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno");
		this.upstream.answer("");
		try (RunningGateway running = start(Route.OF_STARTER)) {
			Message response = expectAndUpload(running, waiting);
			assertThat(response.status()).isEqualTo(403);
			assertThat(response.text()).isEqualTo("no");
		}
	}

	private static Message expectAndUpload(RunningGateway running, boolean waiting) throws IOException {
		try (Socket client = connect(running)) {
			send(client, "PUT /service/x HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\nExpect: 100-continue\r\n"
					+ "Content-Length: %d\r\n\r\n".formatted(LENGTH));
			Message head = waiting ? head(client) : null;
			send(client, "x".repeat(LENGTH));
			if (head == null) {
				head = head(client);
			}
			assertThat(head.startLine()).startsWith("HTTP/1.1 100");
			return Message.read(client.getInputStream(), false, () -> {
			});
		}
	}

	private static Socket connect(RunningGateway running) throws IOException {
		Socket client = new Socket(InetAddress.getLoopbackAddress(), running.port());
		client.setSoTimeout(20_000);
		return client;
	}

	private static void send(Socket client, String text) throws IOException {
		client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
		client.getOutputStream().flush();
	}

	private static Message head(Socket client) throws IOException {
		InputStream in = client.getInputStream();
		return Message.read(in, true, () -> {
		});
	}

	private RunningGateway start(Route route, String... properties) {
		return route.start(this.gateway, this.upstream.url(), properties);
	}

	/**
	 * The kinds of routes that go through the starter's client.
	 */
	enum Route {

		/** From the starter's configuration. */
		OF_STARTER {
			@Override
			RunningGateway start(Gateway gateway, String upstream, String... properties) {
				return gateway.startWithRoute(List.of(upstream), properties);
			}
		},

		/** A native one with an upstream and without features. */
		TO_UPSTREAM {
			@Override
			RunningGateway start(Gateway gateway, String upstream, String... properties) {
				return gateway.startWithNativeRoute("rr://service", List.of(),
						with(properties, "gateway-bench.upstreams.service.instances=" + upstream));
			}
		},

		/** A native one with features and without an upstream. */
		TO_ADDRESS {
			@Override
			RunningGateway start(Gateway gateway, String upstream, String... properties) {
				return gateway.startWithNativeRoute(upstream, List.of(), with(properties, "gateway-bench.scope=all"));
			}
		};

		abstract RunningGateway start(Gateway gateway, String upstream, String... properties);

		private static String[] with(String[] properties, String another) {
			String[] all = Arrays.copyOf(properties, properties.length + 1);
			all[properties.length] = another;
			return all;
		}

	}

}
