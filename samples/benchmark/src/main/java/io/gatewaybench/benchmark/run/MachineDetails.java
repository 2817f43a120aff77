package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What may matter about a machine beside its CPU and its memory, as Linux tells it.
 */
final class MachineDetails {

	private static final Map<String, String> FILES = files();

	private static final int LARGEST = 64 * 1024;

	private MachineDetails() {
	}

	private static Map<String, String> files() {
		Map<String, String> files = new LinkedHashMap<>();
		files.put("kernel command line", "/proc/cmdline");
		files.put("CPU governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
		files.put("hyper-threading", "/sys/devices/system/cpu/smt/active");
		files.put("turbo off", "/sys/devices/system/cpu/intel_pstate/no_turbo");
		files.put("clock source", "/sys/devices/system/clocksource/clocksource0/current_clocksource");
		files.put("transparent huge pages", "/sys/kernel/mm/transparent_hugepage/enabled");
		files.put("cgroup CPU limit", "/sys/fs/cgroup/cpu.max");
		files.put("cgroup memory limit", "/sys/fs/cgroup/memory.max");
		files.put("sched_autogroup_enabled", "/proc/sys/kernel/sched_autogroup_enabled");
		files.put("somaxconn", "/proc/sys/net/core/somaxconn");
		files.put("local ports", "/proc/sys/net/ipv4/ip_local_port_range");
		files.put("tcp_tw_reuse", "/proc/sys/net/ipv4/tcp_tw_reuse");
		files.put("load average at the start", "/proc/loadavg");
		return files;
	}

	static Map<String, String> read() {
		Map<String, String> details = new LinkedHashMap<>();
		FILES.forEach((name, file) -> put(details, name, text(Path.of(file))));
		put(details, "open files", line(Path.of("/proc/self/limits"), "Max open files").replaceAll(" +", " "));
		put(details, "hypervisor", line(Path.of("/proc/cpuinfo"), "flags").contains(" hypervisor") ? "yes" : "");
		put(details, "CPU flags", line(Path.of("/proc/cpuinfo"), "flags").replaceFirst("^[\\s:]+", ""));
		return details;
	}

	private static void put(Map<String, String> details, String name, String value) {
		if (!value.isBlank()) {
			details.put(name, value.strip());
		}
	}

	private static String line(Path file, String start) {
		return text(file).lines()
			.filter((line) -> line.startsWith(start))
			.map((line) -> line.substring(start.length()))
			.findFirst()
			.orElse("");
	}

	/**
	 * Reads all at once. Of a file under {@code /proc/sys} a second read returns nothing,
	 * and {@link Files#readString} begins with a read of one byte.
	 */
	private static String text(Path file) {
		try (InputStream in = Files.newInputStream(file)) {
			byte[] content = new byte[LARGEST];
			int length = in.readNBytes(content, 0, LARGEST);
			return new String(content, 0, length, StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			// A detail for the record; a run does not fail for want of it
			return "";
		}
	}

}
