package io.gatewaybench.metrics;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.lang.management.OperatingSystemMXBean;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.function.ToLongFunction;

import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

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

	private static final String OPERATING_SYSTEM = ManagementFactory.OPERATING_SYSTEM_MXBEAN_NAME;

	// Since JDK 24; by name, because this compiles for 17
	private static final String VIRTUAL_THREAD_SCHEDULER = "jdk.management:type=VirtualThreadScheduler";

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
				system.getAvailableProcessors(), attribute(OPERATING_SYSTEM, "ProcessCpuTime"),
				attribute(VIRTUAL_THREAD_SCHEDULER, "Parallelism"), attribute(VIRTUAL_THREAD_SCHEDULER, "PoolSize"),
				attribute(VIRTUAL_THREAD_SCHEDULER, "MountedVirtualThreadCount"),
				attribute(VIRTUAL_THREAD_SCHEDULER, "QueuedVirtualThreadCount"));
	}

	private static long collectors(ToLongFunction<GarbageCollectorMXBean> figure) {
		List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
		return collectors.stream().mapToLong(figure).filter((value) -> value >= 0).sum();
	}

	private static long attribute(String bean, String attribute) {
		MBeanServer server = ManagementFactory.getPlatformMBeanServer();
		try {
			return (server.getAttribute(new ObjectName(bean), attribute) instanceof Number number) ? number.longValue()
					: -1;
		}
		catch (JMException ex) {
			// Neither the bean nor the attribute is part of every JVM
			return -1;
		}
	}

}
