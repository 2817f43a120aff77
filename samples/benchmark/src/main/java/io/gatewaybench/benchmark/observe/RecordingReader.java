package io.gatewaybench.benchmark.observe;

import java.io.IOException;
import java.lang.constant.ClassDesc;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.observe.StackSamples.Method;
import io.gatewaybench.benchmark.observe.StackSamples.Site;
import jdk.jfr.consumer.RecordedClass;
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

	private static final int TOP = 20;

	// Some 40 MB; the runner has 256
	private static final int MOST_BRANCHES = 200_000;

	private static final int MOST_CHARACTERS = 300;

	private static final String CUT = "(cut off)";

	// Where a class without a name of its own is in memory
	private static final Pattern ADDRESS = Pattern.compile("[./+]0x[0-9a-fA-F]+");

	private final StackTree tree = new StackTree(MOST_BRANCHES);

	private final Map<String, Counter> methods = new HashMap<>();

	private final Map<String, Map<String, Counter>> sites = new HashMap<>();

	private boolean cpuTime;

	private long cut;

	private long allocated;

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
			case "jdk.ObjectAllocationSample" ->
				allocation(event.getClass("objectClass"), trace.getFrames().getFirst(), event.getLong("weight"));
			default -> {
			}
		}
	}

	private void sample(@Nullable RecordedThread thread, RecordedStackTrace trace) {
		List<String> stack = new ArrayList<>();
		for (RecordedFrame frame : trace.getFrames()) {
			stack.add(name(frame));
		}
		this.methods.computeIfAbsent(stack.getFirst(), (name) -> new Counter()).self++;
		new HashSet<>(stack).forEach((name) -> this.methods.computeIfAbsent(name, (key) -> new Counter()).total++);
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

	private void allocation(RecordedClass type, RecordedFrame frame, long weight) {
		this.allocated += weight;
		this.sites.computeIfAbsent(name(frame), (method) -> new HashMap<>())
			.computeIfAbsent(name(type), (name) -> new Counter()).total += weight;
	}

	private static String name(RecordedFrame frame) {
		return plain(frame.getMethod().getType().getName() + "." + frame.getMethod().getName());
	}

	private static String name(RecordedClass type) {
		String name = type.getName();
		return name.startsWith("[") ? ClassDesc.ofDescriptor(name.replace('.', '/')).displayName() : plain(name);
	}

	private static String plain(String name) {
		String plain = name.contains("0x") ? ADDRESS.matcher(name).replaceAll("") : name;
		return (plain.length() > MOST_CHARACTERS) ? plain.substring(0, MOST_CHARACTERS) + "…" : plain;
	}

	private StackSamples samples() {
		List<StackSamples.Node> nodes = this.tree.nodes(LEAST_SHARE * this.tree.samples());
		return new StackSamples(this.cpuTime, this.tree.samples(), this.cut, this.tree.frames(), nodes, topMethods(),
				topSites());
	}

	private List<Method> topMethods() {
		List<Method> all = this.methods.entrySet()
			.stream()
			.map((entry) -> new Method(entry.getKey(), entry.getValue().self, entry.getValue().total))
			.toList();
		return Stream.of(Comparator.comparingLong(Method::self), Comparator.comparingLong(Method::total))
			.flatMap((order) -> all.stream().sorted(order.reversed().thenComparing(Method::name)).limit(TOP))
			.distinct()
			.toList();
	}

	private List<Site> topSites() {
		return this.sites.entrySet()
			.stream()
			.flatMap((method) -> method.getValue()
				.entrySet()
				.stream()
				.map((type) -> new Site(type.getKey(), method.getKey(),
						type.getValue().total / (double) Math.max(1, this.allocated))))
			.sorted(Comparator.comparingDouble(Site::share)
				.reversed()
				.thenComparing(Site::method)
				.thenComparing(Site::type))
			.limit(TOP)
			.toList();
	}

	/**
	 * Samples, or bytes.
	 */
	private static final class Counter {

		private long self;

		private long total;

	}

}
