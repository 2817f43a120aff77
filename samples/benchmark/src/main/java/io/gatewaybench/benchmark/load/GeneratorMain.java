package io.gatewaybench.benchmark.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The generator's own process.
 */
public final class GeneratorMain {

	private static final int COMPLETE = 0;

	private static final int CUT_SHORT = 1;

	private static final int FAILED = 2;

	private static final long WRITE_SECONDS = 10;

	private GeneratorMain() {
	}

	/**
	 * Sends stages. Each line of {@code requests} is a {@link Stage} as JSON. The answers
	 * are a line for every second, and one with the {@link StageResult}; the first line
	 * of all says that the generator is ready. Ends when {@code requests} reaches its
	 * end, the JVM is told to end, or the thread is interrupted. Then cuts the stage
	 * short that runs, answers, and writes {@code load.json} with all stages. What fails
	 * is told on standard error.
	 * @param planJson the plan as JSON
	 * @param outDir where the files go; created if needed
	 * @param answers where the answers go
	 * @param requests where the stages come from; ends when the parent process is gone
	 * @return the exit code: 0 if every stage ran to its end, 1 if the last one was cut
	 * short, 2 if it failed
	 */
	public static int run(Path planJson, Path outDir, OutputStream answers, InputStream requests) {
		Thread own = Thread.currentThread();
		CompletableFuture<Boolean> written = new CompletableFuture<>();
		Runtime.getRuntime().addShutdownHook(new Thread(() -> {
			own.interrupt();
			if (!written.completeOnTimeout(false, WRITE_SECONDS, TimeUnit.SECONDS).join()) {
				System.err.println("The load generator could not write its results in time");
			}
		}, "generator-exit"));
		BlockingQueue<String> stages = new LinkedBlockingQueue<>();
		Thread reader = new Thread(() -> {
			read(requests, stages);
			own.interrupt();
		}, "generator-requests");
		reader.setDaemon(true);
		reader.start();
		try {
			LoadPlan plan = LoadFiles.read(planJson, LoadPlan.class);
			Files.createDirectories(outDir);
			List<StageResult> results = new ArrayList<>();
			LoadSession session = new NettyLoadSession(plan);
			try (session) {
				serve(session, stages, new PrintStream(answers, true, StandardCharsets.UTF_8), results);
			}
			finally {
				// Connections that are open may have taken the last file descriptor
				new LoadFiles(outDir).writeResult(new LoadResult(session.engine(), complete(results), results));
			}
			return complete(results) ? COMPLETE : CUT_SHORT;
		}
		catch (IOException | RuntimeException ex) {
			// Into the generator's log, of which the runner shows the last lines
			ex.printStackTrace();
			System.err.println("The load generator failed: " + ex.getMessage());
			return FAILED;
		}
		finally {
			written.complete(true);
		}
	}

	private static boolean complete(List<StageResult> results) {
		return results.stream().allMatch(StageResult::complete);
	}

	private static void serve(LoadSession session, BlockingQueue<String> stages, PrintStream answers,
			List<StageResult> results) {
		try {
			GeneratorLine.Ready ready = new GeneratorLine.Ready(session.engine(), ProcessHandle.current().pid());
			answers.println(LoadFiles.line(new GeneratorLine(ready, null, null)));
			while (true) {
				StageResult result = session.run(LoadFiles.parse(stages.take(), Stage.class),
						(second) -> answers.println(LoadFiles.line(new GeneratorLine(null, second, null))));
				results.add(result);
				answers.println(LoadFiles.line(new GeneratorLine(null, null, result)));
			}
		}
		catch (InterruptedException ex) {
			// No further stage comes
		}
	}

	private static void read(InputStream requests, BlockingQueue<String> stages) {
		try (BufferedReader reader = new BufferedReader(new InputStreamReader(requests, StandardCharsets.UTF_8))) {
			reader.lines().forEach(stages::add);
		}
		catch (IOException | UncheckedIOException ex) {
			System.err.println("The load generator lost its parent: " + ex.getMessage());
		}
	}

}
