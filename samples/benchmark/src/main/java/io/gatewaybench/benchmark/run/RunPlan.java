package io.gatewaybench.benchmark.run;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Settings;
import io.gatewaybench.benchmark.plan.Segment;
import io.gatewaybench.benchmark.suite.Component;
import io.gatewaybench.benchmark.suite.Design;
import io.gatewaybench.benchmark.suite.Scenario;
import io.gatewaybench.benchmark.suite.Suite;
import io.gatewaybench.benchmark.suite.Variant;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a run will do, in its order: the content of {@code plan.json}.
 *
 * @param suite name of the suite
 * @param settings what the user chose
 * @param components what runs for the whole run
 * @param blocks the repetitions, one after the other
 * @param timeLimit how long the run may take, if not all blocks have to be done: the
 * {@link #leastBlocks() first ones} are done in any case, and each further one that fits,
 * going by the last one; {@code null} to do all
 * @param profiles what is profiled after all blocks, none unless the user wants it: every
 * variant once, under the one of its loads with the most requests per second
 * @param segment the part of every load that this host sends
 * @param startAt when the first load begins on all hosts, {@code null} on a single one:
 * as soon as it can
 */
public record RunPlan(String suite, Settings settings, Map<String, Component> components, List<Block> blocks,
		@Nullable Duration timeLimit, List<Session> profiles, Segment segment, @Nullable Instant startAt) {

	/**
	 * The pause before and after the run-up of a measurement.
	 */
	static final Duration REST = Duration.ofSeconds(1);

	// Enough for a generator to connect and to compile its hottest code
	static final Duration RUN_UP = Duration.ofSeconds(2);

	// With two, an interval is 9 times as wide as their deviation, with three 2.5 times
	private static final int LEAST_TURNS = 3;

	private static final int FEW_CYCLES = Steadiness.CYCLES + 2;

	/**
	 * Copies the lists.
	 */
	public RunPlan {
		blocks = List.copyOf(blocks);
		profiles = List.copyOf(profiles);
	}

	/**
	 * What is compared with each other: every variant once, or the two of a duet, so that
	 * what the machine does in the meantime happens to all of them.
	 *
	 * @param number which one, from 1
	 * @param start which start of the gateways it belongs to, from 1
	 * @param sessions the variants in random order, in a duet at the same time
	 */
	public record Block(int number, int start, List<Session> sessions) {

		/**
		 * Copies the list.
		 */
		public Block {
			sessions = List.copyOf(sessions);
		}

	}

	/**
	 * The turn of a gateway in a block; from its start to its end where gateways do not
	 * stay.
	 *
	 * @param block the block, from 1
	 * @param start which start of the gateways it belongs to, from 1
	 * @param variant how the gateway is set up
	 * @param process the name of the gateway where gateways stay
	 * @param scenarios what it is measured with, in random order; their loads are alike,
	 * and their variants share the process
	 * @param repetition whether it repeats what was disturbed
	 */
	public record Session(int block, int start, Variant variant, String process, List<Scenario> scenarios,
			boolean repetition) {

		/**
		 * Copies the list.
		 */
		public Session {
			scenarios = List.copyOf(scenarios);
		}

		/**
		 * The name of its files, which no other session of the run has.
		 * @return for example {@code webflux-c100-1}: the first of its scenarios by name,
		 * as a process whose loads are not alike has several sessions in a block
		 */
		String id() {
			return this.scenarios.stream().map(Scenario::id).sorted().findFirst().orElseThrow() + "-" + this.block
					+ (this.repetition ? "-repeated" : "");
		}

		/**
		 * What reports call the gateway.
		 * @return the title of its variant, or the name of the process that several share
		 */
		String title() {
			return (this.scenarios.stream().map(Scenario::variant).distinct().count() == 1) ? this.variant.title()
					: this.variant.process();
		}

		Session repeat(List<Scenario> some) {
			return new Session(this.block, this.start, this.variant, this.process, some, true);
		}

	}

	/**
	 * Plans blocks in which the seed decides the order of everything. In duets every
	 * block has two sessions, and there are as many blocks as repetitions of all duets.
	 * @param suite the suite
	 * @param scenarios those of its scenarios that were chosen
	 * @param settings what the user chose
	 * @param timeLimit how long the run may take, {@code null} for as long as all blocks
	 * take
	 * @return the plan
	 */
	public static RunPlan of(Suite suite, List<Scenario> scenarios, Settings settings, @Nullable Duration timeLimit) {
		List<Block> blocks = new BlockPlanner(settings).blocks(scenarios);
		return new RunPlan(suite.name(), settings.withBlocks(blocks.size()), suite.components(), blocks, timeLimit,
				List.of(), Segment.WHOLE, null);
	}

	/**
	 * The part of the same plan that this host does.
	 * @param part the part of every load
	 * @param begin when the first load begins on all hosts
	 * @return a copy
	 */
	public RunPlan share(Segment part, Instant begin) {
		return new RunPlan(this.suite, this.settings, this.components, this.blocks, this.timeLimit, this.profiles, part,
				begin);
	}

	/**
	 * The same plan, with a profile of every variant after the measurements.
	 * @param scenarios the scenarios that were chosen
	 * @return a copy
	 */
	public RunPlan withProfiles(List<Scenario> scenarios) {
		List<Session> sessions = scenarios.stream()
			.filter((scenario) -> !scenario.variant().control())
			.collect(Collectors.groupingBy(Scenario::variant, LinkedHashMap::new, Collectors.toList()))
			.values()
			.stream()
			.map(WarmUpLoad::heaviest)
			.map((scenario) -> new Session(1, 1, scenario.variant(), scenario.variant().id(), List.of(scenario), false))
			.toList();
		return new RunPlan(this.suite, this.settings, this.components, this.blocks, this.timeLimit, sessions,
				this.segment, this.startAt);
	}

	/**
	 * Pairs every scenario with that of its baseline under the same load, which is that
	 * of the first gateway unless the variant names another.
	 * @param scenarios the scenarios
	 * @return lists of two, the baseline last
	 */
	public static List<List<Scenario>> duets(List<Scenario> scenarios) {
		List<List<Scenario>> duets = new ArrayList<>();
		for (Scenario scenario : scenarios) {
			String baseline = scenario.variant().baseline();
			scenarios.stream()
				.filter((other) -> !other.variant().control() && other.load().id().equals(scenario.load().id()))
				.filter((other) -> baseline == null || other.variant().title().equals(baseline))
				.findFirst()
				.filter((other) -> other != scenario && !scenario.variant().control())
				.ifPresent((other) -> duets.add(List.of(scenario, other)));
		}
		return duets;
	}

	/**
	 * Where a measurement stands in the run.
	 * @param session the session it belongs to
	 * @param scenario the scenario
	 * @return for example {@code webflux-c16, 3 of 8, block 1 of 5 at most}
	 */
	String place(Session session, Scenario scenario) {
		if (session.repetition()) {
			return scenario.id() + ", again, block " + session.block();
		}
		List<String> ids = this.blocks.get(session.block() - 1)
			.sessions()
			.stream()
			.flatMap((each) -> each.scenarios().stream())
			.map(Scenario::id)
			.toList();
		return scenario.id() + ", " + (ids.indexOf(scenario.id()) + 1) + " of " + ids.size()
				+ ((this.blocks.size() == 1) ? "" : ", block " + session.block() + " of " + this.blocks.size()
						+ ((this.timeLimit != null) ? " at most" : ""));
	}

	/**
	 * All sessions in their order.
	 * @return the sessions
	 */
	public List<Session> sessions() {
		return this.blocks.stream().flatMap((block) -> block.sessions().stream()).toList();
	}

	/**
	 * The seed of a generator. Those of a block have the same one.
	 * @param session the session
	 */
	long seed(Session session) {
		return this.settings.seed() + (this.settings.design().isResident() ? session.start() : session.block());
	}

	/**
	 * How many gateways run at the same time.
	 * @return all of them where they stay, otherwise 1
	 */
	int gatewaysAtOnce() {
		return this.settings.design().isResident() ? Math.max(1, processes()) : 1;
	}

	/**
	 * How many blocks are done whatever the time limit. Fresh gateways take too long for
	 * more than one.
	 * @return their number, all blocks at most
	 */
	int leastBlocks() {
		return this.settings.design().isResident() ? Math.min(LEAST_TURNS, this.blocks.size()) : 1;
	}

	/**
	 * How many gateways are started at each start where they stay.
	 */
	int processes() {
		return processes(sessions().stream().flatMap((session) -> session.scenarios().stream()).toList());
	}

	/**
	 * How many gateways run at the same time where they stay.
	 * @param scenarios what they are measured with
	 * @return the number of their processes
	 */
	public static int processes(List<Scenario> scenarios) {
		return (int) scenarios.stream()
			.map(Scenario::variant)
			.filter((variant) -> !variant.control())
			.map(Variant::process)
			.distinct()
			.count();
	}

	/**
	 * How many measurements there will be.
	 * @return their number
	 */
	public int measurements() {
		return sessions().stream().mapToInt((session) -> session.scenarios().size()).sum();
	}

	/**
	 * How long the load before a measurement is. It is the load of the measurement: after
	 * a garbage collection, and with another number of connections, a gateway that was
	 * warm compiles again.
	 * @param session the session
	 * @param warm whether the gateway is warm
	 * @return zero without warm-up
	 */
	Duration runUp(Session session, boolean warm) {
		if (this.settings.warmup().cycles() == 0) {
			return Duration.ZERO;
		}
		boolean duets = this.settings.design() == Design.DUETS;
		if (session.variant().control() || !(duets ? isPremiere(session.block()) : !warm)) {
			return RUN_UP;
		}
		// With another one beside it a gateway compiles again, having been alone until
		// now. On a slow host that took more than a cycle, and less than three
		return this.settings.warmup().load().multipliedBy(duets ? 3 : 1);
	}

	private boolean isPremiere(int block) {
		int start = this.blocks.get(block - 1).start();
		List<String> known = this.blocks.stream()
			.filter((earlier) -> earlier.number() < block && earlier.start() == start)
			.flatMap((earlier) -> earlier.sessions().stream())
			.map(Session::process)
			.toList();
		return this.blocks.get(block - 1).sessions().stream().anyMatch((session) -> !known.contains(session.process()));
	}

	/**
	 * How many cycles the warm-up of a session has at most.
	 * @param session the session
	 * @param again whether the gateway has had its warm-up, and was not steady
	 */
	int cycles(Session session, boolean again) {
		// Backends are small, and serve every session, so they are soon warm
		int cycles = this.settings.warmup().cycles();
		return (again || session.variant().control()) ? Math.min(FEW_CYCLES, cycles) : cycles;
	}

	/**
	 * What is to be measured again, with fresh gateways, in the order of need: first what
	 * has no valid measurement in any block. Where gateways stay, there are many short
	 * blocks, and one that is left out does no harm.
	 * @param results what was measured
	 * @return sessions with the scenarios that were disturbed
	 */
	List<Session> repetitions(RunResults results) {
		// A warm-up this short never shows a steady gateway, so a repetition would be
		// invalid, too. Other hosts do not know what was disturbed on this one
		if (this.settings.design().isResident() || this.settings.warmup().cycles() < Steadiness.CYCLES
				|| !this.segment.alone()) {
			return List.of();
		}
		List<Session> repetitions = new ArrayList<>();
		for (Session session : sessions()) {
			List<Scenario> disturbed = session.scenarios()
				.stream()
				.filter((scenario) -> results.isDisturbed(scenario.id(), session.block()))
				.toList();
			if (!disturbed.isEmpty()) {
				repetitions.add(session.repeat(disturbed));
			}
		}
		repetitions.sort(Comparator.comparing(
				(session) -> session.scenarios().stream().allMatch((scenario) -> results.hasValid(scenario.id()))));
		return repetitions;
	}

	/**
	 * How long its parts take at most.
	 */
	PlanLength length() {
		return new PlanLength(this);
	}

	/**
	 * How long the run will take at most, the profiles included.
	 * @return an estimate for a machine with 2 cores
	 */
	public Duration estimate() {
		return length().all();
	}

}
