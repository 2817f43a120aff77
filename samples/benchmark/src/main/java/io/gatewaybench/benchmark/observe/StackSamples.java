package io.gatewaybench.benchmark.observe;

import java.util.List;
import java.util.Objects;

/**
 * What the threads of a JVM did while a recording was made, by samples of their stacks.
 * Garbage collection and compilers are not in it.
 *
 * @param cpuTime whether each sample stands for the same CPU time, that of system calls
 * and other native code included (JDK 25 on Linux); otherwise threads were sampled while
 * they ran Java code
 * @param samples how many stacks there were
 * @param cut how many of them were too deep to be recorded whole
 * @param frames names of frames: those of depth 0 are {@link ThreadGroup thread groups},
 * all others are methods with their classes
 * @param nodes the stacks as a tree: each frame is followed by those that it called,
 * those with most samples first. Frames of less than {@value StackTree#LEAST_SHARE} of
 * the samples are left out
 */
public record StackSamples(Boolean cpuTime, long samples, long cut, List<String> frames, List<Node> nodes) {

	/**
	 * Copies and checks the lists.
	 * @throws IllegalArgumentException if a node has no frame or no caller
	 */
	public StackSamples {
		// Older files do not tell
		cpuTime = Objects.requireNonNullElse(cpuTime, false);
		frames = List.copyOf(frames);
		nodes = List.copyOf(nodes);
		int depth = -1;
		for (Node node : nodes) {
			if (node.frame() < 0 || node.frame() >= frames.size() || node.depth() < 0 || node.depth() > depth + 1) {
				throw new IllegalArgumentException("nodes has " + node + ", which fits neither frames nor its caller");
			}
			depth = node.depth();
		}
	}

	/**
	 * The largest part of the tree that has no more than so many nodes.
	 * @param most how many
	 * @return the nodes, in the same order
	 */
	public List<Node> largest(int most) {
		if (this.nodes.size() <= most) {
			return this.nodes;
		}
		// No caller has fewer samples than what it called, so none is missing
		long limit = this.nodes.stream().mapToLong((node) -> -node.total()).sorted().skip(most).findFirst().orElse(0);
		return this.nodes.stream().filter((node) -> node.total() > -limit).toList();
	}

	/**
	 * A frame at its place in the tree.
	 *
	 * @param depth how many frames called it
	 * @param frame index of its name
	 * @param self samples in which it was the last frame
	 * @param total samples in which it was on the stack
	 */
	public record Node(int depth, int frame, long self, long total) {
	}

}
