package io.gatewaybench.benchmark.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The generator's own process.
 */
public final class GeneratorMain {

	private static final int FAILED = 2;

	private static final long ANSWER_SECONDS = 10;

	private GeneratorMain() {
	}

	/**
	 * Sends stages. Each line of {@code requests} is a {@link Stage} as JSON. The answers
	 * are a line for every second, and one with the {@link StageResult}; the first line
	 * of all says that the generator is ready. Ends when {@code requests} reaches its
	 * end, the JVM is told to end, or the thread is interrupted. Then cuts the stage
	 * short that runs, and answers. What fails is told on standard error.
	 * @param planJson the plan as JSON
	 * @param answers where the answers go
	 * @param requests where the stages come from; ends when the parent process is gone
	 * @return the exit code: 0 unless it failed
	 */
	public static int run(Path planJson, OutputStream answers, InputStream requests) {
		Thread own = Thread.currentThread();
		CompletableFuture<Boolean> answered = new CompletableFuture<>();
		Runtime.getRuntime().addShutdownHook(new Thread(() -> {
			own.interrupt();
			answered.completeOnTimeout(false, ANSWER_SECONDS, TimeUnit.SECONDS).join();
		}, "generator-exit"));
		BlockingQueue<String> stages = new LinkedBlockingQueue<>();
		Thread reader = new Thread(() -> {
			try {
				new BufferedReader(new InputStreamReader(requests, StandardCharsets.UTF_8)).lines()
					.forEach(stages::add);
			}
			finally {
				own.interrupt();
			}
		}, "generator-requests");
		reader.setDaemon(true);
		reader.start();
		PrintStream lines = new PrintStream(answers, true, StandardCharsets.UTF_8);
		String alive = LoadFiles.line(new GeneratorLine(null, null));
		try (LoadSession session = new NettyLoadSession(LoadFiles.read(planJson, LoadPlan.class), Transport.best(),
				() -> lines.println(alive))) {
			lines.println(LoadFiles.line(new GeneratorLine(session.pid(), null)));
			while (true) {
				StageResult result = session.run(LoadFiles.parse(stages.take(), Stage.class));
				lines.println(LoadFiles.line(new GeneratorLine(null, result)));
			}
		}
		catch (InterruptedException ex) {
			// No further stage comes
			return 0;
		}
		catch (IOException | RuntimeException ex) {
			// Into the generator's log, of which the runner shows the last lines
			ex.printStackTrace();
			System.err.println("The load generator failed: " + ex.getMessage());
			return FAILED;
		}
		finally {
			answered.complete(true);
		}
	}

}
