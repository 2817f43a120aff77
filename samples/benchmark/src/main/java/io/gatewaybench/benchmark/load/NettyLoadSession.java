package io.gatewaybench.benchmark.load;

import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.gatewaybench.benchmark.failure.BenchFailure;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;

/**
 * A session of the embedded engine, in the calling process: one event loop that sends on
 * time, checks every response and accounts for every request, and the connections that
 * stay.
 */
public final class NettyLoadSession implements LoadSession {

	private static final long SHUTDOWN_SECONDS = 5;

	private final LoadPlan plan;

	private final Transport transport;

	private final RequestSequences sequences;

	private final EventLoopGroup group;

	private final Timers timers;

	private final ConnectionPool pool;

	private final Runnable everySecond;

	// Completes only if the event loop fails, which may be between two stages
	private final CompletableFuture<StageResult> failure = new CompletableFuture<>();

	private boolean over;

	/**
	 * A session on the best transport of this machine.
	 * @param plan what is sent, and to whom
	 * @throws BenchFailure if the target has no address
	 */
	public NettyLoadSession(LoadPlan plan) {
		this(plan, Transport.best(), () -> {
		});
	}

	/**
	 * A session that gives signs of life.
	 * @param everySecond run by the event loop in every second of a stage, and quick
	 */
	NettyLoadSession(LoadPlan plan, Transport transport, Runnable everySecond) {
		InetSocketAddress target = new InetSocketAddress(plan.target().getHost(), plan.port());
		if (target.isUnresolved()) {
			throw new BenchFailure(
					"the host of target '%s' has no address; check its name and the resolver".formatted(plan.target()));
		}
		this.plan = plan;
		this.transport = transport;
		this.everySecond = everySecond;
		this.sequences = new RequestSequences(plan.seed());
		this.group = new MultiThreadIoEventLoopGroup(1, transport.ioHandler());
		EventLoop loop = this.group.next();
		this.timers = new Timers(loop, this.failure::completeExceptionally);
		this.pool = new ConnectionPool(plan, target, loop, transport, this.timers);
	}

	@Override
	public long pid() {
		return ProcessHandle.current().pid();
	}

	@Override
	public StageResult run(Stage stage) {
		this.plan.check(stage, this.over);
		// Until it is known that this one went well
		this.over = true;
		CompletableFuture<StageResult> done = new CompletableFuture<>();
		CompletableFuture<Object> result = CompletableFuture.anyOf(done, this.failure);
		CountDownLatch ended = new CountDownLatch(1);
		result.whenComplete((ignored, cause) -> ended.countDown());
		RequestMix mix = new RequestMix(this.plan.mix(stage), this.plan.target());
		StageRun run = new StageRun(this.plan, stage, this.pool, this.timers, mix, this.sequences.next(stage),
				this.transport, this.everySecond, done::complete);
		this.timers.soon(run::start);
		boolean interrupted = false;
		while (!result.isDone()) {
			try {
				ended.await();
			}
			catch (InterruptedException ex) {
				interrupted = true;
				this.timers.soon(run::cancel);
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		this.over = interrupted;
		return result(result);
	}

	private StageResult result(CompletableFuture<Object> result) {
		try {
			return (StageResult) result.join();
		}
		catch (CompletionException ex) {
			this.over = true;
			if (ex.getCause() instanceof BenchFailure explained) {
				throw explained;
			}
			throw new BenchFailure("the load engine failed in plan '%s'; this is a defect of the engine: %s"
				.formatted(this.plan.id(), ex.getCause()), ex.getCause());
		}
	}

	@Override
	public void close() {
		this.over = true;
		if (!this.group.isShuttingDown()) {
			// The event loop of Netty 4.2 often leaves them open when it ends
			this.timers.soon(this.pool::close);
			this.group.shutdownGracefully(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS).syncUninterruptibly();
		}
	}

}
