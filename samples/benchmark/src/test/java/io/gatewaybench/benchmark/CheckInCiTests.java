package io.gatewaybench.benchmark;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

import io.gatewaybench.benchmark.run.RunRequest;
import io.gatewaybench.benchmark.suite.Scenario;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.dataformat.yaml.YAMLMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The check of a pull request that the documents show.
 */
class CheckInCiTests {

	private static final Path PAGE = Path.of("..", "..", "docs", "guides", "check-in-ci.md");

	private static final Pattern YAML = Pattern.compile("(?ms)^```yaml\n(.*?)^```$");

	@TempDir
	private Path directory;

	@Test
	void thePageShowsTheExampleWithoutItsFirstLine() throws IOException {
		assertThat(snippets().getFirst()).isEqualTo(example().replaceFirst("#.*\n", ""));
	}

	@Test
	void theExampleIsASuiteThatCanBeRun() throws IOException {
		Path suite = Files.writeString(this.directory.resolve("two-versions.yml"), example());
		for (String target : List.of("old/target", "target")) {
			Files.createFile(Files.createDirectories(this.directory.resolve(target)).resolve("my-gateway.jar"));
		}
		RunRequest request = BenchFixture.request("run", suite.toString(), "--heap", "512m");
		assertThat(request.scenarios()).extracting(Scenario::id).containsExactly("before-c32", "after-c32");
		assertThat(request.suite().failIf()).hasSize(2);
	}

	@Test
	void theWorkflowsAreYaml() throws IOException {
		assertThat(snippets()).hasSize(3)
			.allSatisfy((snippet) -> assertThat(YAMLMapper.shared().readTree(snippet).isObject()).isTrue());
	}

	private static List<String> snippets() throws IOException {
		return YAML.matcher(Files.readString(PAGE)).results().map((snippet) -> snippet.group(1)).toList();
	}

	private static String example() throws IOException {
		try (InputStream in = Bench.class.getResourceAsStream("suite/examples/two-versions.yml")) {
			return new String(in.readAllBytes(), StandardCharsets.UTF_8);
		}
	}

}
