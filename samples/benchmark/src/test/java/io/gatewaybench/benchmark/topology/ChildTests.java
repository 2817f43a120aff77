package io.gatewaybench.benchmark.topology;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatewaybench.benchmark.failure.BenchFailure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class ChildTests {

	@TempDir
	private Path directory;

	@Test
	void outputAndErrorOutputGoToTheLog() {
		try (Children children = new Children(null)) {
			Child child = sh(children, "echo out; echo err >&2; exit 3");
			await().until(() -> !child.isAlive());
			assertThat(child.exitCode()).hasValue(3);
			assertThat(child.lastLines(1000)).containsExactlyInAnyOrder("out", "err");
		}
	}

	@Test
	void argumentsReachTheProgramAsTheyAre() {
		try (Children children = new Children(null)) {
			Child child = children.start("printf",
					List.of("/usr/bin/printf", "%s|", "a b", "$HOME", "'quoted'", "*", "\"", ""), log("printf"));
			await().until(() -> !child.isAlive());
			assertThat(child.lastLines(1000)).containsExactly("a b|$HOME|'quoted'|*|\"||");
		}
	}

	@Test
	void theProcessIdIsThatOfTheProgramAndNotOfAShellAroundIt() {
		try (Children children = new Children(null)) {
			Child child = sh(children, "echo $$; exec sleep 60");
			await().until(() -> !child.lastLines(100).isEmpty());
			assertThat(child.lastLines(100)).containsExactly(Long.toString(child.pid()));
		}
	}

	@Test
	void aChildThatObeysIsEndedByTheSignalToTerminate() {
		try (Children children = new Children(null)) {
			Child child = sh(children, "trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.05; done");
			await().until(() -> child.lastLines(100).contains("up"));
			child.close();
			assertThat(child.exitCode()).hasValue(0);
			assertThat(child.lastLines(100)).contains("bye");
		}
	}

	@Test
	void aChildThatIgnoresTheSignalIsKilled() {
		try (Children children = new Children(null)) {
			Child child = sh(children, "trap '' TERM; echo up; while :; do sleep 0.05; done");
			await().until(() -> child.lastLines(100).contains("up"));
			child.close();
			assertThat(child.exitCode()).hasValue(128 + 9);
		}
	}

	@Test
	void aChildThatIsKilledHasNoTimeToSayGoodbye() {
		try (Children children = new Children(null)) {
			Child child = sh(children, "trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.05; done");
			await().until(() -> child.lastLines(100).contains("up"));
			child.kill();
			assertThat(child.exitCode()).hasValue(128 + 9);
			assertThat(child.lastLines(100)).doesNotContain("bye");
		}
	}

	@Test
	void aFrozenChildGoesOnWhereItWas() {
		try (Children children = new Children(null)) {
			Child child = sh(children, "trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.05; done");
			await().until(() -> child.lastLines(100).contains("up"));
			child.freeze();
			assertThat(child.isAlive()).isTrue();
			child.resume();
			child.close();
			assertThat(child.exitCode()).hasValue(0);
		}
	}

	@Test
	void closingAllEndsEveryChild() {
		Child first;
		Child second;
		try (Children children = new Children(null)) {
			first = sh(children, "exec sleep 60");
			second = sh(children, "exec sleep 60");
		}
		assertThat(first.isAlive()).isFalse();
		assertThat(second.isAlive()).isFalse();
	}

	@Test
	void closingWhileInterruptedStillEndsTheChildAndKeepsTheInterruption() {
		try (Children children = new Children(null)) {
			Child child = sh(children, "exec sleep 60");
			Thread.currentThread().interrupt();
			child.close();
			assertThat(Thread.interrupted()).isTrue();
			assertThat(child.isAlive()).isFalse();
		}
	}

	@Test
	void cpuTimeGrowsWithWorkDone() {
		try (Children children = new Children(null)) {
			Child child = sh(children, "while :; do :; done");
			await().until(() -> child.cpuTime().compareTo(Duration.ofMillis(50)) > 0);
		}
	}

	@Test
	void childrenDieWhenTheRunnerIsKilled() throws Exception {
		Path pids = this.directory.resolve("pids");
		Process runner = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), Orphans.class.getName(),
				pids.toString(), this.directory.toString())
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		await().atMost(Duration.ofSeconds(30)).until(() -> Files.exists(pids));
		List<ProcessHandle> orphans = Files.readAllLines(pids)
			.stream()
			.map((pid) -> ProcessHandle.of(Long.parseLong(pid)).orElseThrow())
			.toList();
		assertThat(orphans).hasSize(2).allMatch(ProcessHandle::isAlive);
		runner.destroyForcibly().waitFor();
		await().atMost(Duration.ofSeconds(20)).until(() -> orphans.stream().noneMatch(ProcessHandle::isAlive));
	}

	@Test
	void aProgramThatIsNotThereLeavesItsReasonInTheLog() {
		try (Children children = new Children(null)) {
			Child child = children.start("gateway", List.of("/nowhere/java"), log("gateway"));
			await().until(() -> !child.isAlive());
			assertThat(child.exitCode()).hasValue(127);
			assertThat(String.join("\n", child.lastLines(1000))).contains("/nowhere/java");
		}
	}

	@Test
	void aLogThatCanNotBeWrittenIsNamed() throws Exception {
		Path file = Files.writeString(this.directory.resolve("file"), "");
		try (Children children = new Children(null)) {
			assertThatExceptionOfType(BenchFailure.class)
				.isThrownBy(() -> children.start("gateway", List.of("true"), file.resolve("gateway.log")))
				.withMessageContaining("gateway can't be started")
				.withMessageContaining(file.toString());
		}
	}

	private Child sh(Children children, String script) {
		return children.start("script", List.of("/bin/sh", "-c", script), log("script"));
	}

	private Path log(String name) {
		return this.directory.resolve("logs").resolve(name + "-" + System.nanoTime() + ".log");
	}

	/**
	 * A runner that starts one child that obeys and one that does not, and then waits to
	 * be killed.
	 */
	static final class Orphans {

		private Orphans() {
		}

		public static void main(String[] args) throws Exception {
			Children children = new Children(null);
			Path directory = Path.of(args[1]);
			Child obeys = children.start("obeys", List.of("sleep", "60"), directory.resolve("obeys.log"));
			Child ignores = children.start("ignores",
					List.of("/bin/sh", "-c", "trap '' TERM; echo up; while :; do sleep 0.05; done"),
					directory.resolve("ignores.log"));
			await().until(() -> ignores.lastLines(100).contains("up"));
			Path temporary = Files.writeString(directory.resolve("pids.tmp"),
					obeys.pid() + "\n" + ignores.pid() + "\n");
			Files.move(temporary, Path.of(args[0]));
			// Until the test kills this JVM
			Thread.sleep(Duration.ofMinutes(1));
		}

	}

}
