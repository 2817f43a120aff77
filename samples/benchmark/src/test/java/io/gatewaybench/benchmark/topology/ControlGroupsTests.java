package io.gatewaybench.benchmark.topology;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

class ControlGroupsTests {

	@TempDir
	private Path directory;

	@Test
	void ofTheFirstVersionTheHierarchyOfTheCpuIsTaken() throws IOException {
		Path self = self("""
				9:name=systemd:/
				4:cpuset:/other
				2:cpuacct,cpu:/user.slice
				0::/
				""", """
				31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
				33 31 0:30 / /sys/fs/cgroup/cpuset rw,relatime - cgroup cgroup rw,cpuset
				32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpuacct,cpu
				41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
				""");
		assertThat(ControlGroups.candidates(self))
			.containsExactly(new ControlGroups(1, Path.of("/sys/fs/cgroup/cpu,cpuacct/user.slice")));
	}

	@Test
	void inAContainerTheMountedPartOfTheHierarchyIsTaken() throws IOException {
		Path self = self("2:cpu:/docker/abc/inner\n",
				"32 31 0:29 /docker/abc /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n");
		assertThat(ControlGroups.candidates(self))
			.containsExactly(new ControlGroups(1, Path.of("/sys/fs/cgroup/cpu/inner")));
	}

	@Test
	void aGroupThatIsNotMountedIsNotUsed() throws IOException {
		Path self = self("2:cpu:/elsewhere\n", "32 31 0:29 /docker/abc /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n");
		assertThat(ControlGroups.candidates(self)).isEmpty();
	}

	@Test
	void ofTheSecondVersionAGroupIsMadeWhereTheCpuIsSharedAmongGroups() throws IOException {
		Path parent = Files.createDirectories(this.directory.resolve("all/app.slice"));
		Path own = Files.createDirectories(parent.resolve("bench.scope"));
		Path self = self("0::/app.slice/bench.scope\n",
				"41 31 0:38 / %s/all rw - cgroup2 cgroup2 rw,nsdelegate\n".formatted(this.directory));
		Files.writeString(own.resolve("cgroup.subtree_control"), "\n");
		Files.writeString(parent.resolve("cgroup.subtree_control"), "cpuset memory\n");
		assertThat(ControlGroups.candidates(self)).isEmpty();
		Files.writeString(parent.resolve("cgroup.subtree_control"), "cpuset cpu memory\n");
		assertThat(ControlGroups.candidates(self)).containsExactly(new ControlGroups(2, parent));
		Files.writeString(own.resolve("cgroup.subtree_control"), "cpu\n");
		assertThat(ControlGroups.candidates(self)).containsExactly(new ControlGroups(2, own),
				new ControlGroups(2, parent));
	}

	@Test
	void whereThereIsNoLinuxThereAreNoGroups() {
		assertThat(ControlGroups.candidates(this.directory)).isEmpty();
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void aProcessAndWhatItStartsAreInAGroupOfTheirOwnThatIsRemovedAtTheEnd() throws Exception {
		ControlGroups groups = usable();
		Path group;
		try (Children children = new Children(groups)) {
			Child child = children.start("script",
					List.of("/bin/sh", "-c", "cat /proc/self/cgroup; echo up; exec sleep 60"),
					this.directory.resolve("script.log"));
			await().until(() -> child.lastLines(10_000).contains("up"));
			group = groups.parent().resolve("gateway-bench-" + child.pid());
			assertThat(group).isDirectory();
			assertThat(child.lastLines(10_000)).anyMatch((line) -> line.endsWith("/" + group.getFileName()));
			assertThat(Files.readAllLines(group.resolve("cgroup.procs"))).containsExactly(Long.toString(child.pid()));
		}
		await().until(() -> !Files.exists(group));
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void aGroupThatAnEarlierRunLeftIsRemoved() throws Exception {
		ControlGroups groups = usable();
		Process ended = new ProcessBuilder(groups.command()).start();
		ended.waitFor();
		Path left = Files.createDirectories(groups.parent().resolve("gateway-bench-" + ended.pid()));
		try (Children children = new Children(groups)) {
			await().until(() -> !Files.exists(left));
		}
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void theGroupOfAGeneratorThatEndsAfterTheChildrenIsRemoved() throws Exception {
		ControlGroups groups = usable();
		Process generator;
		Path group;
		try (Children children = new Children(groups)) {
			List<String> command = new ArrayList<>(groups.command());
			command.addAll(List.of("sleep", "60"));
			generator = new ProcessBuilder(command).start();
			group = groups.parent().resolve("gateway-bench-" + generator.pid());
			await().until(() -> Files.exists(group));
		}
		generator.destroy();
		await().until(() -> !Files.exists(group));
	}

	private static ControlGroups usable() throws Exception {
		for (ControlGroups groups : ControlGroups.candidates()) {
			List<String> command = new ArrayList<>(groups.command());
			command.add("true");
			Process process = new ProcessBuilder(command).start();
			if (process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0) {
				return groups;
			}
		}
		assumeThat(false).as("this machine lets us make control groups for the CPU").isTrue();
		throw new IllegalStateException();
	}

	private Path self(String groups, String mounts) throws IOException {
		Path self = Files.createDirectories(this.directory.resolve("self"));
		Files.writeString(self.resolve("cgroup"), groups);
		Files.writeString(self.resolve("mountinfo"), mounts);
		return self;
	}

}
