package io.gatewaybench.benchmark.run;

import java.util.List;

import io.gatewaybench.benchmark.observe.Probe;
import io.gatewaybench.benchmark.observe.ProbeProvider;

/**
 * A probe from another jar: tells the port of its target once a measurement has begun.
 */
final class PortProbe implements Probe {

	private final int port;

	private boolean begun;

	private PortProbe(int port) {
		this.port = port;
	}

	@Override
	public void begin() {
		this.begun = true;
	}

	@Override
	public void second() {
	}

	@Override
	public List<Figure> end() {
		return this.begun ? List.of(new Figure("port", "", this.port)) : List.of();
	}

	@Override
	public void close() {
	}

	/**
	 * Provides it for every target.
	 */
	public static final class Provider implements ProbeProvider {

		@Override
		public Probe attach(Target target) {
			return new PortProbe(target.address().getPort());
		}

	}

}
