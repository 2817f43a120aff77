package io.gatewaybench.benchmark.observe;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

import io.gatewaybench.benchmark.failure.BenchFailure;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the samples of one recording, event by event.
 */
final class RecordingReader {

	/**
	 * The part of the samples that a frame must have to be in the tree.
	 */
	static final double LEAST_SHARE = 0.001;

	// Some 40 MB; the runner has 256
	private static final int MOST_BRANCHES = 200_000;

	private static final int MOST_CHARACTERS = 300;

	private static final String CUT = "(cut off)";

	// Where a class without a name of its own is in memory
	private static final Pattern ADDRESS = Pattern.compile("[./+]0x[0-9a-fA-F]+");

	private final StackTree tree = new StackTree(MOST_BRANCHES);

	private boolean cpuTime;

	private long cut;

	private RecordingReader() {
	}

	static StackSamples read(Path recording) {
		RecordingReader reader = new RecordingReader();
		try (RecordingFile file = new RecordingFile(recording)) {
			while (file.hasMoreEvents()) {
				reader.add(file.readEvent());
			}
		}
		// What is damaged may be read as anything
		catch (IOException | RuntimeException ex) {
			throw new BenchFailure(recording + " is no recording of Flight Recorder, or not all of it: " + ex, ex);
		}
		if (reader.tree.samples() == 0) {
			throw new BenchFailure(recording + " has no sample of a thread. "
					+ "The variant had next to nothing to do; choose a load with more requests");
		}
		return reader.samples();
	}

	private void add(RecordedEvent event) {
		RecordedStackTrace trace = event.getStackTrace();
		if (trace == null || trace.getFrames().isEmpty()) {
			return;
		}
		switch (event.getEventType().getName()) {
			case FlightRecording.CPU_TIME -> {
				this.cpuTime = true;
				sample(event.getThread(), trace);
			}
			case FlightRecording.JAVA_CODE -> sample(event.getThread("sampledThread"), trace);
			default -> {
			}
		}
	}

	private void sample(@Nullable RecordedThread thread, RecordedStackTrace trace) {
		List<String> stack = new ArrayList<>();
		for (RecordedFrame frame : trace.getFrames()) {
			stack.add(name(frame));
		}
		if (trace.isTruncated()) {
			this.cut++;
			stack.add(CUT);
		}
		stack.add(group(thread).name());
		Collections.reverse(stack);
		this.tree.add(stack);
	}

	private static ThreadGroup group(@Nullable RecordedThread thread) {
		if (thread == null) {
			return ThreadGroup.ENDED;
		}
		String name = thread.getJavaName();
		return thread.isVirtual() ? ThreadGroup.CARRIER : (name != null) ? ThreadGroup.of(name) : ThreadGroup.OTHER;
	}

	private static String name(RecordedFrame frame) {
		String name = frame.getMethod().getType().getName() + "." + frame.getMethod().getName();
		String plain = name.contains("0x") ? ADDRESS.matcher(name).replaceAll("") : name;
		return (plain.length() > MOST_CHARACTERS) ? plain.substring(0, MOST_CHARACTERS) + "…" : plain;
	}

	private StackSamples samples() {
		List<StackSamples.Node> nodes = this.tree.nodes(LEAST_SHARE * this.tree.samples());
		return new StackSamples(this.cpuTime, this.tree.samples(), this.cut, this.tree.frames(), nodes);
	}

}
