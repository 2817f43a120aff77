package io.gatewaybench.benchmark.run;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Phaser;

/**
 * Sessions of this runner begin when the last one is ready.
 */
final class StartTogether implements CommonStart {

	private final Phaser phaser;

	/**
	 * A start.
	 * @param sessions how many sessions there are
	 */
	StartTogether(int sessions) {
		this.phaser = new Phaser(sessions);
	}

	/**
	 * Waits until every session is here.
	 * @throws CancellationException if one of them ended, and will not come
	 */
	@Override
	public void await(Duration length) throws InterruptedException {
		if (this.phaser.awaitAdvanceInterruptibly(this.phaser.arrive()) < 0) {
			throw new CancellationException("a session that runs at the same time has failed");
		}
	}

	@Override
	public void fail() {
		this.phaser.forceTermination();
	}

}
