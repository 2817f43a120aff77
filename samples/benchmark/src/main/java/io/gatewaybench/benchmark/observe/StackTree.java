package io.gatewaybench.benchmark.observe;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.gatewaybench.benchmark.observe.StackSamples.Node;

/**
 * Adds up stacks: those that begin alike share their first frames.
 */
final class StackTree {

	/**
	 * What stands for the frames of a tree that is full.
	 */
	static final String MORE = "(more frames)";

	private final Branch root = new Branch("");

	private final Map<String, Integer> frames = new LinkedHashMap<>();

	private final int mostBranches;

	private int branches;

	/**
	 * An empty tree.
	 * @param mostBranches how many different frames at their places it may have, so that
	 * it fits into the memory
	 */
	StackTree(int mostBranches) {
		this.mostBranches = mostBranches;
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
