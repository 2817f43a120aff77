package io.gatewaybench.benchmark.run;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import io.gatewaybench.benchmark.result.RunResults.Settings;
import io.gatewaybench.benchmark.run.RunPlan.Block;
import io.gatewaybench.benchmark.run.RunPlan.Session;
import io.gatewaybench.benchmark.suite.Design;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Variant;

/**
 * Puts the scenarios of a run into blocks. The seed decides every order.
 */
final class BlockPlanner {

	private final Settings settings;

	private final Random random;

	BlockPlanner(Settings settings) {
		this.settings = settings;
		this.random = new Random(settings.seed());
	}

	List<Block> blocks(List<Scenario> scenarios) {
		return (this.settings.design() == Design.DUETS) ? duets(scenarios) : rounds(scenarios);
	}

	/**
	 * Every start has an equal part of the repetitions.
	 * @param repetition which repetition, from 0
	 */
	private int start(int repetition) {
		return repetition * this.settings.starts() / this.settings.blocks() + 1;
	}

	private static String process(Variant variant, int start) {
		return (start > 1) ? variant.process() + "-start-" + start : variant.process();
	}

	private List<Block> rounds(List<Scenario> scenarios) {
		List<Block> blocks = new ArrayList<>();
		for (int number = 1; number <= this.settings.blocks(); number++) {
			int start = start(number - 1);
			List<Session> sessions = new ArrayList<>();
			for (List<Scenario> together : groups(scenarios)) {
				List<Scenario> order = new ArrayList<>(together);
				Collections.shuffle(order, this.random);
				Variant variant = together.getFirst().variant();
				sessions.add(new Session(number, start, variant, process(variant, start), order, false));
			}
			Collections.shuffle(sessions, this.random);
			blocks.add(new Block(number, start, sessions));
		}
		return blocks;
	}

	private List<Block> duets(List<Scenario> scenarios) {
		List<Block> blocks = new ArrayList<>();
		for (int repetition = 0; repetition < this.settings.blocks(); repetition++) {
			int start = start(repetition);
			List<List<Scenario>> duets = new ArrayList<>(RunPlan.duets(scenarios));
			Collections.shuffle(duets, this.random);
			for (List<Scenario> duet : duets) {
				Scenario one = duet.getFirst();
				Scenario other = duet.getLast();
				// Those that are set up alike change places, so that no start of a JVM
				// makes a difference
				boolean swapped = repetition % 2 == 1 && one.variant().component().equals(other.variant().component());
				int number = blocks.size() + 1;
				String first = process((swapped ? other : one).variant(), start);
				String second = process((swapped ? one : other).variant(), start);
				blocks.add(new Block(number, start,
						List.of(new Session(number, start, one.variant(), first, List.of(one), false),
								new Session(number, start, other.variant(), second, List.of(other), false))));
			}
		}
		return blocks;
	}

	private static List<List<Scenario>> groups(List<Scenario> scenarios) {
		List<List<Scenario>> groups = new ArrayList<>();
		for (Scenario scenario : scenarios) {
			groups.stream()
				.filter((group) -> group.getFirst().variant().process().equals(scenario.variant().process())
						&& group.getFirst().load().isAlike(scenario.load()))
				.findFirst()
				.orElseGet(() -> {
					List<Scenario> group = new ArrayList<>();
					groups.add(group);
					return group;
				})
				.add(scenario);
		}
		return groups;
	}

}
