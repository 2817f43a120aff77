package io.gatewaybench.autoconfigure;

import java.io.IOException;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.core.io.ClassPathResource;

/**
 * Tells at the start which of the libraries that the starter hooks into have known
 * security holes. The list of versions is a resource, and {@code SECURITY.md} has the
 * same one.
 */
final class LibraryVersions {

	private static final Log logger = LogFactory.getLog(LibraryVersions.class);

	private LibraryVersions() {
	}

	static void warnOfHoles() {
		String holes = holes(list(), LibraryVersions::versionOf);
		if (!holes.isEmpty()) {
			logger.warn("Libraries with known security holes: " + holes);
		}
	}

	/**
	 * Describe the libraries that are too old.
	 * @param libraries the libraries
	 * @param versions tells the version of the library that has a class, if there is one
	 * that tells
	 * @return the libraries, their versions and what to take instead, or an empty text
	 */
	static String holes(List<Library> libraries, Function<String, Optional<String>> versions) {
		return libraries.stream()
			.flatMap((library) -> library.classes()
				.stream()
				.flatMap((type) -> versions.apply(type).stream())
				.limit(1)
				.filter((version) -> isBefore(version, library.lowest()))
				.map((version) -> "%s %s (mended in %s)".formatted(library.name(), version, library.lowest())))
			.collect(Collectors.joining(", "));
	}

	private static boolean isBefore(String version, String lowest) {
		try {
			return Version.parse(version).compareTo(Version.parse(lowest)) < 0;
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

	static Optional<String> versionOf(String className) {
		try {
			Class<?> type = Class.forName(className, false, LibraryVersions.class.getClassLoader());
			return Optional.ofNullable(type.getPackage().getImplementationVersion());
		}
		catch (ClassNotFoundException | LinkageError ex) {
			return Optional.empty();
		}
	}

	static List<Library> list() {
		try {
			return new ClassPathResource("library-versions.txt", LibraryVersions.class)
				.getContentAsString(StandardCharsets.UTF_8)
				.lines()
				.filter((line) -> !line.startsWith("#"))
				.map(Library::parse)
				.toList();
		}
		catch (IOException ex) {
			// A native image has no such file, and can't tell versions
			return List.of();
		}
	}

	/**
	 * A library.
	 *
	 * @param name its name
	 * @param lowest its lowest version without a known hole
	 * @param classes classes of its jars, the first of which that is there tells its
	 * version
	 */
	record Library(String name, String lowest, List<String> classes) {

		private static Library parse(String line) {
			String[] parts = line.split("; ");
			return new Library(parts[0], parts[1], List.of(parts[2].split(" ")));
		}

	}

}
