package io.gatewaybench.benchmark.selftest;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.result.ResultsFile;

/**
 * Whoever is killed in the middle of a run: no process is left, and what was measured
 * before can be read.
 */
final class KillCheck implements Check {

	private static final long PATIENCE_SECONDS = 90;

	private static final long MILLIS = 100;

	/**
	 * Who is killed.
	 */
	private enum Victim {

		RUNNER("benchmark.jar run"), GENERATOR("generate"), BACKEND("backend-sim.jar"), GATEWAY("gateway-webflux.jar");

		private final String sign;

		Victim(String sign) {
			this.sign = sign;
		}

	}

	@Override
	public Outcome run(CheckEnvironment environment) throws InterruptedException {
		List<Trial> trials = new ArrayList<>();
		for (Victim victim : Victim.values()) {
			trials.add(Trial.start(environment, victim));
		}
		Outcome.Findings findings = new Outcome.Findings();
		try {
			// None of them measures, so they may run at the same time
			for (Trial trial : trials) {
				trial.kill();
			}
			for (Trial trial : trials) {
				String problem = trial.problem();
				findings.that(problem.isEmpty(), "%s%s", trial.victim().name().toLowerCase(Locale.ROOT), problem);
			}
			return findings.outcome();
		}
		finally {
			trials.forEach(Trial::close);
		}
	}

	private static boolean await(BooleanSupplier condition) throws InterruptedException {
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() > deadline) {
				return false;
			}
			Thread.sleep(MILLIS);
		}
		return true;
	}

	/**
	 * A run in which somebody is killed.
	 */
	private record Trial(Victim victim, Process runner, Path out, List<ProcessHandle> family) {

		static Trial start(CheckEnvironment environment, Victim victim) {
			Path out = environment.directory().resolve("kill-" + victim.name().toLowerCase(Locale.ROOT));
			List<String> command = new ArrayList<>(List.of(environment.installation().java().toString(), "-Xmx128m",
					"-XX:+UseSerialGC", "-Dgateway-bench.home=" + environment.installation().home(), "-jar",
					environment.installation().runner().toString(), "run", "--starts", "20", "--rounds", "1", "--slice",
					"1s", "--warmup", "0s", "--heap", "256m", "--out", out.toString(), "--only"));
			command.add((victim == Victim.GATEWAY) ? "webflux-c16" : "direct-c16");
			try {
				Files.createDirectories(environment.directory());
				File log = environment.directory().resolve(out.getFileName() + ".log").toFile();
				ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log);
				// Most of what a short life costs is compiling for a long one
				builder.environment().put("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1");
				return new Trial(victim, builder.start(), out, new ArrayList<>());
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		/**
		 * Waits for the first result and for the victim, and kills it.
		 */
		void kill() throws InterruptedException {
			KillCheck.await(() -> !this.runner.isAlive() || (measured() > 0 && find().isPresent()));
			this.runner.descendants().forEach(this.family::add);
			this.family.add(this.runner.toHandle());
			find().ifPresent(ProcessHandle::destroyForcibly);
		}

		private Optional<ProcessHandle> find() {
			if (this.victim == Victim.RUNNER) {
				return Optional.of(this.runner.toHandle());
			}
			return this.runner.descendants()
				.filter((process) -> process.info().commandLine().orElse("").contains(this.victim.sign))
				.filter((process) -> process.info().command().orElse("").endsWith("java"))
				.findFirst();
		}

		private int measured() {
			try {
				return ResultsFile.read(this.out).scenarios().size();
			}
			catch (BenchFailure ex) {
				return 0;
			}
		}

		/**
		 * What is wrong after the kill.
		 * @return nothing if nothing is
		 */
		String problem() throws InterruptedException {
			int results = measured();
			if (results == 0) {
				return ": no results";
			}
			if (this.victim != Victim.RUNNER && this.victim != Victim.GATEWAY
					&& !KillCheck.await(() -> !this.runner.isAlive())) {
				return ": the run goes on";
			}
			if (this.victim == Victim.GATEWAY) {
				// The run goes on with the next gateway, as it must; it is ended like
				// by Ctrl-C
				this.runner.destroy();
			}
			return KillCheck.await(() -> this.family.stream().noneMatch(ProcessHandle::isAlive)) ? ""
					: ": processes are left";
		}

		void close() {
			this.family.forEach(ProcessHandle::destroyForcibly);
			this.runner.descendants().forEach(ProcessHandle::destroyForcibly);
			this.runner.destroyForcibly();
		}

	}

}
