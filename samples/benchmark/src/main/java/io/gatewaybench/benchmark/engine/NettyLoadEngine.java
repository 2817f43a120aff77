package io.gatewaybench.benchmark.engine;

import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.gatewaybench.benchmark.plan.LoadPlan;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import org.jspecify.annotations.Nullable;

/**
 * The embedded engine: one event loop that sends on time, checks every response and
 * accounts for every request, in the calling process.
 */
public final class NettyLoadEngine implements LoadEngine {

	private static final long SHUTDOWN_SECONDS = 5;

	private final Transport transport;

	private volatile @Nullable LoadRun current;

	/**
	 * Creates an engine on the best transport of this machine.
	 */
	public NettyLoadEngine() {
		this(Transport.best());
	}

	NettyLoadEngine(Transport transport) {
		this.transport = transport;
	}

	@Override
	public String name() {
		return "embedded/" + this.transport.name();
	}

	@Override
	public LoadResult run(LoadPlan plan, ProgressListener progress) {
		InetSocketAddress target = new InetSocketAddress(plan.target().getHost(), plan.port());
		if (target.isUnresolved()) {
			throw new LoadEngineException(
					"the host of target '%s' has no address; check its name and the resolver".formatted(plan.target()),
					null);
		}
		EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, this.transport.ioHandler());
		try (RequestMix mix = new RequestMix(plan)) {
			try {
				return run(plan, target, mix, group, progress);
			}
			finally {
				// Closes the connections, before the requests they may hold are released
				group.shutdownGracefully(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS).syncUninterruptibly();
			}
		}
	}

	/**
	 * Tells from any thread that what was sent is enough, as a listener may do.
	 * @see ProgressListener#enough()
	 */
	void skip() {
		LoadRun run = this.current;
		if (run != null) {
			run.skip();
		}
	}

	private LoadResult run(LoadPlan plan, InetSocketAddress target, RequestMix mix, EventLoopGroup group,
			ProgressListener progress) {
		BlockingQueue<Runnable> calls = new LinkedBlockingQueue<>();
		CompletableFuture<LoadResult> result = new CompletableFuture<>();
		LoadRun run = new LoadRun(plan, target, name(), this.transport, group.next(), mix,
				(event) -> calls.add(() -> progress.on(event)), result);
		result.whenComplete((ignored, failure) -> calls.add(() -> {
		}));
		this.current = run;
		run.start();
		boolean interrupted = false;
		while (!result.isDone() || !calls.isEmpty()) {
			try {
				calls.take().run();
				if (progress.enough()) {
					run.skip();
				}
			}
			catch (InterruptedException ex) {
				interrupted = true;
				run.cancel();
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		try {
			return result.join();
		}
		catch (CompletionException ex) {
			throw new LoadEngineException("the load engine failed in plan '%s'; this is a defect of the engine: %s"
				.formatted(plan.id(), ex.getCause()), ex.getCause());
		}
	}

}
