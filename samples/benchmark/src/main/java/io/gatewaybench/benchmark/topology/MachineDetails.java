package io.gatewaybench.benchmark.topology;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import oshi.SystemInfo;
import oshi.hardware.CentralProcessor;
import oshi.software.os.CgroupInfo;
import oshi.util.VirtualizationDetector;

/**
 * What may matter about a machine beside the model of its CPU and its memory.
 */
public final class MachineDetails {

	private static final List<Map.Entry<String, String>> FILES = List.of(
			Map.entry("kernel command line", "/proc/cmdline"),
			Map.entry("CPU governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
			Map.entry("turbo off", "/sys/devices/system/cpu/intel_pstate/no_turbo"),
			Map.entry("clock source", "/sys/devices/system/clocksource/clocksource0/current_clocksource"),
			Map.entry("transparent huge pages", "/sys/kernel/mm/transparent_hugepage/enabled"),
			Map.entry("sched_autogroup_enabled", "/proc/sys/kernel/sched_autogroup_enabled"),
			Map.entry("somaxconn", "/proc/sys/net/core/somaxconn"),
			Map.entry("local ports", "/proc/sys/net/ipv4/ip_local_port_range"),
			Map.entry("tcp_tw_reuse", "/proc/sys/net/ipv4/tcp_tw_reuse"),
			Map.entry("load average at the start", "/proc/loadavg"));

	private static final int LARGEST = 64 * 1024;

	private MachineDetails() {
	}

	/**
	 * Reads everything.
	 * @param system the machine
	 * @return values by names
	 */
	public static Map<String, String> read(SystemInfo system) {
		Map<String, String> details = new LinkedHashMap<>();
		CentralProcessor processor = system.getHardware().getProcessor();
		put(details, "physical cores", Integer.toString(processor.getPhysicalProcessorCount()));
		String flags = String.join("; ", processor.getFeatureFlags()).replaceFirst("^\\w+\\s*:", "");
		// A virtual machine that hides its kind has the flag nevertheless
		put(details, "virtual machine", VirtualizationDetector.identify(system.getHardware())
			.orElse(flags.contains(" hypervisor ") ? "of unknown kind" : ""));
		CgroupInfo limits = system.getOperatingSystem().getCgroupInfo();
		if (limits.getEffectiveCpus() != CgroupInfo.UNLIMITED_CPUS) {
			put(details, "cgroup CPU limit", limits.getEffectiveCpus() + " cores");
		}
		if (limits.getMemoryLimit() != CgroupInfo.UNLIMITED_MEMORY) {
			put(details, "cgroup memory limit", limits.getMemoryLimit() + " bytes");
		}
		FILES.forEach((file) -> put(details, file.getKey(), text(Path.of(file.getValue()))));
		put(details, "open files", line(Path.of("/proc/self/limits"), "Max open files").replaceAll(" +", " "));
		put(details, "CPU flags", flags);
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
	 * @param file the file
	 * @return what it says, nothing if it is not there
	 */
	static String text(Path file) {
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
