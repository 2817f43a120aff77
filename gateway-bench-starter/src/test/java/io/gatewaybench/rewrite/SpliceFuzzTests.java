package io.gatewaybench.rewrite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/**
 * Runs the corpus of {@link SpliceFuzz}.
 */
class SpliceFuzzTests {

	private static final Path CORPUS = Path.of("src/test/resources/io/gatewaybench/rewrite/splice-corpus");

	@Test
	void theCorpusHasNoFinding() throws IOException {
		try (Stream<Path> files = Files.list(CORPUS)) {
			assertThat(files).isNotEmpty()
				.allSatisfy((file) -> assertThatCode(() -> SpliceFuzz.fuzzerTestOneInput(Files.readAllBytes(file)))
					.doesNotThrowAnyException());
		}
	}

}
