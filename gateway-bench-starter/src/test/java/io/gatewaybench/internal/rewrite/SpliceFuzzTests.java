package io.gatewaybench.internal.rewrite;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/**
 * Runs the corpus of {@link SpliceFuzz}: inputs with a meaning by their names, and what
 * the fuzzer has kept because it reaches something new.
 */
class SpliceFuzzTests {

	private static final Path RESOURCES = Path.of("src/test/resources/io/gatewaybench/internal/rewrite");

	@Test
	void theNamedInputsHaveNoFinding() throws IOException {
		assertNoFinding(RESOURCES.resolve("splice-corpus"));
	}

	@Test
	void whatTheFuzzerKeptHasNoFinding() throws IOException {
		try (FileSystem archive = FileSystems.newFileSystem(RESOURCES.resolve("splice-corpus.zip"))) {
			assertNoFinding(archive.getPath("/"));
		}
	}

	private static void assertNoFinding(Path corpus) throws IOException {
		try (Stream<Path> files = Files.list(corpus)) {
			assertThat(files).isNotEmpty()
				.allSatisfy((file) -> assertThatCode(() -> SpliceFuzz.fuzzerTestOneInput(Files.readAllBytes(file)))
					.doesNotThrowAnyException());
		}
	}

}
