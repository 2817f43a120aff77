package io.gatewaybench.benchmark.observe;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.observe.StackSamples.Node;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the stacks of a recording: those that begin alike share their first frames.
 */
public final class StackTree {

	/**
	 * What stands for the frames of a tree that is full.
	 */
	static final String MORE = "(more frames)";

	/**
	 * The part of the samples that a frame must have to be in the tree.
	 */
	static final double LEAST_SHARE = 0.001;

	/**
	 * Samples of CPU time, native code included: JDK 25 on Linux (JEP 509).
	 */
	static final String CPU_TIME = "jdk.CPUTimeSample";

	/**
	 * Samples of threads that run Java code, before that.
	 */
	static final String JAVA_CODE = "jdk.ExecutionSample";

	// Some 40 MB; the runner has 256
	private static final int MOST_BRANCHES = 200_000;

	private static final int MOST_CHARACTERS = 300;

	// Where a class without a name of its own is in memory
	private static final Pattern ADDRESS = Pattern.compile("[./+]0x[0-9a-fA-F]+");

	private final Branch root = new Branch("");

	private final Map<String, Integer> frames = new LinkedHashMap<>();

	private final int mostBranches;

	private int branches;

	private boolean cpuTime;

	private long cut;

	/**
	 * An empty tree.
	 * @param mostBranches how many different frames at their places it may have, so that
	 * it fits into the memory
	 */
	StackTree(int mostBranches) {
		this.mostBranches = mostBranches;
	}

	/**
	 * Reads a recording, with an amount of memory that does not depend on its size.
	 * @param recording the file
	 * @return what it has
	 * @throws BenchFailure if the file is not a whole recording, or has no sample
	 */
	public static StackSamples read(Path recording) {
		StackTree tree = new StackTree(MOST_BRANCHES);
		try (RecordingFile file = new RecordingFile(recording)) {
			while (file.hasMoreEvents()) {
				tree.add(file.readEvent());
			}
		}
		// What is damaged may be read as anything
		catch (IOException | RuntimeException ex) {
			throw new BenchFailure(recording + " is no recording of Flight Recorder, or not all of it: " + ex, ex);
		}
		if (tree.samples() == 0) {
			throw new BenchFailure(recording + " has no sample of a thread. "
					+ "The variant had next to nothing to do; choose a load with more requests");
		}
		List<Node> nodes = tree.nodes(LEAST_SHARE * tree.samples());
		return new StackSamples(tree.cpuTime, tree.samples(), tree.cut, tree.frames(), nodes);
	}

	private void add(RecordedEvent event) {
		RecordedStackTrace trace = event.getStackTrace();
		if (trace == null || trace.getFrames().isEmpty()) {
			return;
		}
		String type = event.getEventType().getName();
		if (type.equals(CPU_TIME)) {
			this.cpuTime = true;
			add(event.getThread(), trace);
		}
		else if (type.equals(JAVA_CODE)) {
			add(event.getThread("sampledThread"), trace);
		}
	}

	private void add(@Nullable RecordedThread thread, RecordedStackTrace trace) {
		List<String> stack = new ArrayList<>();
		for (RecordedFrame frame : trace.getFrames()) {
			stack.add(name(frame));
		}
		if (trace.isTruncated()) {
			this.cut++;
			stack.add("(cut off)");
		}
		stack.add(group(thread).name());
		Collections.reverse(stack);
		add(stack);
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

	/**
	 * Adds a sample.
	 * @param stack its frames, the caller before what it called
	 */
	void add(List<String> stack) {
		this.root.total++;
		Branch branch = this.root;
		for (String frame : stack) {
			Branch next = branch.children.get(frame);
			if (next == null) {
				boolean full = this.branches >= this.mostBranches;
				next = branch.children.computeIfAbsent(full ? MORE : frame, Branch::new);
				this.branches++;
			}
			branch = next;
			branch.total++;
			if (branch.frame.equals(MORE)) {
				break;
			}
		}
		branch.self++;
	}

	long samples() {
		return this.root.total;
	}

	/**
	 * The tree, each frame followed by those that it called, the one with most samples
	 * first.
	 * @param least how many samples a frame must have to be in it
	 */
	List<Node> nodes(double least) {
		List<Node> nodes = new ArrayList<>();
		collect(this.root, 0, least, nodes);
		return nodes;
	}

	private void collect(Branch branch, int depth, double least, List<Node> nodes) {
		branch.children.values()
			.stream()
			.filter((child) -> child.total >= least)
			.sorted(Comparator.<Branch>comparingLong((child) -> -child.total).thenComparing((child) -> child.frame))
			.forEach((child) -> {
				int frame = this.frames.computeIfAbsent(child.frame, (name) -> this.frames.size());
				nodes.add(new Node(depth, frame, child.self, child.total));
				collect(child, depth + 1, least, nodes);
			});
	}

	/**
	 * The names of the frames of all nodes so far, each at its index.
	 */
	List<String> frames() {
		return List.copyOf(this.frames.keySet());
	}

	/**
	 * A frame, at its place.
	 */
	private static final class Branch {

		private final String frame;

		private final Map<String, Branch> children = new HashMap<>(2);

		private long self;

		private long total;

		Branch(String frame) {
			this.frame = frame;
		}

	}

}
