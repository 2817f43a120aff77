package io.gatewaybench.benchmark.run;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

	/**
	 * How long a profile is recorded: some 1,000 samples of a gateway that takes half a
	 * core.
	 */
	static final Duration PROFILE = Duration.ofSeconds(20);

	// With two, an interval is 9 times as wide as their deviation, with three 2.5 times
	private static final int LEAST_TURNS = 3;

	private static final int FEW_CYCLES = Steadiness.CYCLES + 2;

	// On 2 cores: start until healthy, functional check, generator, stop
	private static final Duration GATEWAY_OVERHEAD = Duration.ofSeconds(11);

	private static final Duration CONTROL_OVERHEAD = Duration.ofSeconds(2);

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
		 * The name of its files.
		 * @return for example {@code webflux-1}
		 */
		String id() {
			return ((this.scenarios.size() == 1) ? this.scenarios.getFirst().id() : this.variant.process()) + "-"
					+ this.block + (this.repetition ? "-repeated" : "");
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

	private int processes() {
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
	 * How long a block will take at most.
	 * @param block the block
	 * @return an estimate for a machine with 2 cores
	 */
	public Duration estimate(Block block) {
		boolean resident = this.settings.design().isResident();
		boolean started = resident && this.blocks.stream()
			.anyMatch((other) -> other.number() < block.number() && other.start() == block.start());
		Set<String> warm = new HashSet<>();
		Duration all = Duration.ZERO;
		for (Session session : block.sessions()) {
			boolean known = !warm.add(session.process());
			all = all.plus(estimate(session, started || (resident && known)));
		}
		return all;
	}

	/**
	 * How long the warm-up of a session takes at most.
	 */
	Duration warmUpLength(Session session) {
		return WarmUp.length(this.settings.warmup(), cycles(session, false));
	}

	/**
	 * How long everything that a {@link SessionRun} does with a gateway takes at most.
	 * @param session the session
	 * @param warm whether its gateway is warm
	 */
	Duration length(Session session, boolean warm) {
		Duration runUp = runUp(session, warm);
		Duration before = REST.plus(runUp.isZero() ? runUp : runUp.plus(REST));
		return session.scenarios()
			.stream()
			.map((scenario) -> before.plus(RateSearch.length(scenario.load()))
				.plus(scenario.load().maxDuration(this.settings.duration())))
			.reduce(warm ? Duration.ZERO : warmUpLength(session), Duration::plus);
	}

	/**
	 * How long a session will take at most.
	 * @param session the session
	 * @param warm whether its gateway runs and is warm
	 */
	Duration estimate(Session session, boolean warm) {
		return length(session, warm).plus((warm || session.variant().control()) ? CONTROL_OVERHEAD : GATEWAY_OVERHEAD)
			.plus(gaps(session));
	}

	// On several hosts, each load begins when the longest drain of the one before is over
	private Duration gaps(Session session) {
		return (this.startAt == null) ? Duration.ZERO
				: StartByClock.BETWEEN.plus(this.settings.timeout()).multipliedBy(1 + 2L * session.scenarios().size());
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

	private Duration estimateDuets() {
		Session any = this.blocks.getFirst().sessions().getFirst();
		Duration warmUp = warmUpLength(any).plus(GATEWAY_OVERHEAD)
			.multipliedBy((long) processes() * this.settings.starts());
		return this.blocks.stream()
			.map((block) -> length(block.sessions().getFirst(), true).plus(CONTROL_OVERHEAD))
			.reduce(warmUp, Duration::plus);
	}

	/**
	 * How long everything that a {@link SessionRun} does for a profile takes at most.
	 * @param session the session
	 */
	Duration profileLength(Session session) {
		return warmUpLength(session).plus(REST).plus(PROFILE);
	}

	/**
	 * How long all profiles take at most.
	 */
	Duration profilesLength() {
		return this.profiles.stream()
			.filter((session) -> session.variant().component() instanceof Component.Jar)
			.map((session) -> profileLength(session).plus(GATEWAY_OVERHEAD))
			.reduce(Duration.ZERO, Duration::plus);
	}

	/**
	 * How long the run will take at most, the profiles included.
	 * @return an estimate for a machine with 2 cores
	 */
	public Duration estimate() {
		return estimateMeasurements().plus(profilesLength());
	}

	private Duration estimateMeasurements() {
		if (this.settings.design() == Design.DUETS) {
			return Capacity.DURATION.plus(estimateDuets());
		}
		Duration all = this.blocks.stream().map(this::estimate).reduce(Capacity.DURATION, Duration::plus);
		if (this.timeLimit == null || all.compareTo(this.timeLimit) <= 0) {
			return all;
		}
		Duration least = this.blocks.stream()
			.limit(leastBlocks())
			.map(this::estimate)
			.reduce(Capacity.DURATION, Duration::plus);
		return (least.compareTo(this.timeLimit) > 0) ? least : this.timeLimit;
	}

}
