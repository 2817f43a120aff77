package io.gatewaybench.benchmark.run;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.LongStream;

import io.gatewaybench.benchmark.engine.Progress;
import io.gatewaybench.benchmark.plan.Stage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ConsoleTests {

	private static final Stage MEASUREMENT = Stage.closed("webflux-c16", Stage.Kind.MEASURE, Duration.ofSeconds(8));

	private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

	private final List<RunEvent> events = new ArrayList<>();

	private long nanos = 5;

	@ParameterizedTest
	@CsvSource({ "xterm, , true", "xterm, '', true", "dumb, , false", ", , false", "xterm, 1, false" })
	void noTerminalButOneThatCanMoveItsCursorHasAView(@Nullable String term, @Nullable String noColor, boolean can) {
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
	void aViewShowsPlacePhaseFiguresAndTheTimeThatIsLeft() {
		try (Console console = live(80)) {
			console.begin(Duration.ofSeconds(272));
			Console.Task task = console.task("webflux-c16, 3 of 8");
			console.tick();
			assertThat(screen()).containsExactly("webflux-c16, 3 of 8", "start, 0 s", "run: 4:32 left at most", "");
			Consumer<Progress> second = task.begin("measurement", MEASUREMENT);
			second.accept(progress(0, 2000, 3, 40.04));
			pass(1);
			second.accept(progress(1, 1000, 1, null));
			pass(1);
			console.tick();
			assertThat(screen()).containsExactly("webflux-c16, 3 of 8", "measurement, 2 of 8 s",
					"1,000 req/s, 4 errors", "█▅", "run: 4:30 left at most", "");
			second.accept(progress(2, 1500, 0, 40.04));
			console.tick();
			assertThat(screen()).contains("1,500 req/s, 4 errors, P99 40.0 ms", "█▅▆");
		}
		assertThat(screen()).containsExactly("");
	}

	@Test
	void aViewGoesOnWhileNothingIsTold() {
		Console console = live(80);
		console.task("wrk").begin("measurement", MEASUREMENT);
		pass(5);
		console.tick();
		assertThat(screen()).containsExactly("wrk", "measurement, 5 of 8 s", "");
		pass(100);
		console.tick();
		assertThat(screen()).containsExactly("wrk", "measurement, 8 of 8 s", "");
	}

	@Test
	void aRunThatTakesLongerThanPlannedSaysSo() {
		Console console = live(80);
		console.begin(Duration.ofSeconds(60));
		pass(60);
		console.tick();
		assertThat(screen()).containsExactly("run: 0:00 left at most", "");
		pass(1);
		console.tick();
		assertThat(screen()).containsExactly("run: takes longer than planned", "");
	}

	@Test
	void aLoadThatEndsByIterationsTellsHowManyAreDone() {
		Console console = live(80);
		Consumer<Progress> second = console.task("webflux-c16x100")
			.begin("measurement", MEASUREMENT.withIterations(100));
		second.accept(new Progress("webflux-c16x100", 0, 100, 0, 0.25, 1.0));
		console.tick();
		assertThat(screen()).contains("measurement, 25 %");
	}

	@Test
	void whatIsSaidStandsAboveTheView() {
		Console console = live(80);
		console.begin(Duration.ofSeconds(60));
		console.say("before");
		Console.Task task = console.task("webflux-c16");
		console.tick();
		console.say("while it runs, a line that is longer than those of the view");
		assertThat(screen()).containsExactly("before", "while it runs, a line that is longer than those of the view",
				"webflux-c16", "start, 0 s", "run: 1:00 left at most", "");
		task.close();
		console.tick();
		console.say("after");
		assertThat(screen()).endsWith("after", "run: 1:00 left at most", "");
		console.close();
		console.say("at the end");
		assertThat(screen()).containsExactly("before", "while it runs, a line that is longer than those of the view",
				"after", "at the end", "");
	}

	@Test
	void sessionsThatRunAtTheSameTimeAreAllShown() {
		Console console = live(80);
		console.task("webflux-bare-c16, 1 of 2");
		console.task("webflux-all-c16, 2 of 2").begin("run-up", MEASUREMENT);
		console.tick();
		assertThat(screen()).containsExactly("webflux-bare-c16, 1 of 2", "start, 0 s", "webflux-all-c16, 2 of 2",
				"run-up, 0 of 8 s", "");
	}

	@Test
	void theCpuTimeIsShownAsSoonAsItIsKnown() {
		Console console = live(80);
		Console.Task task = console.task("webflux-c16");
		AtomicReference<@Nullable Double> cores = new AtomicReference<>();
		task.cores(cores::get);
		task.begin("measurement", MEASUREMENT).accept(progress(0, 1000, 0, 40.04));
		console.tick();
		assertThat(screen()).contains("1,000 req/s, 0 errors, P99 40.0 ms");
		cores.set(1.426);
		console.tick();
		assertThat(screen()).contains("1,000 req/s, 0 errors, P99 40.0 ms, 1.43 cores");
	}

	@Test
	void aNarrowTerminalCutsLinesAndDoesNotWrapThem() {
		Console console = live(40);
		console.begin(Duration.ofMinutes(1));
		Console.Task task = console.task("webmvc-vt-published-c100, 11 of 12, block 1 of 5 at most");
		Consumer<Progress> second = task.begin("measurement", MEASUREMENT);
		LongStream.range(0, 40).forEach((number) -> second.accept(progress((int) number, 123_456, 0, 1234.5)));
		console.tick();
		assertThat(screen()).containsExactly("webmvc-vt-published-c100, 11 of 12, bloc", "measurement, 0 of 8 s",
				"123,456 req/s, 0 errors, P99 1234.5 ms", "█".repeat(30), "run: 1:00 left at most", "");
	}

	@Test
	void everyDrawingLeavesCompleteLinesAndTheTerminalAsItWas() {
		Console console = live(80);
		console.task("webflux-c16");
		for (int drawing = 0; drawing < 2; drawing++) {
			console.tick();
			assertThat(output()).endsWith("start, 0 s\033[K\n\033[?7h\033[J").doesNotContain("\033[?25l");
			assertThat(screen()).endsWith("start, 0 s", "");
		}
	}

	@Test
	void aTerminalWithoutUnicodeGetsItsSparklineInAscii() {
		LiveView view = new LiveView(new PrintStream(this.bytes, true, StandardCharsets.US_ASCII), 80);
		assertThat(view.sparkline(List.of(0L, 50L, 100L))).isEqualTo("_=#");
		assertThat(view.sparkline(List.of(0L))).isEqualTo("_");
	}

	@Test
	void withoutATerminalEveryTickIsALineOfText() {
		Console console = console(null, StandardCharsets.UTF_8);
		console.tick();
		assertThat(output()).isEmpty();
		Console.Task task = console.task("webflux-c16, 1 of 8");
		console.tick();
		console.begin(Duration.ofMinutes(10));
		task.begin("warm-up 2 of at most 20", MEASUREMENT).accept(progress(0, 400, 0, 40.0));
		pass(5);
		console.tick();
		console.say("said");
		task.close();
		console.tick();
		assertThat(output()).isEqualTo("""
				webflux-c16, 1 of 8: start, 0 s
				webflux-c16, 1 of 8: warm-up 2 of at most 20, 5 of 8 s, 400 req/s, 0 errors, P99 40.0 ms; \
				run: 9:55 left at most
				said
				""");
	}

	@Test
	void aQuietConsoleTellsNothing() throws InterruptedException {
		PrintStream before = System.err;
		System.setErr(new PrintStream(this.bytes, true, StandardCharsets.UTF_8));
		try (Console console = Console.quiet()) {
			console.begin(Duration.ofMinutes(1));
			console.say("said");
			Console.Task task = console.task("webflux-c16");
			task.rest(Duration.ofMillis(1));
			console.tick();
		}
		finally {
			System.setErr(before);
		}
		assertThat(output()).isEmpty();
	}

	@Test
	void eventsAreNothingForPeople() {
		Console console = console(null, StandardCharsets.UTF_8);
		RunEvent event = new RunEvent.ScenarioBegun("webflux-c16", 1, false);
		console.task("webflux-c16").tell(event);
		assertThat(this.events).containsExactly(event);
		assertThat(output()).isEmpty();
	}

	private Console live(int columns) {
		return console(new LiveView(new PrintStream(this.bytes, true, StandardCharsets.UTF_8), columns),
				StandardCharsets.UTF_8);
	}

	private Console console(@Nullable LiveView view, Charset charset) {
		return new Console(new PrintStream(this.bytes, true, charset), view, this.events::add, () -> this.nanos,
				(length) -> {
				});
	}

	private void pass(int seconds) {
		this.nanos += Duration.ofSeconds(seconds).toNanos();
	}

	private static Progress progress(int second, long ok, long errors, @Nullable Double p99Ms) {
		return new Progress("webflux-c16", second, ok, errors, 0.5, p99Ms);
	}

	private String output() {
		return this.bytes.toString(StandardCharsets.UTF_8);
	}

	/**
	 * What a terminal shows, as far as it knows the sequences that the view sends. The
	 * last line is the one of the cursor.
	 */
	private List<String> screen() {
		List<StringBuilder> lines = new ArrayList<>(List.of(new StringBuilder()));
		int row = 0;
		int column = 0;
		String text = output();
		for (int i = 0; i < text.length(); i++) {
			char next = text.charAt(i);
			if (next == '\n') {
				row++;
				column = 0;
				if (row == lines.size()) {
					lines.add(new StringBuilder());
				}
			}
			else if (next == '\r') {
				column = 0;
			}
			else if (next == '\033') {
				int end = i + 2;
				while (!Character.isLetter(text.charAt(end))) {
					end++;
				}
				String parameter = text.substring(i + 2, end);
				StringBuilder line = lines.get(row);
				switch (text.charAt(end)) {
					case 'A' -> row -= Integer.parseInt(parameter);
					case 'K' -> line.setLength(Math.min(column, line.length()));
					case 'J' -> {
						line.setLength(Math.min(column, line.length()));
						lines.subList(row + 1, lines.size()).clear();
					}
					case 'h', 'l' -> assertThat(parameter).isEqualTo("?7");
					default -> throw new AssertionError("unknown sequence " + text.substring(i + 1, end + 1));
				}
				i = end;
			}
			else {
				StringBuilder line = lines.get(row);
				line.replace(column, Math.min(column + 1, line.length()), String.valueOf(next));
				column++;
			}
		}
		return lines.stream().map(StringBuilder::toString).toList();
	}

}
