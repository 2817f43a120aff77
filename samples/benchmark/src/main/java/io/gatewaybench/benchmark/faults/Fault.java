package io.gatewaybench.benchmark.faults;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * A way in which an instance fails.
 */
public enum Fault {

	/**
	 * Its process is killed, and started again later.
	 */
	KILL {

		@Override
		void begin(Instance instance, Duration length) {
			instance.kill();
		}

		@Override
		void end(Instance instance) throws InterruptedException {
			instance.start();
		}

	},

	/**
	 * Its process is killed, and started again at once.
	 */
	RESTART {

		@Override
		Duration length(Duration usual) {
			return Duration.ZERO;
		}

		@Override
		void begin(Instance instance, Duration length) throws InterruptedException {
			KILL.begin(instance, length);
		}

		@Override
		void end(Instance instance) throws InterruptedException {
			KILL.end(instance);
		}

	},

	/**
	 * Its process stands still, while the kernel goes on to accept connections.
	 */
	FREEZE {

		@Override
		void begin(Instance instance, Duration length) {
			instance.freeze();
		}

		@Override
		void end(Instance instance) {
			instance.resume();
		}

	},

	/**
	 * It refuses new connections, and resets those that are open.
	 */
	REFUSE,

	/**
	 * It resets connections in the middle of the body.
	 */
	RESET,

	/**
	 * It answers with 500.
	 */
	ERROR,

	/**
	 * It takes a hundred times as long.
	 */
	SLOW,

	/**
	 * It closes a connection after every tenth response without saying so.
	 */
	CLOSING;

	/**
	 * The fault of a name.
	 * @param id the name, such as {@code kill}
	 * @return the fault, empty if there is none
	 */
	public static Optional<Fault> named(String id) {
		return Arrays.stream(values()).filter((fault) -> fault.id().equals(id)).findFirst();
	}

	/**
	 * The name on the command line and in results, which the simulator knows it by, too.
	 * @return the name in lower case
	 */
	public String id() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * How long it lasts.
	 * @param usual how long faults last
	 */
	Duration length(Duration usual) {
		return usual;
	}

	void begin(Instance instance, Duration length) throws InterruptedException {
		instance.simulate(id(), length);
	}

	/**
	 * Ends what does not end by itself.
	 */
	void end(Instance instance) throws InterruptedException {
	}

}
