package io.gatewaybench.internal.tomcat;

import java.lang.management.ManagementFactory;

import com.sun.management.HotSpotDiagnosticMXBean;

import org.springframework.util.ClassUtils;

/**
 * The direct memory that the connections of clients take. Tomcat gives a connection its
 * buffers when it accepts it, and the thread that accepts ends where there is no memory
 * left.
 *
 * @param write size of the buffer of responses, in bytes
 * @param connections for how many connections there is memory
 */
record ConnectionBuffers(int write, int connections) {

	/**
	 * As Tomcat's own.
	 */
	static final int READ = 8 * 1024;

	/** A JVM may come without it. */
	private static final boolean HOTSPOT = ClassUtils.isPresent("com.sun.management.HotSpotDiagnosticMXBean", null);

	private static final int SMALL = 8 * 1024;

	/**
	 * Saves calls of the system.
	 */
	private static final int LARGE = 32 * 1024;

	/**
	 * Share the memory out. Some of it is left for others.
	 * @param memory how much direct memory there may be, in bytes
	 * @param wanted how many connections there may be
	 * @return large buffers if there is room for them, and as many as there is room for
	 */
	static ConnectionBuffers within(long memory, int wanted) {
		long share = memory / 4 * 3;
		int write = (wanted * (long) (READ + LARGE) <= share) ? LARGE : SMALL;
		return new ConnectionBuffers(write, (int) Math.min(wanted, share / (READ + write)));
	}

	/**
	 * How much direct memory the JVM gives out.
	 * @return how many bytes; unless it is told, as many as the heap may have
	 */
	static long directMemory() {
		long told = HOTSPOT ? HotSpot.maxDirectMemory() : 0;
		return (told > 0) ? told : Runtime.getRuntime().maxMemory();
	}

	/**
	 * Loaded only where its class is.
	 */
	private static final class HotSpot {

		static long maxDirectMemory() {
			HotSpotDiagnosticMXBean machine = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
			try {
				return (machine != null) ? Long.parseLong(machine.getVMOption("MaxDirectMemorySize").getValue()) : 0;
			}
			catch (IllegalArgumentException | UnsupportedOperationException ex) {
				// Another JVM, or a native image
				return 0;
			}
		}

	}

}
