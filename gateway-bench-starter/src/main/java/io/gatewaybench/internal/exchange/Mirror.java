package io.gatewaybench.internal.exchange;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import javax.net.ssl.SSLContext;

import io.gatewaybench.internal.upstream.DeadlineTimer;
import io.gatewaybench.internal.upstream.IgnoredBody;
import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.upstream.InstanceChooser;
import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.UpstreamCall;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * Sends a share of the requests of an upstream to another one as well, and drops what
 * that answers. Nobody waits for it. It has connections of its own, with the JDK's client
 * on both flavours. So a mirror that is slow takes none from the requests of clients.
 */
public final class Mirror {

	static final int MAX_IN_FLIGHT = 256;

	static final int MAX_RESPONSE = 1024 * 1024;

	private static final Log logger = LogFactory.getLog(Mirror.class);

	private static final Duration LONGEST = Duration.ofMinutes(1);

	/** The client sets these itself, and a body has a length. */
	private static final Set<String> OF_CLIENT = Set.of("connection", "content-length", "expect", "host",
			"transfer-encoding", "upgrade");

	private static final byte[] EMPTY = {};

	private final Upstream target;

	private final double share;

	private final DeadlineTimer timer;

	private final Supplier<@Nullable SSLContext> certificates;

	private @Nullable HttpClient client;

	private final AtomicInteger inFlight = new AtomicInteger();

	private final LongAdder sent = new LongAdder();

	private final LongAdder failed = new LongAdder();

	private final LongAdder dropped = new LongAdder();

	/**
	 * Create the mirror.
	 * @param target where the requests go
	 * @param share how many of them, from 0 to 1
	 * @param timer ends those that take too long
	 * @param certificates whom to trust; {@code null} for whom the JVM trusts
	 */
	public Mirror(Upstream target, double share, DeadlineTimer timer, Supplier<@Nullable SSLContext> certificates) {
		this.target = target;
		this.share = share;
		this.timer = timer;
		this.certificates = certificates;
	}

	/**
	 * Not before it is needed, as the certificates are not there at the start. It ends
	 * when nothing refers to it any more. It does not ask whether the JVM has a proxy, as
	 * requests go to configured instances only.
	 */
	private synchronized HttpClient client() {
		HttpClient known = this.client;
		if (known == null) {
			HttpClient.Builder builder = HttpClient.newBuilder()
				.version(HttpClient.Version.HTTP_1_1)
				.followRedirects(HttpClient.Redirect.NEVER)
				.proxy(HttpClient.Builder.NO_PROXY);
			Duration timeout = this.target.timeouts().connect();
			if (!timeout.isZero()) {
				builder.connectTimeout(timeout);
			}
			SSLContext context = this.certificates.get();
			if (context != null) {
				builder.sslContext(context);
			}
			known = builder.build();
			this.client = known;
		}
		return known;
	}

	/** Whether a request is one of the share. */
	boolean takes() {
		return ThreadLocalRandom.current().nextDouble() < this.share;
	}

	/**
	 * Send a request.
	 * @param method the method
	 * @param original the URI of the original. The copy has the same path and query.
	 * @param headers the headers, which are read at once
	 * @param hasBody whether there is a body
	 * @param held the body, {@code null} if it is not held as a whole
	 */
	public void send(String method, URI original, HttpHeaders headers, boolean hasBody, byte @Nullable [] held) {
		byte[] body = hasBody ? held : EMPTY;
		if (body == null || !enter()) {
			this.dropped.increment();
			return;
		}
		UpstreamCall call = null;
		try {
			// It is told of no failure, as those of a copy are to eject nobody
			call = new UpstreamCall(this.target, method, true, GatewayMetrics.disabled(), InstanceChooser.Request.NONE);
			URI uri = call.instance().target(original.getRawPath(), original.getRawQuery());
			send(request(method, uri, headers, body), call);
		}
		catch (RuntimeException ex) {
			ended(call, ex);
		}
	}

	private boolean enter() {
		boolean free = this.inFlight.incrementAndGet() <= MAX_IN_FLIGHT;
		if (!free) {
			this.inFlight.decrementAndGet();
		}
		return free;
	}

	private static HttpRequest request(String method, URI uri, HttpHeaders headers, byte[] body) {
		HttpRequest.Builder request = HttpRequest.newBuilder(uri)
			.method(method, (body.length == 0) ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
		headers.forEach((name, values) -> {
			if (!OF_CLIENT.contains(name.toLowerCase(Locale.ROOT))) {
				values.forEach((value) -> request.header(name, value));
			}
		});
		return request.build();
	}

	private void send(HttpRequest request, UpstreamCall call) {
		CompletableFuture<?> response = client().sendAsync(request, (head) -> new IgnoredBody(MAX_RESPONSE));
		DeadlineTimer.Deadline deadline = this.timer.deadline(() -> response.cancel(true));
		Duration timeout = this.target.timeouts().response();
		deadline.await(timeout.isZero() ? LONGEST : timeout);
		response.whenComplete((nothing, error) -> {
			deadline.close();
			ended(call, error);
		});
	}

	private void ended(@Nullable UpstreamCall call, @Nullable Throwable error) {
		this.inFlight.decrementAndGet();
		if (call != null) {
			call.end();
		}
		if (error == null) {
			this.sent.increment();
		}
		else {
			this.failed.increment();
			logger.debug("A request to mirror '%s' failed".formatted(this.target.name()), error);
		}
	}

	/**
	 * {@return how many requests have been answered, whatever the answer was}
	 */
	public long sent() {
		return this.sent.sum();
	}

	/**
	 * {@return how many requests have no answer, or a part of one}
	 */
	public long failed() {
		return this.failed.sum();
	}

	/**
	 * {@return how many requests have not been sent, as their body was too large or too
	 * many were on their way}
	 */
	public long dropped() {
		return this.dropped.sum();
	}

}
