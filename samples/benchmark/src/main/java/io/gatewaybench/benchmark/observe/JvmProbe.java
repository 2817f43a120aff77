package io.gatewaybench.benchmark.observe;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.util.ArrayList;
import java.util.List;

import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import org.jspecify.annotations.Nullable;

/**
 * A connection into another JVM of this machine, made long before anything is measured. A
 * JVM that does not tell something costs a figure, never the run.
 */
public final class JvmProbe implements AutoCloseable {

	private final JMXConnector connector;

	private final MBeanServerConnection server;

	private JvmProbe(JMXConnector connector, MBeanServerConnection server) {
		this.connector = connector;
		this.server = server;
	}

	/**
	 * Connects to a JVM.
	 * @param pid its process id
	 * @return the probe, {@code null} if it is no JVM or does not allow it
	 */
	public static @Nullable JvmProbe attach(long pid) {
		try {
			VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
			String address;
			try {
				address = machine.startLocalManagementAgent();
			}
			finally {
				machine.detach();
			}
			JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(address));
			return new JvmProbe(connector, connector.getMBeanServerConnection());
		}
		catch (IOException | AttachNotSupportedException ex) {
			return null;
		}
	}

	/**
	 * Looks at the JVM.
	 * @return the snapshot, {@code null} if it is gone or does not tell
	 */
	public @Nullable JvmUse take() {
		try {
			CompositeData heap = (CompositeData) this.server
				.getAttribute(new ObjectName(ManagementFactory.MEMORY_MXBEAN_NAME), "HeapMemoryUsage");
			ObjectName threading = new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME);
			long collections = 0;
			long millis = 0;
			for (ObjectName collector : this.server
				.queryNames(new ObjectName(ManagementFactory.GARBAGE_COLLECTOR_MXBEAN_DOMAIN_TYPE + ",*"), null)) {
				collections += (long) this.server.getAttribute(collector, "CollectionCount");
				millis += (long) this.server.getAttribute(collector, "CollectionTime");
			}
			return new JvmUse((long) this.server.getAttribute(threading, "TotalThreadAllocatedBytes"),
					(long) heap.get("used"), (long) heap.get("committed"), collections, millis,
					(int) this.server.getAttribute(threading, "ThreadCount"),
					(int) this.server.getAttribute(threading, "PeakThreadCount"));
		}
		catch (IOException | JMException | ClassCastException ex) {
			return null;
		}
	}

	/**
	 * Forgets the most heap and threads that there were until now.
	 */
	void resetPeaks() {
		try {
			this.server.invoke(new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME), "resetPeakThreadCount",
					new Object[0], new String[0]);
			for (ObjectName pool : heapPools()) {
				this.server.invoke(pool, "resetPeakUsage", new Object[0], new String[0]);
			}
		}
		catch (IOException | JMException ex) {
			// It is gone, which the measurement will tell
		}
	}

	/**
	 * The most heap that was in use since {@link #resetPeaks()}, garbage included.
	 * @return bytes: the sum of the peaks of all parts of the heap, which need not have
	 * been at the same moment
	 */
	long peakHeapBytes() {
		long peak = 0;
		try {
			for (ObjectName pool : heapPools()) {
				peak += (long) ((CompositeData) this.server.getAttribute(pool, "PeakUsage")).get("used");
			}
		}
		catch (IOException | JMException ex) {
			// It is gone, which the measurement will tell
		}
		return peak;
	}

	private List<ObjectName> heapPools() throws IOException, JMException {
		List<ObjectName> pools = new ArrayList<>();
		for (ObjectName pool : this.server
			.queryNames(new ObjectName(ManagementFactory.MEMORY_POOL_MXBEAN_DOMAIN_TYPE + ",*"), null)) {
			if (MemoryType.HEAP.name().equals(this.server.getAttribute(pool, "Type"))) {
				pools.add(pool);
			}
		}
		return pools;
	}

	/**
	 * Runs a full garbage collection, so that every measurement begins with a clean heap.
	 */
	public void collectGarbage() {
		try {
			this.server.invoke(new ObjectName(ManagementFactory.MEMORY_MXBEAN_NAME), "gc", new Object[0],
					new String[0]);
		}
		catch (IOException | JMException ex) {
			// It is gone, which the measurement will tell
		}
	}

	/**
	 * The flags the JVM runs with, those it chose itself included.
	 * @return the flags, {@code null} if it does not tell
	 */
	public @Nullable String flags() {
		try {
			Object answer = this.server.invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), "vmFlags",
					new Object[] { new String[0] }, new String[] { String[].class.getName() });
			return String.valueOf(answer).strip();
		}
		catch (IOException | JMException ex) {
			return null;
		}
	}

	/**
	 * Lets the JVM record itself.
	 * @return the recording, which has begun
	 * @throws IOException if the JVM is gone
	 * @throws RuntimeException if it has no Flight Recorder
	 */
	public FlightRecording record() throws IOException {
		return FlightRecording.begin(this.server);
	}

	@Override
	public void close() {
		try {
			this.connector.close();
		}
		catch (IOException ex) {
			// The JVM was faster
		}
	}

}
