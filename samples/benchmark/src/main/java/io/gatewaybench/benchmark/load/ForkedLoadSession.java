package io.gatewaybench.benchmark.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.benchmark.failure.BenchFailure;

import tools.jackson.core.JacksonException;

/**
 * A session in a process of its own: a line on its standard input for every stage, lines
 * on its standard output until the stage is over.
 */
final class ForkedLoadSession implements LoadSession {

	static final Duration STOP = Duration.ofSeconds(10);

	private final LoadPlan plan;

	private final LoadFiles files;

	private final LineProcess process;

	private final Duration patience;

	private final long pid;

	private final List<StageResult> results = new ArrayList<>();

	private boolean over;

	/**
	 * Waits until a process is ready.
	 * @param plan its plan
	 * @param files where its files go
	 * @param process the process
	 * @param patience how long it may say nothing, besides what it waits for
	 */
	ForkedLoadSession(LoadPlan plan, LoadFiles files, LineProcess process, Duration patience)
			throws InterruptedException {
		this.plan = plan;
		this.files = files;
		this.process = process;
		this.patience = patience;
		Long first = next(this.patience, false).pid();
		if (first == null) {
			throw new BenchFailure("the load generator is not ready" + process.lastWords());
		}
		this.pid = first;
	}

	@Override
	public long pid() {
		return this.pid;
	}

	@Override
	public StageResult run(Stage stage) throws InterruptedException {
		this.plan.check(stage, this.over);
		// Until it is known that this one went well
		this.over = true;
		Duration limit = limit(stage);
		this.process.tell(LoadFiles.line(stage));
		boolean interrupted = false;
		while (true) {
			try {
				StageResult result = next(limit, interrupted).result();
				if (result != null) {
					this.results.add(result);
					this.over = interrupted;
					if (interrupted) {
						Thread.currentThread().interrupt();
					}
					return result;
				}
			}
			catch (InterruptedException ex) {
				if (interrupted) {
					throw ex;
				}
				interrupted = true;
				this.process.end();
			}
		}
	}

	// It tells every second, but not while it opens connections
	private Duration limit(Stage stage) {
		int batches = this.plan.total(stage) / OpeningTraffic.AT_A_TIME + 1;
		return this.patience.plus(this.plan.timeouts().connect().multipliedBy(batches))
			.plus(this.plan.timeouts().response());
	}

	/**
	 * The next line.
	 * @param limit how long to wait for it
	 * @param interrupted whether the generator was told to end, and has to answer soon
	 */
	private GeneratorLine next(Duration limit, boolean interrupted) throws InterruptedException {
		try {
			while (true) {
				String line = this.process.hear(interrupted ? STOP : limit);
				if (line == null) {
					this.process.kill();
					throw new BenchFailure("the load generator stands still: it said nothing for %d s%s"
						.formatted(limit.toSeconds(), this.process.lastWords()));
				}
				try {
					return LoadFiles.parse(line, GeneratorLine.class);
				}
				catch (JacksonException ex) {
					// Not the generator, but something in its JVM has written
					Files.writeString(this.files.log(), line + "\n", StandardOpenOption.APPEND);
				}
			}
		}
		catch (BenchFailure ex) {
			if (interrupted) {
				throw new InterruptedException("the load generator was stopped and left no result");
			}
			throw ex;
		}
		catch (IOException ex) {
			throw new BenchFailure("%s can't be written: %s".formatted(this.files.log(), ex), ex);
		}
	}

	@Override
	public void close() {
		this.over = true;
		this.process.close();
		this.files.writeResult(new LoadResult(this.results));
	}

}
