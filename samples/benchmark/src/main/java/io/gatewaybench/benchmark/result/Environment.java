package io.gatewaybench.benchmark.result;

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
 * @param java version of the JDK that runs runner, gateways, backends and generator
 * @param jvm vendor, name and version of the JVM
 * @param gitCommit commit of the project, or {@code null} without git
 * @param gitDirty whether files differ from that commit, or {@code null} without git
 * @param jars SHA-256 of every jar, by file name
 * @param backendCommand command line of the backends
 * @param runnerCommand arguments of the runner
 */
public record Environment(String cpu, int cores, long memoryBytes, String os, String java, String jvm,
		@Nullable String gitCommit, @Nullable Boolean gitDirty, Map<String, String> jars, List<String> backendCommand,
		List<String> runnerCommand) {

}
