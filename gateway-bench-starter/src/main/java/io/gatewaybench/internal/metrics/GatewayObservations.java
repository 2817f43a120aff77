package io.gatewaybench.internal.metrics;

import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

import io.gatewaybench.metrics.AttemptObservationContext;
import io.gatewaybench.metrics.AttemptObservationConvention;
import io.gatewaybench.metrics.ExchangeObservationContext;
import io.gatewaybench.metrics.ExchangeObservationConvention;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Observes exchanges and their attempts with Micrometer, so that meters and traces come
 * of them. A handler that throws breaks no request; that is logged once.
 */
public final class GatewayObservations {

	private static final Log logger = LogFactory.getLog(GatewayObservations.class);

	private static final ExchangeObservationConvention EXCHANGE = new ExchangeObservationConvention() {
	};

	private static final AttemptObservationConvention ATTEMPT = new AttemptObservationConvention() {
	};

	/**
	 * The registered methods that OpenTelemetry names.
	 */
	private static final Set<String> METHODS = Set.of("CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST",
			"PUT", "QUERY", "TRACE");

	private static final int MAX_NAMES = 10_000;

	private static final String NONE = "none";

	/**
	 * Observes nothing.
	 */
	public static final GatewayObservations OFF = new GatewayObservations(ObservationRegistry.NOOP, null, null);

	private final ObservationRegistry registry;

	private final @Nullable ExchangeObservationConvention exchangeConvention;

	private final @Nullable AttemptObservationConvention attemptConvention;

	private final BoundedCache<String> routes = names("observed routes");

	private final BoundedCache<String> instances = names("observed instances");

	private final AtomicBoolean failed = new AtomicBoolean();

	/**
	 * Observe with a registry.
	 * @param registry the registry
	 * @param exchangeConvention name and tags of exchanges, {@code null} for the default
	 * @param attemptConvention name and tags of attempts, {@code null} for the default
	 */
	public GatewayObservations(ObservationRegistry registry, @Nullable ExchangeObservationConvention exchangeConvention,
			@Nullable AttemptObservationConvention attemptConvention) {
		this.registry = registry;
		this.exchangeConvention = exchangeConvention;
		this.attemptConvention = attemptConvention;
	}

	private static BoundedCache<String> names(String kind) {
		return new BoundedCache<>(kind, new Semaphore(MAX_NAMES), UnaryOperator.identity());
	}

	/**
	 * The tag value of a method. A client may invent methods, and each would make meters
	 * of its own.
	 * @param method the method of a request
	 * @return the method if it is registered, else OpenTelemetry's {@code _OTHER}
	 */
	public static String method(String method) {
		return METHODS.contains(method) ? method : "_OTHER";
	}

	/**
	 * Whether anything is observed.
	 * @return {@code false} if it costs nothing
	 */
	public boolean isOn() {
		return !this.registry.isNoop();
	}

	/**
	 * Begin to observe an exchange.
	 * @param route id of its route, {@code null} if it has none
	 * @param server what the observation of the server knows, which is the parent;
	 * {@code null} if the server is not observed
	 * @return the observation, to be ended
	 */
	public ExchangeObservation exchange(@Nullable String route, Observation.@Nullable ContextView server) {
		ExchangeObservationContext context = new ExchangeObservationContext(route(route));
		ExchangeObservation observation = new ExchangeObservation(this, context,
				Observation.createNotStarted(this.exchangeConvention, EXCHANGE, () -> context, this.registry), server);
		observation.start();
		return observation;
	}

	Observation attempt(AttemptObservationContext context) {
		return Observation.createNotStarted(this.attemptConvention, ATTEMPT, () -> context, this.registry);
	}

	String route(@Nullable String id) {
		return (id != null) ? this.routes.get(id) : NONE;
	}

	String instance(String authority) {
		return this.instances.get(authority);
	}

	/**
	 * Call handlers of the application.
	 */
	void safely(Runnable call) {
		try {
			call.run();
		}
		catch (RuntimeException | LinkageError ex) {
			if (this.failed.compareAndSet(false, true)) {
				logger.warn("An ObservationHandler or a convention has failed. The requests go on. Further failures are"
						+ " not logged", ex);
			}
		}
	}

}
