package io.gatewaybench.benchmark.faults;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Looks all the time whether a gateway does without one of its instances, until its
 * thread is interrupted.
 */
final class RotationWatch implements Callable<Void> {

	private static final Duration INTERVAL = Duration.ofMillis(20);

	private final List<Rotation> changes = new CopyOnWriteArrayList<>();

	private final Meters meters;

	RotationWatch(Meters meters) throws IOException, InterruptedException {
		this.meters = meters;
		this.changes.add(meters.rotation());
	}

	@Override
	public Void call() throws InterruptedException {
		while (true) {
			Thread.sleep(INTERVAL);
			try {
				Rotation look = this.meters.rotation();
				if (!look.countsAs(this.changes.getLast())) {
					this.changes.add(look);
				}
			}
			catch (IOException ex) {
				// The gateway has other worries; the next look may see what this one
				// missed
			}
		}
	}

	/**
	 * What was seen first, and whenever it changed.
	 */
	List<Rotation> changes() {
		return List.copyOf(this.changes);
	}

}
