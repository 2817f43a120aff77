package io.gatewaybench.benchmark.observe;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;

import jdk.management.jfr.FlightRecorderMXBean;

/**
 * A recording that another JVM of this machine makes of itself, with the settings
 * {@code profile} of its JDK. It costs the JVM a few percent, so nothing is measured in
 * the meantime.
 */
public final class FlightRecording implements AutoCloseable {

	// By default, a stack of more than 64 frames loses those that called the others, and
	// the stacks of gateways are deeper
	private static final String STACK_DEPTH = "stackdepth=512";

	/**
	 * Samples of CPU time, native code included: JDK 25 on Linux (JEP 509).
	 */
	static final String CPU_TIME = "jdk.CPUTimeSample";

	/**
	 * Samples of threads that run Java code, before that.
	 */
	static final String JAVA_CODE = "jdk.ExecutionSample";

	// 200 samples for a second of CPU time. At 1 ms, the queues of samples overflow
	private static final String CPU_TIME_PERIOD = "5ms";

	private final FlightRecorderMXBean recorder;

	private final long id;

	private FlightRecording(FlightRecorderMXBean recorder, long id) {
		this.recorder = recorder;
		this.id = id;
	}

	static FlightRecording begin(MBeanServerConnection server) throws IOException {
		configure(server);
		FlightRecorderMXBean recorder = ManagementFactory.newPlatformMXBeanProxy(server,
				FlightRecorderMXBean.MXBEAN_NAME, FlightRecorderMXBean.class);
		FlightRecording recording = new FlightRecording(recorder, recorder.newRecording());
		try {
			recorder.setPredefinedConfiguration(recording.id, "profile");
			sampleCpuTime(recorder, recording.id);
			recorder.startRecording(recording.id);
			return recording;
		}
		catch (RuntimeException ex) {
			recording.close();
			throw ex;
		}
	}

	private static void sampleCpuTime(FlightRecorderMXBean recorder, long id) {
		boolean known = recorder.getEventTypes().stream().anyMatch((type) -> CPU_TIME.equals(type.getName()));
		// Other systems know the event, but never send it
		if (!known || !"Linux".equals(System.getProperty("os.name"))) {
			return;
		}
		Map<String, String> settings = new HashMap<>();
		recorder.getRecordings()
			.stream()
			.filter((recording) -> recording.getId() == id)
			.forEach((recording) -> settings.putAll(recording.getSettings()));
		settings.put(CPU_TIME + "#enabled", "true");
		settings.put(CPU_TIME + "#throttle", CPU_TIME_PERIOD);
		settings.put(JAVA_CODE + "#enabled", "false");
		recorder.setRecordingSettings(id, settings);
	}

	private static void configure(MBeanServerConnection server) throws IOException {
		try {
			server.invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), "jfrConfigure",
					new Object[] { new String[] { STACK_DEPTH } }, new String[] { String[].class.getName() });
		}
		catch (JMException ex) {
			// Stacks are cut off then, which the profile tells
		}
	}

	/**
	 * Ends the recording and writes it.
	 * @param file where, in a directory that is there
	 * @throws IOException if the JVM can't write it
	 */
	public void save(Path file) throws IOException {
		this.recorder.stopRecording(this.id);
		// The other JVM writes it, and may have another working directory
		this.recorder.copyTo(this.id, file.toAbsolutePath().toString());
	}

	@Override
	public void close() {
		try {
			this.recorder.closeRecording(this.id);
		}
		catch (IOException | RuntimeException ex) {
			// The JVM ends soon, and its recording with it
		}
	}

}
