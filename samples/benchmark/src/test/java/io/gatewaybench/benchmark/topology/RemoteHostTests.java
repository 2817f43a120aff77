package io.gatewaybench.benchmark.topology;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.observe.ProcessSnapshot;
import io.gatewaybench.benchmark.suite.Host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class RemoteHostTests {

	@TempDir
	private Path directory;

	private SshServer server;

	private Children children;

	@BeforeEach
	void start() throws Exception {
		this.server = SshServer.start(this.directory);
		this.children = new Children(null);
	}

	@AfterEach
	void stop() throws InterruptedException {
		if (this.children != null) {
			this.children.close();
			this.server.close();
		}
	}

	@Test
	void aProgramRunsThereWithItsArgumentsAsTheyAre() throws Exception {
		RemoteHost host = connect();
		Child child = this.children.start("program", host.guarded(this.directory.toString(),
				List.of("/bin/sh", "-c", "pwd; printf '%s|' \"$@\"; exit 3", "sh", "a b", "$HOME", "it's", "*")),
				log("program"));
		await().until(() -> !child.isAlive());
		assertThat(child.exitCode()).hasValue(3);
		assertThat(child.lastLines(1000)).contains(this.directory.toString(), "a b|$HOME|it's|*|");
	}

	@Test
	void aProgramThatEndsWithTheCodeOfALostConnectionIsNotTakenForOne() throws Exception {
		RemoteHost host = connect();
		Child child = this.children.start("program",
				host.guarded(this.directory.toString(), List.of("/bin/sh", "-c", "exit 255")), log("program"));
		await().until(() -> !child.isAlive());
		assertThat(child.exitCode()).hasValue(1);
	}

	@Test
	void whatAHostSaysBesideTheOutputOfACommandIsNoPartOfIt() throws Exception {
		assertThat(connect().run("echo 'warning: setlocale' >&2; echo 1")).isEqualTo("1\n");
	}

	@Test
	void aProgramEndsWithItsConnectionAndSoDoesWhatItStarted() throws Exception {
		RemoteHost host = connect();
		Child child = this.children.start("program",
				host.guarded(this.directory.toString(), List.of("/bin/sh", "-c", "sleep 600 & sleep 601")),
				log("program"));
		ProcessHandle program = ProcessHandle.of(host.pid(child)).orElseThrow();
		await().until(() -> program.descendants().count() == 2);
		List<ProcessHandle> all = program.descendants().toList();
		child.beat();
		assertThat(program.isAlive()).isTrue();
		child.close();
		await().until(() -> !program.isAlive() && all.stream().noneMatch(ProcessHandle::isAlive));
	}

	@Test
	void aProgramThatDoesNotObeyIsEndedByForce() throws Exception {
		RemoteHost host = connect();
		Child child = this.children.start("program", host.guarded(this.directory.toString(),
				List.of("/bin/sh", "-c", "trap '' TERM; while :; do sleep 0.1; done")), log("program"));
		ProcessHandle program = ProcessHandle.of(host.pid(child)).orElseThrow();
		child.close();
		await().until(() -> !program.isAlive());
	}

	@Test
	void aProgramIsLookedAtWithAllThatItStarted() throws Exception {
		RemoteHost host = connect();
		Child child = this.children.start("program", host.guarded(this.directory.toString(),
				List.of("/bin/sh", "-c", "sh -c 'while :; do :; done' & while :; do :; done")), log("program"));
		long pid = host.pid(child);
		ProcessSnapshot before = ProcessSnapshot.parse("gw", host.run(ProcessSnapshot.script(pid)));
		assertThat(before).isNotNull();
		await().untilAsserted(() -> {
			ProcessSnapshot after = ProcessSnapshot.parse("gw", host.run(ProcessSnapshot.script(pid)));
			assertThat(after).isNotNull();
			assertThat(after.threads()).hasSize(2);
			assertThat(after.residentBytes()).isPositive();
			assertThat(after.since(before).cpuSeconds()).isGreaterThan(0.1);
		});
		child.close();
		await().untilAsserted(
				() -> assertThat(ProcessSnapshot.parse("gw", host.run(ProcessSnapshot.script(pid)))).isNull());
	}

	@Test
	void threadsOfTwoHostsAreNotTakenForOne() throws Exception {
		RemoteHost host = connect();
		String printed = host.run(ProcessSnapshot.script(ProcessHandle.current().pid()));
		ProcessSnapshot one = ProcessSnapshot.parse("one", printed);
		ProcessSnapshot other = ProcessSnapshot.parse("other", printed);
		assertThat(one.plus(other).threads()).hasSize(one.threads().size() + other.threads().size());
	}

	@Test
	void anInterruptEndsACommandThatDoesNotEnd() throws Exception {
		RemoteHost host = connect();
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> host.run("sleep 600"));
		await().until(() -> ProcessHandle.current()
			.descendants()
			.noneMatch((child) -> child.info().commandLine().orElse("").contains("sleep 600")));
	}

	@Test
	void aFileIsSentAsItIs() throws Exception {
		RemoteHost host = connect();
		Path file = Files.write(this.directory.resolve("file"), new byte[] { 0, -1, 13, 10, 39 });
		Path there = this.directory.resolve("in/a directory/it's there");
		host.send(file, there.toString());
		assertThat(there).hasSameBinaryContentAs(file);
	}

	@Test
	void aScriptThatFailsIsToldWithItsReason() throws Exception {
		RemoteHost host = connect();
		assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> host.run("cat /nowhere"))
			.withMessageContaining("The host gw")
			.withMessageContaining("/nowhere");
	}

	@Test
	void aHostThatRefusesIsToldWithTheReason() {
		List<String> options = List.of("-p", Integer.toString(FreePort.find()), "-F", "none");
		assertThatExceptionOfType(BenchFailure.class)
			.isThrownBy(() -> RemoteHost.connect(this.children, host(options), socket(), log("ssh")))
			.withMessageContaining("The host gw can't be reached by ssh 127.0.0.1")
			.withMessageContaining("Connection refused");
	}

	private RemoteHost connect() throws IOException, InterruptedException {
		return RemoteHost.connect(this.children, host(this.server.options()), socket(), log("ssh"));
	}

	private Host host(List<String> options) {
		return new Host("gw", "127.0.0.1", options, "127.0.0.1", "java", this.directory.toString(), 20_000);
	}

	private static Path socket() throws IOException {
		return Files.createTempDirectory("ssh").resolve("s");
	}

	private Path log(String name) {
		return this.directory.resolve(name + ".log");
	}

}
