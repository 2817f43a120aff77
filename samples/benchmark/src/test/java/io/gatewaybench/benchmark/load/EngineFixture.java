package io.gatewaybench.benchmark.load;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.function.ToLongFunction;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the tests of the embedded engine have in common.
 */
final class EngineFixture {

	// Bound and never listening: it refuses connections, and nobody else can get it
	private static final Socket DEAD = new Socket();

	static final String OK = "HTTP/1.1 200 OK~Content-Length: 5~~hello";

	static final Expectation ANY = new Expectation(200, 0, null);

	private EngineFixture() {
	}

	static StageResult run(Plans plans) throws InterruptedException {
		StageResult result = plans.send(NettyLoadSession::new).get("measure");
		assertThat(result.complete()).isTrue();
		return result;
	}

	static Stage closed(String name, long millis) {
		return Stage.closed(name, Stage.Kind.MEASURE, Duration.ofMillis(millis));
	}

	static void assertAll(StageResult result, ToLongFunction<Counts> outcome) {
		Counts counts = result.total().counts();
		assertThat(counts.intended()).isPositive();
		assertThat(outcome.applyAsLong(counts)).as("%s %s", counts, result.total().failures())
			.isEqualTo(counts.intended());
		assertThat(result.balanced()).isTrue();
	}

	static synchronized int deadPort() throws Exception {
		if (!DEAD.isBound()) {
			DEAD.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
		}
		return DEAD.getLocalPort();
	}

}
