package io.gatewaybench.upstream;

/**
 * An upstream with nothing to choose.
 */
record SingleInstanceUpstream(String name, Instance instance) implements Upstream {

	@Override
	public Instance next() {
		return this.instance;
	}

}
