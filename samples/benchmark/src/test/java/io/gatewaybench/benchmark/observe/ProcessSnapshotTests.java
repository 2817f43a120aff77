package io.gatewaybench.benchmark.observe;

import java.io.BufferedReader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import io.gatewaybench.benchmark.observe.ProcessUse.GroupUse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class ProcessSnapshotTests {

	@TempDir
	private Path proc;

	@Test
	void whatWasUsedIsSplitByWhatThreadsAreFor() throws Exception {
		thread("10", "java", 100, 50, 1_000_000_000L, 10, 1);
		thread("11", "C2 CompilerThre", 200, 10, 0, 5, 0);
		thread("12", "reactor-http-ep", 300, 100, 2_000_000_000L, 100, 7);
		process(700, 200);
		ProcessSnapshot first = ProcessSnapshot.take(ProcFiles.read(this.proc, 10), 10, "");
		thread("11", "C2 CompilerThre", 250, 20, 500_000_000L, 6, 2);
		thread("12", "reactor-http-ep", 400, 160, 3_000_000_000L, 200, 17);
		thread("13", "reactor-http-ep", 10, 20, 0, 1, 0);
		process(900, 300);
		ProcessUse use = ProcessSnapshot.take(ProcFiles.read(this.proc, 10), 10, "").since(first);
		assertThat(use.userSeconds()).isCloseTo(1.1 + 0.5 + 0.48, within(1e-9));
		assertThat(use.systemSeconds()).isCloseTo(0.9, within(1e-9));
		assertThat(use.waitSeconds()).isEqualTo(1.5);
		assertThat(use.switches()).isEqualTo(102);
		assertThat(use.preemptions()).isEqualTo(12);
		assertThat(use.residentBytes()).isEqualTo(1234 * 1024);
		assertThat(use.threads()).isEqualTo(4);
		assertThat(use.sockets()).isEqualTo(1);
		assertThat(use.groups()).containsEntry(ThreadGroup.EVENT_LOOP, new GroupUse(2, 1.1, 0.8, 1.0))
			.containsEntry(ThreadGroup.JIT, new GroupUse(1, 0.5, 0.1, 0.5));
		// 3.0 - 1.9 - 0.6 had a thread that is gone, but for what four threads round down
		assertThat(use.cpuSeconds(ThreadGroup.ENDED)).isCloseTo(0.48, within(1e-9));
		assertThat(use.cpuSeconds(ThreadGroup.TOMCAT)).isZero();
	}

	@Test
	void timeOnACoreIsKnownBetterThanInTicks() throws Exception {
		thread("10", "java", 100, 50, 0, 0, 0);
		process(100, 50);
		ProcessSnapshot first = ProcessSnapshot.take(ProcFiles.read(this.proc, 10), 10, "");
		thread("10", "java", 101, 50, 0, 0, 0);
		Files.writeString(this.proc.resolve("10/task/10/schedstat"), "12345678 0 77\n");
		process(101, 50);
		ProcessUse use = ProcessSnapshot.take(ProcFiles.read(this.proc, 10), 10, "").since(first);
		assertThat(use.cpuSeconds()).isCloseTo(0.012345678, within(1e-12));
	}

	@Test
	void aProcessThatIsGoneIsUnknown() {
		assertThat(ProcessSnapshot.take(ProcFiles.read(this.proc, 99), 99, "")).isNull();
	}

	@Test
	void aNameMayHaveParenthesesAndSpaces() {
		assertThat(Stat.parse(List.of("7 (a) b (c) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14")))
			.isEqualTo(new Stat("a) b (c", 11, 12, 13 + 14));
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void aFamilyKeepsTheTimeOfAProcessThatHasEnded() throws Exception {
		// A family of its own: the one of this process shrinks when another test's child
		// ends before its own children, whose time then goes to nobody here
		Process parent = new ProcessBuilder("sh", "-c",
				"read go; sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done'; echo ended; read go")
			.start();
		try (BufferedReader printed = parent.inputReader(); Writer input = parent.outputWriter()) {
			double before = ProcessSnapshot.familySeconds(parent.pid());
			input.write("go\n");
			input.flush();
			assertThat(printed.readLine()).isEqualTo("ended");
			assertThat(ProcessSnapshot.familySeconds(parent.pid())).isGreaterThan(before);
		}
		finally {
			parent.destroy();
		}
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void thisProcessHasThreadsMemoryAndTime() {
		long pid = ProcessHandle.current().pid();
		ProcessSnapshot first = ProcessSnapshot.take(pid);
		long end = System.nanoTime() + 100_000_000;
		while (System.nanoTime() < end) {
			Thread.onSpinWait();
		}
		ProcessUse use = ProcessSnapshot.take(pid).since(first);
		assertThat(use.cpuSeconds()).isPositive();
		assertThat(use.residentBytes()).isPositive();
		assertThat(use.threads()).isGreaterThan(1);
		assertThat(use.groups()).containsKeys(ThreadGroup.GC, ThreadGroup.JIT, ThreadGroup.OTHER);
		assertThat(ProcessSnapshot.affinity(pid)).isNotEmpty();
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void theMachineIsBusyAndForeignIsWhatIsNotOurs() {
		MachineSnapshot first = new MachineSnapshot(0, 2, 1_000, 100, 10, 0);
		MachineUse use = new MachineSnapshot(10_000_000_000L, 2, 2_000, 200, 30, 5_000_000).since(first, 9);
		assertThat(use).isEqualTo(new MachineUse(10, 0.55, 0.01, 0.05, 0.5));
		assertThat(MachineSnapshot.take()).isNotNull();
	}

	private void process(long user, long system) throws Exception {
		Path directory = this.proc.resolve("10");
		stat(directory, "java", user, system);
		Files.writeString(directory.resolve("status"), "Name:\tjava\nVmRSS:\t    1234 kB\n");
		Files.createDirectories(directory.resolve("fd"));
		link(directory.resolve("fd/1"), "/dev/null");
		link(directory.resolve("fd/2"), "socket:[4711]");
		// A thread that ends between two looks leaves an empty directory
		Files.createDirectories(directory.resolve("task/99"));
	}

	private static void link(Path link, String target) throws Exception {
		Files.deleteIfExists(link);
		Files.createSymbolicLink(link, Path.of(target));
	}

	private void thread(String id, String name, long user, long system, long waitNanos, long switches, long preemptions)
			throws Exception {
		Path directory = this.proc.resolve("10/task").resolve(id);
		stat(directory, name, user, system);
		Files.writeString(directory.resolve("schedstat"), "0 " + waitNanos + " 77\n");
		Files.writeString(directory.resolve("status"), "Name:\t" + name + "\nvoluntary_ctxt_switches:\t" + switches
				+ "\nnonvoluntary_ctxt_switches:\t" + preemptions + "\n");
	}

	private static void stat(Path directory, String name, long user, long system) throws Exception {
		Files.createDirectories(directory);
		Files.writeString(directory.resolve("stat"),
				"10 (" + name + ") S 1 2 3 4 5 6 7 8 9 10 " + user + " " + system + " 0 0 20 0 3 0 1234\n");
	}

	static Map<String, ThreadGroup> names() {
		return Map.of("C1 CompilerThre", ThreadGroup.JIT, "GC Thread#0", ThreadGroup.GC, "http-nio-127.0.",
				ThreadGroup.TOMCAT, "ForkJoinPool-1-", ThreadGroup.CARRIER, "HttpClient-1-Se", ThreadGroup.CLIENT,
				"HttpClient@5f3a", ThreadGroup.CLIENT, "multiThreadIoEv", ThreadGroup.EVENT_LOOP, "main",
				ThreadGroup.OTHER);
	}

	@Test
	void threadsAreKnownByTheirNames() {
		names().forEach((name, group) -> assertThat(ThreadGroup.of(name)).as(name).isEqualTo(group));
	}

}
