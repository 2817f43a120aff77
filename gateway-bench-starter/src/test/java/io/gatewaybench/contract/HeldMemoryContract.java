package io.gatewaybench.contract;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What all bodies together hold.
 */
class HeldMemoryContract {

	private static final String MEMBERS = "{\"a\":\"" + "x".repeat(50_000) + "\"";

	private static final int LENGTH = MEMBERS.length() + 1;

	private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
		.formatted(LENGTH);

	private final Gateway gateway;

	HeldMemoryContract(Gateway gateway) {
		this.gateway = gateway;
	}

	@Test
	void bodiesThatFindNoRoomAreStreamed() throws Exception {
		CountDownLatch rest = new CountDownLatch(1);
		List<Socket> clients = new ArrayList<>();
		try (RawUpstream upstream = new RawUpstream()) {
			upstream.answer((out) -> {
				out.write((HEAD + MEMBERS).getBytes(StandardCharsets.US_ASCII));
				out.flush();
				RawUpstream.await(rest);
				out.write('}');
			});
			try (RunningGateway running = this.gateway.startWithRoute(List.of(upstream.url()),
					"gateway-bench.body-rewrite.max-total-buffer-size=" + (2 * LENGTH + 1))) {
				for (int i = 0; i < 5; i++) {
					clients.add(get(running.port()));
				}
				Awaitility.await().until(() -> begun(clients), (begun) -> begun == 3);
				assertThat(held(running)).isEqualTo(2 * LENGTH);
				rest.countDown();
				int chunked = 0;
				for (Socket client : clients) {
					Message response = Message.read(client.getInputStream(), false, () -> {
					});
					assertThat(response.status()).isEqualTo(200);
					assertThat(response.text()).startsWith(MEMBERS + ",\"_gateway\":{").endsWith("}}");
					chunked += response.headers("Transfer-Encoding").size();
				}
				assertThat(chunked).isEqualTo(3);
				Awaitility.await().until(() -> held(running), (held) -> held == 0);
			}
		}
		finally {
			rest.countDown();
			for (Socket client : clients) {
				client.close();
			}
		}
	}

	@Test
	void aBodyThatIsNotDeliveredLeavesItsRoomToOthers() throws Exception {
		CountDownLatch rest = new CountDownLatch(1);
		try (RawUpstream upstream = new RawUpstream();
				RunningGateway running = this.gateway.startWithRoute(List.of(upstream.url()))) {
			upstream.answer((out) -> {
				out.write((HEAD + MEMBERS).getBytes(StandardCharsets.US_ASCII));
				out.flush();
				RawUpstream.await(rest);
				throw new IOException("The upstream breaks off");
			});
			try (Socket left = get(running.port()); Socket stays = get(running.port())) {
				Awaitility.await().until(() -> held(running), (held) -> held == 2 * LENGTH);
				left.close();
				rest.countDown();
				assertThat(Message.read(stays.getInputStream(), false, () -> {
				}).status()).isEqualTo(502);
			}
			Awaitility.await().until(() -> held(running), (held) -> held == 0);
		}
	}

	private static Socket get(int port) throws IOException {
		Socket client = new Socket(InetAddress.getLoopbackAddress(), port);
		client.setSoTimeout(20_000);
		client.getOutputStream()
			.write("GET /service/x HTTP/1.1\r\nHost: gateway\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
		return client;
	}

	private static int begun(List<Socket> clients) throws IOException {
		int begun = 0;
		for (Socket client : clients) {
			begun += (client.getInputStream().available() > 0) ? 1 : 0;
		}
		return begun;
	}

	private static int held(RunningGateway running) {
		return (int) running.context().getBean(MeterRegistry.class).get("gateway.bench.rewrite.held").gauge().value();
	}

}
