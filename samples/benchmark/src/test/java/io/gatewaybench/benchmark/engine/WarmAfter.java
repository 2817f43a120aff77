package io.gatewaybench.benchmark.engine;

/**
 * A listener that says that the target is warm when a stage is over.
 */
final class WarmAfter implements ProgressListener {

	private final String stage;

	private boolean warm;

	WarmAfter(String stage) {
		this.stage = stage;
	}

	@Override
	public void on(ProgressEvent event) {
		this.warm |= event instanceof ProgressEvent.StageEnd && event.stage().equals(this.stage);
	}

	@Override
	public boolean enough() {
		return this.warm;
	}

}
