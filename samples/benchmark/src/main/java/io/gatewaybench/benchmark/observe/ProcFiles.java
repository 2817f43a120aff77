package io.gatewaybench.benchmark.observe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@code /proc} tells of processes, here or as another host printed it. Anything may
 * be gone from one moment to the next.
 *
 * @param lines the lines of files, by their paths below {@code /proc}
 */
record ProcFiles(Map<String, List<String>> lines) {

	static final Path ROOT = Path.of("/proc");

	/**
	 * Reads the files of a process.
	 */
	static ProcFiles read(Path root, long pid) {
		Map<String, List<String>> lines = new LinkedHashMap<>();
		List<String> paths = new ArrayList<>(List.of(pid + "/stat", pid + "/status"));
		for (String thread : entries(root.resolve(pid + "/task"))) {
			for (String name : List.of("/stat", "/status", "/schedstat")) {
				paths.add(pid + "/task/" + thread + name);
			}
		}
		paths.forEach((path) -> lines.put(path, lines(root.resolve(path))));
		lines.put(pid + "/fd/", sockets(root.resolve(pid + "/fd")));
		return new ProcFiles(lines);
	}

	/**
	 * Reads what another host printed: lines of path, colon and text.
	 */
	static ProcFiles parse(String printed) {
		Map<String, List<String>> lines = new LinkedHashMap<>();
		printed.lines().filter((line) -> line.startsWith(ROOT + "/") && line.contains(":")).forEach((line) -> {
			int colon = line.indexOf(':');
			lines.computeIfAbsent(line.substring((ROOT + "/").length(), colon), (path) -> new ArrayList<>())
				.add(line.substring(colon + 1));
		});
		return new ProcFiles(lines);
	}

	/**
	 * The lines of one file, none if it is not there.
	 */
	static List<String> lines(Path file) {
		try {
			return Files.readAllLines(file);
		}
		catch (IOException ex) {
			return List.of();
		}
	}

	private static List<String> entries(Path directory) {
		String[] names = directory.toFile().list();
		return (names != null) ? List.of(names) : List.of();
	}

	private static List<String> sockets(Path descriptors) {
		List<String> sockets = new ArrayList<>();
		for (String descriptor : entries(descriptors)) {
			try {
				sockets.add(Files.readSymbolicLink(descriptors.resolve(descriptor)).toString());
			}
			catch (IOException ex) {
				// Closed between the two looks
			}
		}
		sockets.removeIf((target) -> !target.startsWith("socket:"));
		return sockets;
	}

	List<String> of(String path) {
		return this.lines.getOrDefault(path, List.of());
	}

	/**
	 * The names in a directory, whose path ends with a slash.
	 */
	List<String> names(String directory) {
		return this.lines.keySet()
			.stream()
			.filter((file) -> file.startsWith(directory))
			.map((file) -> file.substring(directory.length()).split("/")[0])
			.distinct()
			.toList();
	}

}
