package io.gatewaybench.benchmark.engine;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.gatewaybench.benchmark.plan.LoadPlan;

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
	 * Runs a plan. Writes one JSON line per {@link ProgressEvent} to {@code events}, and
	 * at the end {@code load.json} (a {@link LoadResult}) and one {@code .hlog} per type
	 * and view. Ends early, and still writes what was measured, when {@code parent}
	 * reaches its end, the JVM is told to end, or the thread is interrupted. What fails
	 * is told on standard error.
	 * @param planJson the plan as JSON
	 * @param outDir where the results go; created if needed
	 * @param events where events go
	 * @param parent ends when the parent process is gone; every byte in it says that what
	 * was sent is {@linkplain ProgressListener#enough() enough}
	 * @return the exit code: 0 if the plan ran to its end, 1 if it was cut short, 2 if it
	 * could not run
	 */
	public static int run(Path planJson, Path outDir, PrintStream events, InputStream parent) {
		Run run = new Run(Thread.currentThread());
		CountDownLatch written = new CountDownLatch(1);
		Thread onExit = new Thread(() -> {
			run.cancel();
			awaitQuietly(written);
		}, "generator-exit");
		Runtime.getRuntime().addShutdownHook(onExit);
		NettyLoadEngine engine = new NettyLoadEngine();
		Thread watch = new Thread(() -> {
			followParent(parent, engine);
			run.cancel();
		}, "generator-parent");
		watch.setDaemon(true);
		watch.start();
		try {
			LoadPlan plan = LoadFiles.readPlan(planJson);
			Files.createDirectories(outDir);
			LoadResult result = engine.run(plan, (event) -> {
				events.println(LoadFiles.eventLine(event));
				events.flush();
			});
			new LoadFiles(outDir).writeResult(result);
			return result.complete() ? COMPLETE : CUT_SHORT;
		}
		catch (IOException | RuntimeException ex) {
			System.err.println("The load generator failed: " + ex.getMessage());
			// Into the generator's log, which the runner's one line points to
			ex.printStackTrace();
			return FAILED;
		}
		finally {
			run.over();
			written.countDown();
			removeHook(onExit);
		}
	}

	/**
	 * Runs a plan with standard input and output as parent and events.
	 * @param args the plan and the directory of the results
	 */
	public static void main(String[] args) {
		if (args.length != 2) {
			System.err.println("Usage: GeneratorMain <plan.json> <directory>");
			System.exit(FAILED);
		}
		System.exit(run(Path.of(args[0]), Path.of(args[1]), System.out, System.in));
	}

	private static void followParent(InputStream parent, NettyLoadEngine engine) {
		try {
			while (parent.read() >= 0) {
				engine.skip();
			}
		}
		catch (IOException ex) {
			System.err.println("The load generator lost its parent: " + ex.getMessage());
		}
	}

	private static void awaitQuietly(CountDownLatch written) {
		try {
			if (!written.await(WRITE_SECONDS, TimeUnit.SECONDS)) {
				System.err.println("The load generator could not write its results in time");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static void removeHook(Thread hook) {
		try {
			Runtime.getRuntime().removeShutdownHook(hook);
		}
		catch (IllegalStateException ex) {
			// The JVM is on its way out, and the hook is what waits for this thread
		}
	}

	/**
	 * Interrupts the thread of a run as long as the run lasts, and not what the thread
	 * does afterwards.
	 */
	private static final class Run {

		private final Thread thread;

		private boolean over;

		Run(Thread thread) {
			this.thread = thread;
		}

		synchronized void cancel() {
			if (!this.over) {
				this.thread.interrupt();
			}
		}

		synchronized void over() {
			this.over = true;
		}

	}

}
