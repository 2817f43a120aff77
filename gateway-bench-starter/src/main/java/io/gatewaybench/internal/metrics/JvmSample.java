package io.gatewaybench.internal.metrics;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.lang.management.OperatingSystemMXBean;
import java.lang.management.PlatformManagedObject;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * State of the JVM at some moment. As in JMX itself, a negative figure is one that this
 * JVM doesn't give.
 *
 * @param uptimeMillis milliseconds since the start of the JVM
 * @param heapUsed bytes of the heap in use
 * @param heapMax bytes that the heap may grow to
 * @param heapCommitted bytes of the heap that the system has granted
 * @param nonHeapUsed bytes in use outside the heap: class metadata, compiled code
 * @param threads live platform threads
 * @param peakThreads highest number of live platform threads since the start
 * @param daemonThreads live platform threads that are daemons
 * @param startedThreads platform threads started since the start
 * @param gcCount garbage collections since the start, of all collectors
 * @param gcMillis milliseconds spent in them, as each collector reports it
 * @param systemLoad load average of the system over the last minute
 * @param processors processors available to the JVM
 * @param cpuNanos CPU time of the process in nanoseconds
 * @param virtualParallelism carrier threads that the scheduler of the virtual threads
 * aims at
 * @param virtualPoolSize carrier threads that it has
 * @param virtualMounted virtual threads on a carrier
 * @param virtualQueued virtual threads waiting for one
 */
record JvmSample(long uptimeMillis, long heapUsed, long heapMax, long heapCommitted, long nonHeapUsed, long threads,
		long peakThreads, long daemonThreads, long startedThreads, long gcCount, long gcMillis, double systemLoad,
		long processors, long cpuNanos, long virtualParallelism, long virtualPoolSize, long virtualMounted,
		long virtualQueued) {

	/** The moment before the JVM started. */
	static final JvmSample ZERO = new JvmSample(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

	// By name, because a JVM may come without it
	private static final String OPERATING_SYSTEM = "com.sun.management.OperatingSystemMXBean";

	// Since JDK 24; by name, because this compiles for 17
	private static final String VIRTUAL_THREAD_SCHEDULER = "jdk.management.VirtualThreadSchedulerMXBean";

	/**
	 * Takes a sample of this JVM.
	 * @return the sample
	 */
	static JvmSample take() {
		MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
		MemoryUsage heap = memory.getHeapMemoryUsage();
		ThreadMXBean threads = ManagementFactory.getThreadMXBean();
		OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
		return new JvmSample(ManagementFactory.getRuntimeMXBean().getUptime(), heap.getUsed(), heap.getMax(),
				heap.getCommitted(), memory.getNonHeapMemoryUsage().getUsed(), threads.getThreadCount(),
				threads.getPeakThreadCount(), threads.getDaemonThreadCount(), threads.getTotalStartedThreadCount(),
				collectors(GarbageCollectorMXBean::getCollectionCount),
				collectors(GarbageCollectorMXBean::getCollectionTime), system.getSystemLoadAverage(),
				system.getAvailableProcessors(), figure(OPERATING_SYSTEM, "getProcessCpuTime"),
				figure(VIRTUAL_THREAD_SCHEDULER, "getParallelism"), figure(VIRTUAL_THREAD_SCHEDULER, "getPoolSize"),
				figure(VIRTUAL_THREAD_SCHEDULER, "getMountedVirtualThreadCount"),
				figure(VIRTUAL_THREAD_SCHEDULER, "getQueuedVirtualThreadCount"));
	}

	private static long collectors(ToLongFunction<GarbageCollectorMXBean> figure) {
		List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
		return collectors.stream().mapToLong(figure).filter((value) -> value >= 0).sum();
	}

	/**
	 * Asks the bean itself. To ask the server of management beans would start that
	 * server, with all its beans, in gateways that have no other use for it.
	 */
	private static long figure(String bean, String getter) {
		try {
			Class<? extends PlatformManagedObject> type = Class.forName(bean).asSubclass(PlatformManagedObject.class);
			PlatformManagedObject platform = ManagementFactory.getPlatformMXBean(type);
			return (platform != null && type.getMethod(getter).invoke(platform) instanceof Number number)
					? number.longValue() : -1;
		}
		catch (ReflectiveOperationException | IllegalArgumentException ex) {
			// Neither the bean nor the figure is part of every JVM
			return -1;
		}
	}

}
