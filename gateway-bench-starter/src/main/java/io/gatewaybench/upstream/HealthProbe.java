package io.gatewaybench.upstream;

import java.net.ProtocolException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Pattern;

import javax.net.ssl.SSLContext;

import io.gatewaybench.internal.upstream.HealthCheckSettings;
import io.gatewaybench.internal.upstream.IgnoredBody;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Asks an instance whether it is healthy.
 */
final class HealthProbe implements AutoCloseable {

	static final String USER_AGENT = "gateway-bench-health-check";

	private static final Log logger = LogFactory.getLog(HealthProbe.class);

	private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\u0080-\\u009f]");

	private static final int MAX_BODY = 65_536;

	private static final int CLOSE_TIMEOUT_MILLIS = 1000;

	/**
	 * A name may lead to another address by then. A client keeps a connection that is in
	 * use.
	 */
	private static final int INTERVALS_OF_A_CLIENT = 10;

	private final Set<CompletableFuture<?>> running = ConcurrentHashMap.newKeySet();

	private final ScheduledExecutorService executor;

	/**
	 * The client looks up the names of hosts here, which may take long. There are no more
	 * threads than checks that run.
	 */
	private final ExecutorService workers = new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS,
			new SynchronousQueue<>(), HealthChecks::thread);

	private final Duration timeout;

	private final Duration maxAge;

	private final Function<@Nullable String, @Nullable SSLContext> certificates;

	/** By the name of their bundle, with an empty one for no bundle. */
	private final Map<String, Client> clients = new ConcurrentHashMap<>();

	HealthProbe(ScheduledExecutorService executor, HealthCheckSettings settings,
			Function<@Nullable String, @Nullable SSLContext> certificates) {
		this.executor = executor;
		this.timeout = settings.timeout();
		this.maxAge = settings.interval().multipliedBy(INTERVALS_OF_A_CLIENT);
		this.certificates = certificates;
	}

	/**
	 * A client that is too old ends when its last check has ended.
	 */
	private HttpClient client(String bundle) {
		return this.clients.compute(bundle,
				(name, known) -> (known != null && System.nanoTime() - known.since() < this.maxAge.toNanos()) ? known
						: new Client(newClient(name), System.nanoTime()))
			.client();
	}

	private HttpClient newClient(String bundle) {
		HttpClient.Builder builder = HttpClient.newBuilder()
			.version(HttpClient.Version.HTTP_1_1)
			.followRedirects(HttpClient.Redirect.NEVER)
			.proxy(HttpClient.Builder.NO_PROXY)
			.executor(this.workers);
		SSLContext context = this.certificates.apply(bundle.isEmpty() ? null : bundle);
		return ((context != null) ? builder.sslContext(context) : builder).build();
	}

	/**
	 * How many instances have not answered yet.
	 */
	int running() {
		return this.running.size();
	}

	/**
	 * Ask one instance.
	 * @param instance the instance
	 * @param path the path to ask for
	 * @param bundle name of the bundle with the certificates, or {@code null}
	 * @return completed by the executor, with {@code null} if the instance is healthy or
	 * else with the reason why it is taken not to be
	 */
	CompletableFuture<@Nullable String> ask(Instance instance, String path, @Nullable String bundle) {
		HttpRequest request = HttpRequest.newBuilder(instance.target(path, null))
			.header("User-Agent", USER_AGENT)
			.build();
		CompletableFuture<? extends HttpResponse<?>> response = client((bundle != null) ? bundle : "")
			.sendAsync(request, (head) -> new IgnoredBody(MAX_BODY));
		// That of the client ends with the head of the answer
		Future<?> deadline = this.executor.schedule(() -> response.cancel(true), this.timeout.toNanos(),
				TimeUnit.NANOSECONDS);
		this.running.add(response);
		return response.handleAsync((answer, error) -> {
			deadline.cancel(false);
			this.running.remove(response);
			return (answer != null) ? failure(answer.statusCode()) : failure(error);
		}, this.executor);
	}

	private static @Nullable String failure(int status) {
		return (status >= 200 && status <= 299) ? null : "status " + status;
	}

	/**
	 * The client puts into a ProtocolException what the instance has sent, or into the
	 * exception for a length that is no number.
	 */
	private String failure(Throwable error) {
		Throwable cause = (error instanceof CompletionException && error.getCause() != null) ? error.getCause() : error;
		if (cause instanceof CancellationException) {
			return "no answer within %d ms".formatted(this.timeout.toMillis());
		}
		return (cause instanceof ProtocolException || cause instanceof IllegalArgumentException)
				? "an answer that is not HTTP/1.1" : CONTROL.matcher(cause.toString()).replaceAll("?");
	}

	/**
	 * Let go of all connections. Before Java 21 a client can't be closed. It ends when it
	 * is not referenced any more. A client that closes waits for its threads, and one of
	 * them may wait for a name.
	 */
	@Override
	public void close() {
		this.running.forEach((response) -> response.cancel(true));
		Thread closing = HealthChecks.thread(() -> this.clients.values().forEach((client) -> close(client.client())));
		closing.start();
		try {
			closing.join(CLOSE_TIMEOUT_MILLIS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.workers.shutdownNow();
	}

	private static void close(HttpClient client) {
		if (client instanceof AutoCloseable closeable) {
			try {
				closeable.close();
			}
			catch (Exception ex) {
				logger.debug("The client of the health checks was not closed", ex);
			}
		}
	}

	/**
	 * A client for checks.
	 *
	 * @param client the client
	 * @param since when it was made
	 */
	private record Client(HttpClient client, long since) {
	}

}
