package io.gatewaybench.benchmark.selftest;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.topology.Installation;
import io.gatewaybench.benchmark.topology.Placement;

/**
 * All checks, line by line.
 *
 * @param installation the programs that take part
 * @param placement where their processes run
 * @param directory for its files
 * @param out where the lines go
 */
public record SelfTest(Installation installation, Placement placement, Path directory, PrintWriter out) {

	private static final List<Titled> CHECKS = List.of(
			new Titled("a backend frozen for 2 of 10 s shows", new StallCheck()),
			new Titled("one request in 50 that is never answered is lost and counted", FailureChecks::blackHole),
			new Titled("10 % instant 503 make no latency better and goodput 10 % less", FailureChecks::fastFailure),
			new Titled("a closed loop is as fast as that of wrk", new WrkCheck()),
			new Titled("requests leave as planned, at little cost", new ScheduleCheck()),
			new Titled("5 ms added by a gateway read as 5 ms of overhead, whatever its backend takes",
					new OverheadCheck()));

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
	 * @return the worst of what came out
	 * @throws InterruptedException if the thread was interrupted
	 */
	public Outcome.Status run(Set<Integer> chosen) throws InterruptedException {
		this.installation.check(List.of());
		Outcome.Status worst = Outcome.Status.PASS;
		for (int number = 1; number <= CHECKS.size(); number++) {
			if (chosen.isEmpty() || chosen.contains(number)) {
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
			outcome = TimedCheck.of(check.check()).run(environment);
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
