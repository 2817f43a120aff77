package io.gatewaybench.benchmark.observe;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.lang.reflect.UndeclaredThrowableException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import javax.management.JMException;
import javax.management.JMRuntimeException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import org.jspecify.annotations.Nullable;

/**
 * A connection into another JVM of this machine, made long before anything is measured. A
 * JVM that does not tell something costs a figure, never the run.
 */
public final class JvmProbe implements AutoCloseable {

	private static final String RECORDING = "gateway-bench";

	private final JMXConnector connector;

	private final MBeanServerConnection server;

	private final MemoryMXBean memory;

	private final ThreadMXBean threads;

	private final List<GarbageCollectorMXBean> collectors;

	private JvmProbe(JMXConnector connector) throws IOException {
		this.connector = connector;
		this.server = connector.getMBeanServerConnection();
		this.memory = ManagementFactory.getPlatformMXBean(this.server, MemoryMXBean.class);
		this.threads = ManagementFactory.getPlatformMXBean(this.server, ThreadMXBean.class);
		this.collectors = ManagementFactory.getPlatformMXBeans(this.server, GarbageCollectorMXBean.class);
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
			return new JvmProbe(JMXConnectorFactory.connect(new JMXServiceURL(address)));
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
			MemoryUsage heap = this.memory.getHeapMemoryUsage();
			long collections = 0;
			long millis = 0;
			for (GarbageCollectorMXBean collector : this.collectors) {
				collections += collector.getCollectionCount();
				millis += collector.getCollectionTime();
			}
			return new JvmUse(this.threads.getTotalThreadAllocatedBytes(), heap.getUsed(), heap.getCommitted(),
					collections, millis, this.threads.getThreadCount(), this.threads.getPeakThreadCount());
		}
		catch (UndeclaredThrowableException ex) {
			return null;
		}
	}

	/**
	 * Runs a full garbage collection, so that every measurement begins with a clean heap.
	 */
	public void collectGarbage() {
		try {
			this.memory.gc();
		}
		catch (UndeclaredThrowableException ex) {
			// It is gone, which the measurement will tell
		}
	}

	/**
	 * The flags the JVM runs with, those it chose itself included.
	 * @return the flags, {@code null} if it does not tell
	 */
	public @Nullable String flags() {
		try {
			return command("vmFlags").strip();
		}
		catch (IOException | JMException ex) {
			return null;
		}
	}

	private String command(String name, String... arguments) throws IOException, JMException {
		return String.valueOf(this.server.invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), name,
				new Object[] { arguments }, new String[] { String[].class.getName() }));
	}

	/**
	 * Lets the JVM record itself, with the settings {@code profile} of its JDK. It costs
	 * the JVM a few percent, so nothing is measured in the meantime. The recording ends
	 * with the JVM at the latest.
	 * @throws IOException if the JVM is gone, or can't record itself
	 */
	public void startRecording() throws IOException {
		List<String> options = new ArrayList<>(List.of("name=" + RECORDING, "settings=profile"));
		// JEP 509. Other systems know the event, but never send it. The JVM is of the
		// same
		// JDK
		if (Runtime.version().feature() >= 25 && "Linux".equals(System.getProperty("os.name"))) {
			// 200 samples for a second of CPU time. At 1 ms, the queues overflow
			options.addAll(List.of(StackTree.CPU_TIME + "#enabled=true", StackTree.CPU_TIME + "#throttle=5ms",
					StackTree.JAVA_CODE + "#enabled=false"));
		}
		// The default of 64 frames cuts off the stacks of gateways
		record("jfrConfigure", "stackdepth=512");
		record("jfrStart", options.toArray(String[]::new));
	}

	/**
	 * Ends the recording and writes it.
	 * @param file where, in a directory that is there
	 * @throws IOException if the JVM can't write it
	 */
	public void saveRecording(Path file) throws IOException {
		// The other JVM writes it, and may have another working directory
		record("jfrStop", "name=" + RECORDING, "filename=\"" + file.toAbsolutePath() + "\"");
	}

	private void record(String name, String... options) throws IOException {
		try {
			command(name, options);
		}
		catch (JMException | JMRuntimeException ex) {
			throw new IOException("Flight Recorder refuses " + name + ": " + ex.getMessage(), ex);
		}
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
