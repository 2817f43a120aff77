package io.gatewaybench.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/**
 * What documents say to type is what the command line takes.
 */
class DocumentedCommandsTests {

	private static final Path ROOT = Path.of("..", "..");

	// In a block of its own, in a step of a workflow, or between other words
	private static final Pattern COMMAND = Pattern
		.compile("(?m)(?:^[ \\t]*(?:- )?(?:run: )?|`)(?:\\.|gateway-bench)/bench(?![\\w/-])([^`\\n]*)");

	private static final Pattern WITHOUT_SHELL = Pattern.compile("(?:[^\"#>|]|\"[^\"]*\")*");

	private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|[^\\s\"]+");

	@ParameterizedTest
	@MethodSource("commands")
	void everyCommandIsUnderstood(String command) {
		List<String> words = WORD.matcher(command)
			.results()
			.map((word) -> (word.group(1) != null) ? word.group(1) : word.group())
			.toList();
		CommandLine commandLine = Bench.commandLine();
		if (words.size() == 1
				|| words.stream().anyMatch((word) -> word.matches("[A-Z]+(\\.\\.\\.)?|bench-results/.*"))) {
			// The name of a command alone, or directories that are not there
			assertThat(commandLine.getSubcommands()).containsKey(words.getFirst());
		}
		else {
			assertThatCode(() -> commandLine.parseArgs(words.toArray(String[]::new))).doesNotThrowAnyException();
		}
	}

	static Set<String> commands() throws IOException {
		Set<String> commands = new TreeSet<>();
		try (Stream<Path> pages = Files.walk(ROOT.resolve("docs"))) {
			List<Path> documents = Stream
				.concat(Stream.of("README.md", "README.zh-CN.md", "CONTRIBUTING.md").map(ROOT::resolve),
						pages.filter(
								(file) -> file.toString().endsWith(".md") && !file.toString().contains("node_modules")))
				.toList();
			for (Path document : documents) {
				COMMAND.matcher(Files.readString(document))
					.results()
					.map(DocumentedCommandsTests::withoutShell)
					.forEach(commands::add);
			}
		}
		assertThat(commands).hasSizeGreaterThan(20);
		return commands;
	}

	/**
	 * Without a comment, and without what the shell does with the output.
	 */
	private static String withoutShell(MatchResult command) {
		Matcher words = WITHOUT_SHELL.matcher(command.group(1));
		return words.lookingAt() ? words.group().strip() : "";
	}

}
