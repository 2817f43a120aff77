package io.gatewaybench.benchmark.selftest;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.suite.Suites;
import io.gatewaybench.benchmark.topology.Installation;
import io.gatewaybench.benchmark.topology.Placement;

/**
 * All checks, line by line.
 */
public final class SelfTest {

	private static final List<Titled> CHECKS = List.of(
			new Titled("a backend frozen for 2 of 10 s shows", TimedCheck.of(new StallCheck())),
			new Titled("one request in 50 that is never answered is lost and counted",
					TimedCheck.of(new BlackHoleCheck())),
			new Titled("10 % instant 503 make no latency better and goodput 10 % less",
					TimedCheck.of(new FastFailureCheck())),
			new Titled("Little's law holds for 16 and 100 users", TimedCheck.of(new LittleCheck())),
			new Titled("requests leave as planned, at little cost", TimedCheck.of(new ScheduleCheck())),
			new Titled("A/A: the interval of the same backend twice contains 1", TimedCheck.of(new SameTwiceCheck())),
			new Titled("closed-loop throughput is that of wrk", TimedCheck.of(new WrkCheck())),
			new Titled("a kill in the middle leaves no process, and results that can be read", new KillCheck()),
			new Titled("5 ms added by a gateway read as 5 ms of overhead, whatever its backend takes",
					TimedCheck.of(new OverheadCheck())),
			new Titled("groups of their own give platform threads another P99 than a shared one",
					TimedCheck.of(new GroupingCheck())));

	private static final Set<Integer> NEED_QUIET = Set.of(6, 7, 10);

	private final Installation installation;

	private final Placement placement;

	private final Path directory;

	private final PrintWriter out;

	/**
	 * A self-test.
	 * @param installation the programs that take part
	 * @param placement where their processes run
	 * @param directory for its files
	 * @param out where the lines go
	 */
	public SelfTest(Installation installation, Placement placement, Path directory, PrintWriter out) {
		this.installation = installation;
		this.placement = placement;
		this.directory = directory;
		this.out = out;
	}

	/**
	 * How many checks there are.
	 * @return their number
	 */
	public static int size() {
		return CHECKS.size();
	}

	/**
	 * Runs checks.
	 * @param chosen their numbers, from 1; none for all
	 * @param brief whether none are wanted that need a quiet machine for long, unless
	 * they are chosen
	 * @return the worst of what came out
	 * @throws InterruptedException if the thread was interrupted
	 */
	public Outcome.Status run(Set<Integer> chosen, boolean brief) throws InterruptedException {
		this.installation.check(Suites.MODULES.stream().map(this.installation::jar).toList());
		Outcome.Status worst = Outcome.Status.PASS;
		for (int number = 1; number <= CHECKS.size(); number++) {
			boolean wanted = chosen.isEmpty() ? !brief || !NEED_QUIET.contains(number) : chosen.contains(number);
			if (wanted) {
				Outcome.Status status = run(number, CHECKS.get(number - 1));
				worst = (status.compareTo(worst) > 0) ? status : worst;
			}
		}
		return worst;
	}

	private Outcome.Status run(int number, Titled check) throws InterruptedException {
		long start = System.nanoTime();
		Outcome outcome;
		try (CheckEnvironment environment = new CheckEnvironment(this.installation, this.placement, this.directory)) {
			outcome = check.check().run(environment);
		}
		catch (BenchFailure ex) {
			outcome = new Outcome(Outcome.Status.FAIL, String.valueOf(ex.getMessage()));
		}
		this.out.println(String.format(Locale.ROOT, "%s %2d  %s: %s (%d s)", outcome.status(), number, check.title(),
				outcome.text(), TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start)));
		this.out.flush();
		return outcome.status();
	}

	/**
	 * A check, and what it measures in a few words.
	 */
	private record Titled(String title, Check check) {
	}

}
