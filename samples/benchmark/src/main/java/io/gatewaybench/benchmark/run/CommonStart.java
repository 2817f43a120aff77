package io.gatewaybench.benchmark.run;

import java.util.concurrent.CancellationException;
import java.util.concurrent.Phaser;

/**
 * Lets sessions that run at the same time begin each stage at the same time.
 */
final class CommonStart {

	private final Phaser phaser;

	/**
	 * A start.
	 * @param sessions how many sessions there are
	 */
	CommonStart(int sessions) {
		this.phaser = new Phaser(sessions);
	}

	/**
	 * Waits until every session is here.
	 * @throws CancellationException if one of them ended, and will not come
	 */
	void await() throws InterruptedException {
		if (this.phaser.awaitAdvanceInterruptibly(this.phaser.arrive()) < 0) {
			throw new CancellationException("a session that runs at the same time has failed");
		}
	}

	/**
	 * A session has failed. The others would wait for it forever, so they fail as well.
	 */
	void fail() {
		this.phaser.forceTermination();
	}

}
