package io.gatewaybench.benchmark.observe;

import java.util.List;
import java.util.stream.IntStream;

import io.gatewaybench.benchmark.observe.StackSamples.Node;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class StackTreeTests {

	@Test
	void stacksThatBeginAlikeShareTheirFirstFrames() {
		StackTree tree = new StackTree(100);
		add(tree, 3, "run", "read", "parse");
		add(tree, 5, "run", "write");
		add(tree, 1, "run", "read");
		add(tree, 1, "run");
		assertThat(tree.samples()).isEqualTo(10);
		assertThat(lines(tree, 0)).containsExactly("run 1 10", " write 5 5", " read 1 4", "  parse 3 3");
	}

	@Test
	void framesOfTheSameNameAreOneOnlyUnderTheSameCaller() {
		StackTree tree = new StackTree(100);
		add(tree, 2, "a", "copy");
		add(tree, 1, "b", "copy");
		add(tree, 1, "b", "b");
		assertThat(lines(tree, 0)).containsExactly("a 0 2", " copy 2 2", "b 0 2", " b 1 1", " copy 1 1");
		assertThat(tree.frames()).containsExactlyInAnyOrder("a", "b", "copy");
	}

	@Test
	void smallFramesAreLeftOutWithAllThatTheyCalled() {
		StackTree tree = new StackTree(100);
		add(tree, 997, "run", "large");
		add(tree, 2, "run", "small", "smaller");
		add(tree, 1, "run", "smallest");
		assertThat(lines(tree, 2)).containsExactly("run 0 1000", " large 997 997", " small 0 2", "  smaller 2 2");
		assertThat(lines(tree, 3)).containsExactly("run 0 1000", " large 997 997");
	}

	@Test
	void aFullTreeCountsFurtherSamplesWithoutTheirFrames() {
		StackTree tree = new StackTree(3);
		add(tree, 1, "run", "a", "b");
		for (int number = 0; number < 1000; number++) {
			add(tree, 1, "run", "other" + number, "deep", "deeper");
		}
		add(tree, 1, "run", "a", "b");
		assertThat(lines(tree, 0)).containsExactly("run 0 1002", " (more frames) 1000 1000", " a 0 2", "  b 2 2");
	}

	@Test
	void theLargestPartHasEveryCallerOfItsFrames() {
		StackTree tree = new StackTree(1000);
		for (int number = 1; number <= 50; number++) {
			add(tree, number, "run", "branch" + number, "leaf");
		}
		List<Node> nodes = tree.nodes(0);
		StackSamples samples = new StackSamples(true, 1275, 0, tree.frames(), nodes);
		assertThat(samples.largest(200)).isEqualTo(nodes);
		List<Node> part = samples.largest(12);
		assertThat(part).hasSize(11).isSubsetOf(nodes);
		// A node without its caller would be refused
		assertThat(new StackSamples(true, 1275, 0, samples.frames(), part).nodes()).isEqualTo(part);
	}

	@Test
	void aNodeWithoutItsFrameOrItsCallerIsRefused() {
		IntStream.of(-1, 1)
			.forEach((frame) -> assertThatIllegalArgumentException()
				.isThrownBy(() -> samples(new Node(0, frame, 1, 1))));
		assertThatIllegalArgumentException().isThrownBy(() -> samples(new Node(0, 0, 0, 1), new Node(2, 0, 1, 1)))
			.withMessageContaining("depth=2");
	}

	private static StackSamples samples(Node... nodes) {
		return new StackSamples(true, 1, 0, List.of("run"), List.of(nodes));
	}

	private static void add(StackTree tree, int times, String... stack) {
		for (int time = 0; time < times; time++) {
			tree.add(List.of(stack));
		}
	}

	private static List<String> lines(StackTree tree, double least) {
		List<Node> nodes = tree.nodes(least);
		List<String> names = tree.frames();
		return nodes.stream()
			.map((node) -> " ".repeat(node.depth()) + names.get(node.frame()) + " " + node.self() + " " + node.total())
			.toList();
	}

}
