package io.gatewaybench.benchmark.observe;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A part of {@code /proc} as another host printed it, as lines of path, colon and text.
 *
 * @param files the lines of its files by path
 */
record ProcDump(Map<String, List<String>> files) implements ProcSource {

	private static final String ROOT = "/proc/";

	static ProcDump parse(String printed) {
		Map<String, List<String>> files = new LinkedHashMap<>();
		printed.lines().filter((line) -> line.startsWith(ROOT) && line.contains(":")).forEach((line) -> {
			int colon = line.indexOf(':');
			files.computeIfAbsent(line.substring(ROOT.length(), colon), (path) -> new ArrayList<>())
				.add(line.substring(colon + 1));
		});
		return new ProcDump(files);
	}

	@Override
	public List<String> lines(String... path) {
		return this.files.getOrDefault(String.join("/", path), List.of());
	}

	@Override
	public List<String> names(String... path) {
		String directory = String.join("", List.of(path).stream().map((segment) -> segment + "/").toList());
		return this.files.keySet()
			.stream()
			.filter((file) -> file.startsWith(directory))
			.map((file) -> file.substring(directory.length()).split("/")[0])
			.distinct()
			.toList();
	}

	@Override
	public int sockets(long pid) {
		return lines(Long.toString(pid), "fd", "").size();
	}

}
