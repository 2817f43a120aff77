package io.gatewaybench.benchmark.run;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.SampleResults;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ConsoleTests {

	private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

	private long nanos = 5;

	@ParameterizedTest
	@CsvSource({ "xterm, , true", "xterm, '', true", "dumb, , false", ", , false", "xterm, 1, false" })
	void noTerminalButOneThatCanMoveItsCursorHasALine(@Nullable String term, @Nullable String noColor, boolean can) {
		Map<String, String> environment = new HashMap<>();
		if (term != null) {
			environment.put("TERM", term);
		}
		if (noColor != null) {
			environment.put("NO_COLOR", noColor);
		}
		assertThat(Console.canMoveTheCursor(environment)).isEqualTo(can);
	}

	@Test
	void aTerminalHasOneLineThatIsWrittenAgain() {
		Console console = console(true, 80);
		console.begin(Duration.ofSeconds(272));
		console.place("start 1 of 3");
		console.progress("warm-up, 5 s");
		pass(2);
		console.progress("round 1, webflux-c16");
		assertThat(screen()).isEqualTo("4:30 left, start 1 of 3: round 1, webflux-c16");
		assertThat(output()).doesNotContain("\n");
		console.close();
		assertThat(screen()).isEmpty();
	}

	@Test
	void whatIsSaidStaysAboveTheLine() {
		Console console = console(true, 80);
		console.progress("a long line of progress");
		console.say("said");
		console.progress("more");
		assertThat(output()).endsWith("\r\033[Ksaid\n\r\033[Kmore");
	}

	@ParameterizedTest
	@CsvSource({ "40, 39", "0, 100", "200, 100" })
	void aLineIsCutAndNotWrapped(int columns, int length) {
		Console console = console(true, columns);
		console.progress("x".repeat(300));
		assertThat(screen()).hasSize(length);
	}

	@Test
	void theAnswerIsInTheLine() {
		Console console = console(true, 100);
		console.answer(SampleResults.of("A title", Status.RUNNING, SampleResults.good("webflux-c16", "WebFlux", 1, 400),
				SampleResults.good("webmvc-c16", "WebMVC", 1, 480)));
		console.progress("round 2, webflux-c16");
		assertThat(screen()).startsWith("round 2, webflux-c16 | WebMVC 1.20 (1.1");
	}

	@Test
	void withoutATerminalThereIsALineEveryMinute() {
		Console console = console(false, 0);
		console.begin(Duration.ofMinutes(10));
		for (int seconds = 0; seconds < 130; seconds++) {
			console.progress("warm-up");
			pass(1);
		}
		console.say("said");
		console.close();
		assertThat(output()).isEqualTo("9:00 left, warm-up\n8:00 left, warm-up\nsaid\n");
	}

	@Test
	void aQuietConsoleTellsNothing() {
		PrintStream before = System.err;
		System.setErr(new PrintStream(this.bytes, true, StandardCharsets.UTF_8));
		try (Console console = Console.quiet()) {
			console.begin(Duration.ofMinutes(1));
			console.say("said");
			console.progress("progress");
		}
		finally {
			System.setErr(before);
		}
		assertThat(output()).isEmpty();
	}

	private Console console(boolean live, int columns) {
		return new Console(new PrintStream(this.bytes, true, StandardCharsets.UTF_8), live, columns, () -> this.nanos);
	}

	private void pass(int seconds) {
		this.nanos += Duration.ofSeconds(seconds).toNanos();
	}

	private String output() {
		return this.bytes.toString(StandardCharsets.UTF_8);
	}

	/**
	 * What the line shows.
	 */
	private String screen() {
		return output().substring(output().lastIndexOf("\r\033[K") + 4);
	}

}
