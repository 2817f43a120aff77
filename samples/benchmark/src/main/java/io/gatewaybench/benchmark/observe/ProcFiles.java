package io.gatewaybench.benchmark.observe;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads {@code /proc}, where anything may be gone from one moment to the next.
 *
 * @param root {@code /proc}
 */
record ProcFiles(Path root) implements ProcSource {

	static final ProcFiles SYSTEM = new ProcFiles(Path.of("/proc"));

	@Override
	public List<String> lines(String... path) {
		try {
			return Files.readAllLines(resolve(path));
		}
		catch (IOException ex) {
			return List.of();
		}
	}

	@Override
	public List<String> names(String... path) {
		List<String> names = new ArrayList<>();
		try (DirectoryStream<Path> entries = Files.newDirectoryStream(resolve(path))) {
			entries.forEach((entry) -> names.add(entry.getFileName().toString()));
		}
		catch (IOException ex) {
			return List.of();
		}
		return names;
	}

	@Override
	public int sockets(long pid) {
		int sockets = 0;
		for (String name : names(Long.toString(pid), "fd")) {
			try {
				Path target = Files.readSymbolicLink(resolve(Long.toString(pid), "fd", name));
				sockets += target.toString().startsWith("socket:") ? 1 : 0;
			}
			catch (IOException ex) {
				// Closed between the two looks
			}
		}
		return sockets;
	}

	private Path resolve(String... path) {
		Path file = this.root;
		for (String segment : path) {
			file = file.resolve(segment);
		}
		return file;
	}

}
