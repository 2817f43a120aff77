package io.gatewaybench.benchmark.result;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The machine and the software of a run.
 *
 * @param cpu model of the CPU, or the architecture where the model is unknown
 * @param cores processors that the JVM sees
 * @param memoryBytes physical memory
 * @param os name and version of the operating system, which on Linux is the kernel
 * @param groupedBy by what Linux told the processes apart when it shared the cores
 * @param java version of the JDK that runs runner, gateways, backends and generator
 * @param jvm vendor, name and version of the JVM
 * @param gitCommit commit of the project, or {@code null} without git
 * @param gitDirty whether files differ from that commit, or {@code null} without git
 * @param jars SHA-256 of every jar, by file name
 * @param machine what else may matter: kernel command line, limits, scheduler, CPU flags
 * @param libraries versions of what the gateways are made of, by jar
 * @param gatewaySettings the configuration files within the gateways' jars, by jar and
 * file; the command lines come on top. What an actuator told, by {@code host:port} and
 * {@code actuator}
 * @param backendCommand command line of the backends
 * @param runnerCommand arguments of the runner
 */
public record Environment(String cpu, int cores, long memoryBytes, String os, GroupedBy groupedBy, String java,
		String jvm, @Nullable String gitCommit, @Nullable Boolean gitDirty, Map<String, String> jars,
		Map<String, String> machine, Map<String, List<String>> libraries, Map<String, String> gatewaySettings,
		List<String> backendCommand, List<String> runnerCommand) {

	/**
	 * The same with more that may matter.
	 * @param details added to {@code machine}
	 * @param settings added to {@code gatewaySettings}
	 * @return a copy
	 */
	public Environment with(Map<String, String> details, Map<String, String> settings) {
		Map<String, String> known = new LinkedHashMap<>(this.machine);
		known.putAll(details);
		Map<String, String> all = new LinkedHashMap<>(this.gatewaySettings);
		all.putAll(settings);
		return new Environment(this.cpu, this.cores, this.memoryBytes, this.os, this.groupedBy, this.java, this.jvm,
				this.gitCommit, this.gitDirty, this.jars, known, this.libraries, all, this.backendCommand,
				this.runnerCommand);
	}

	/**
	 * By what Linux tells processes apart when it shares the cores. Each group has an
	 * equal part.
	 */
	public enum GroupedBy {

		/**
		 * Every process has a control group of its own, by the first version of their
		 * interface.
		 */
		CGROUPS_V1,

		/**
		 * Every process has a control group of its own, by the second version of their
		 * interface.
		 */
		CGROUPS_V2,

		/**
		 * Every process has a session of its own. It only counts where
		 * {@code sched_autogroup_enabled} is 1.
		 */
		SESSIONS,

		/**
		 * Nothing: every thread has an equal part.
		 */
		NOTHING

	}

}
