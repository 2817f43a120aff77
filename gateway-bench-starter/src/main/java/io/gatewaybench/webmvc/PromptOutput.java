package io.gatewaybench.webmvc;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;

import io.gatewaybench.internal.upstream.Abortable;
import io.gatewaybench.internal.upstream.DeadlineTimer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Output to the client that sends on what it has got when the upstream pauses, whatever
 * the type of the body is. The server alone would keep it until its buffer is full. The
 * thread of the request waits for the upstream then, so another one flushes. While the
 * upstream goes on, nothing is flushed.
 */
final class PromptOutput extends OutputStream implements Abortable {

	private static final Log logger = LogFactory.getLog(PromptOutput.class);

	private static final Duration PAUSE = Duration.ofMillis(5);

	private final OutputStream out;

	private final DeadlineTimer timer;

	private final Executor executor;

	private final AtomicReference<State> state = new AtomicReference<>(State.WRITING);

	private final Semaphore flushed = new Semaphore(0);

	private long left;

	private boolean unsent;

	private DeadlineTimer.@Nullable Deadline deadline;

	/**
	 * Create the output.
	 * @param out output of the server
	 * @param length how many bytes are to come, or -1 if unknown
	 * @param timer what tells that the upstream pauses
	 * @param executor what flushes; it may take as long as the client
	 */
	PromptOutput(OutputStream out, long length, DeadlineTimer timer, Executor executor) {
		this.out = out;
		this.left = length;
		this.timer = timer;
		this.executor = executor;
	}

	@Override
	public void write(int single) throws IOException {
		write(new byte[] { (byte) single }, 0, 1);
	}

	@Override
	public void write(byte[] bytes, int offset, int length) throws IOException {
		this.out.write(bytes, offset, length);
		this.left -= length;
		this.unsent = true;
	}

	@Override
	public void flush() throws IOException {
		this.out.flush();
		this.unsent = false;
	}

	/**
	 * The thread of the request is about to wait for the upstream.
	 */
	void await() {
		if (!this.unsent || this.left == 0) {
			return;
		}
		DeadlineTimer.Deadline current = this.deadline;
		if (current == null || current.isExpired()) {
			close();
			current = this.timer.deadline(this);
			this.deadline = current;
		}
		this.state.set(State.WAITING);
		current.await(PAUSE);
	}

	/**
	 * The upstream goes on, or has ended.
	 */
	void arrived() {
		if (this.state.get() == State.WRITING) {
			return;
		}
		if (this.deadline != null) {
			this.deadline.arrived();
		}
		if (!this.state.compareAndSet(State.WAITING, State.WRITING)) {
			this.flushed.acquireUninterruptibly();
			this.unsent = false;
			this.state.set(State.WRITING);
		}
	}

	/**
	 * The upstream pauses. The timer has no time to wait for a slow client.
	 */
	@Override
	public void abort() {
		if (this.state.compareAndSet(State.WAITING, State.FLUSHING)) {
			try {
				this.executor.execute(this::send);
			}
			catch (RuntimeException | Error ex) {
				// The thread of the request would wait for the flush for ever
				this.flushed.release();
				throw ex;
			}
		}
	}

	private void send() {
		try {
			this.out.flush();
		}
		catch (IOException | RuntimeException ex) {
			// The next write fails as well, in the thread that can act upon it
			logger.debug("The client did not take what was there", ex);
		}
		finally {
			this.flushed.release();
		}
	}

	@Override
	public void close() {
		if (this.deadline != null) {
			this.deadline.close();
			this.deadline = null;
		}
	}

	private enum State {

		WRITING, WAITING, FLUSHING

	}

}
