package io.gatewaybench.benchmark.topology;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Control groups (cgroups) of Linux. Each process gets one of its own, and all have the
 * same weight, which is the default. So the kernel shares the cores among the processes,
 * however many threads they have. A group is named by the id of its process.
 *
 * @param version of the interface of the kernel, 1 or 2
 * @param parent the directory in which the groups are made
 * @see <a href="https://man7.org/linux/man-pages/man7/cgroups.7.html">cgroups(7)</a>
 */
public record ControlGroups(int version, Path parent) {

	// The shell enters the group, so all that the program starts is in it, too
	private static final String ENTER = """
			group=$1/gateway-bench-$$
			shift
			mkdir -p "$group" && echo $$ > "$group/cgroup.procs" && exec "$@"
			""";

	/**
	 * Looks where this process may be allowed to make groups that have a part of the CPU.
	 * @return the places in the order of preference; whether a group can be made there is
	 * to be tried
	 */
	public static List<ControlGroups> candidates() {
		return candidates(Path.of("/proc/self"));
	}

	static List<ControlGroups> candidates(Path self) {
		Path hierarchy = group(self, "cpu", "cgroup");
		if (hierarchy != null) {
			return List.of(new ControlGroups(1, hierarchy));
		}
		Path own = group(self, "", "cgroup2");
		// In the second version, a group with processes can have no groups in it, unless
		// it is the root. What is left are groups next to our own.
		return (own == null) ? List.of()
				: Stream.of(own, own.resolve("..").normalize())
					.filter((parent) -> Stream
						.of(MachineDetails.text(parent.resolve("cgroup.subtree_control")).strip().split(" "))
						.anyMatch("cpu"::equals))
					.map((parent) -> new ControlGroups(2, parent))
					.toList();
	}

	/**
	 * The directory of the group that this process is in.
	 * @param self {@code /proc/self}
	 * @param controller the controller, empty for the second version
	 * @param type the type of the file system
	 */
	private static @Nullable Path group(Path self, String controller, String type) {
		String path = MachineDetails.text(self.resolve("cgroup"))
			.lines()
			.map((line) -> line.split(":", 3))
			.filter((parts) -> List.of(parts[1].split(",")).contains(controller))
			.map((parts) -> parts[2])
			.findFirst()
			.orElse(null);
		return (path == null) ? null
				: MachineDetails.text(self.resolve("mountinfo"))
					.lines()
					.map((line) -> directory(line, controller, type, path))
					.filter(Objects::nonNull)
					.findFirst()
					.orElse(null);
	}

	private static @Nullable Path directory(String mount, String controller, String type, String path) {
		String[] halves = mount.split(" - ", 2);
		String[] place = halves[0].split(" ");
		String[] system = halves[1].split(" ");
		Path root = Path.of(place[3]);
		boolean fits = system[0].equals(type)
				&& (controller.isEmpty() || List.of(system[2].split(",")).contains(controller))
				&& Path.of(path).startsWith(root);
		return fits ? Path.of(place[4]).resolve(root.relativize(Path.of(path))) : null;
	}

	/**
	 * What starts a process in a group of its own. Its process id stays the same.
	 * @return the beginning of a command line
	 */
	public List<String> command() {
		return List.of("/bin/sh", "-c", ENTER, "sh", this.parent.toString());
	}

}
