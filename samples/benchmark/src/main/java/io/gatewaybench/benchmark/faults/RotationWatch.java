package io.gatewaybench.benchmark.faults;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Looks all the time whether a gateway does without one of its instances.
 */
final class RotationWatch implements AutoCloseable {

	private static final Duration INTERVAL = Duration.ofMillis(20);

	private final List<Observation> changes = new CopyOnWriteArrayList<>();

	private final Meters meters;

	private final Thread thread;

	private RotationWatch(Meters meters) throws IOException, InterruptedException {
		this.meters = meters;
		this.changes.add(look());
		this.thread = Thread.ofVirtual().name("rotation-watch").start(this::watch);
	}

	static RotationWatch start(Meters meters) throws IOException, InterruptedException {
		return new RotationWatch(meters);
	}

	private Observation look() throws IOException, InterruptedException {
		Rotation rotation = this.meters.rotation();
		return new Observation(System.nanoTime(), rotation);
	}

	private void watch() {
		try {
			while (true) {
				Thread.sleep(INTERVAL);
				lookAgain();
			}
		}
		catch (InterruptedException ex) {
			// Nobody wants to know any more
		}
	}

	private void lookAgain() throws InterruptedException {
		try {
			Observation look = look();
			if (!look.rotation().equals(this.changes.getLast().rotation())) {
				this.changes.add(look);
			}
		}
		catch (IOException ex) {
			// The gateway has other worries; the next look may see what this one missed
		}
	}

	/**
	 * What was seen first, and whenever it changed.
	 */
	List<Observation> changes() {
		return List.copyOf(this.changes);
	}

	@Override
	public void close() {
		this.thread.interrupt();
	}

	/**
	 * What was seen.
	 *
	 * @param at when, by {@link System#nanoTime()}
	 * @param rotation what was counted
	 */
	record Observation(long at, Rotation rotation) {
	}

}
