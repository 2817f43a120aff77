package io.gatewaybench.contract;

import java.io.IOException;
import java.util.List;

import io.gatewaybench.contract.Gateway.RunningGateway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/**
 * A contract of which all tests meet the same gateway, with a single route, from
 * {@code /service/**} to a single upstream.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SingleRouteContract {

	private final Gateway gateway;

	private final String[] properties;

	private RawUpstream upstream;

	private RunningGateway running;

	SingleRouteContract(Gateway gateway, String... properties) {
		this.gateway = gateway;
		this.properties = properties;
	}

	@BeforeAll
	final void start() throws IOException {
		this.upstream = new RawUpstream();
		this.running = this.gateway.startWithRoute(List.of(this.upstream.url()), this.properties);
	}

	@AfterAll
	final void stop() throws IOException {
		this.running.close();
		this.upstream.close();
	}

	final Gateway gateway() {
		return this.gateway;
	}

	final RawUpstream upstream() {
		return this.upstream;
	}

	final int port() {
		return this.running.port();
	}

}
