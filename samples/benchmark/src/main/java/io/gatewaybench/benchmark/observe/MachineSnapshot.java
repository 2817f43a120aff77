package io.gatewaybench.benchmark.observe;

import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What the machine has done since it began, by {@code /proc/stat} and
 * {@code /proc/pressure/cpu}.
 *
 * @param nanoTime when
 * @param cores its cores
 * @param programTicks time that programs had
 * @param kernelTicks time that interrupts had, which belong to no program
 * @param stealTicks time that the hypervisor gave to other machines
 * @param pressureMicros time in which a thread waited for a core
 */
public record MachineSnapshot(long nanoTime, int cores, long programTicks, long kernelTicks, long stealTicks,
		long pressureMicros) {

	/**
	 * Looks at the machine.
	 * @return the snapshot, {@code null} if the platform has no {@code /proc}
	 */
	public static @Nullable MachineSnapshot take() {
		List<String> stat = ProcFiles.lines(ProcFiles.ROOT.resolve("stat"));
		if (stat.isEmpty()) {
			return null;
		}
		long[] ticks = Arrays.stream(stat.getFirst().substring(3).strip().split(" +"))
			.mapToLong(Long::parseLong)
			.toArray();
		int cores = (int) stat.stream().filter((line) -> line.matches("cpu\\d+ .*")).count();
		return new MachineSnapshot(System.nanoTime(), cores, ticks[0] + ticks[1] + ticks[2], ticks[5] + ticks[6],
				ticks[7], pressure(ProcFiles.lines(ProcFiles.ROOT.resolve("pressure/cpu"))));
	}

	private static long pressure(List<String> lines) {
		return lines.stream()
			.filter((line) -> line.startsWith("some "))
			.mapToLong((line) -> Long.parseLong(line.substring(line.indexOf("total=") + "total=".length())))
			.findFirst()
			.orElse(0);
	}

	/**
	 * What happened between two looks.
	 * @param earlier the first look
	 * @param ownSeconds CPU time that the run's own processes had in between. It is less
	 * than 0 if a process was about to end, and missing in the second look
	 * @return the difference
	 */
	public MachineUse since(MachineSnapshot earlier, double ownSeconds) {
		double seconds = (this.nanoTime - earlier.nanoTime) / 1e9;
		double coreSeconds = Math.max(seconds * this.cores, 1e-3);
		double programs = (this.programTicks - earlier.programTicks) / Stat.TICKS_PER_SECOND;
		double kernel = (this.kernelTicks - earlier.kernelTicks) / Stat.TICKS_PER_SECOND;
		return new MachineUse(seconds, (programs + kernel) / coreSeconds,
				(this.stealTicks - earlier.stealTicks) / Stat.TICKS_PER_SECOND / coreSeconds,
				Math.max(0, programs - Math.max(0, ownSeconds)) / coreSeconds,
				(this.pressureMicros - earlier.pressureMicros) / 1e6 / Math.max(seconds, 1e-3));
	}

}
