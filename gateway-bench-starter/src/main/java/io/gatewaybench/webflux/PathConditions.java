package io.gatewaybench.webflux;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.gatewaybench.internal.routing.PathCondition;
import io.gatewaybench.internal.routing.PrivateField;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.cloud.gateway.handler.AsyncPredicate.AndAsyncPredicate;
import org.springframework.cloud.gateway.handler.AsyncPredicate.DefaultAsyncPredicate;
import org.springframework.cloud.gateway.handler.AsyncPredicate.NegateAsyncPredicate;
import org.springframework.cloud.gateway.handler.AsyncPredicate.OrAsyncPredicate;
import org.springframework.cloud.gateway.handler.predicate.AfterRoutePredicateFactory;
import org.springframework.cloud.gateway.handler.predicate.BeforeRoutePredicateFactory;
import org.springframework.cloud.gateway.handler.predicate.BetweenRoutePredicateFactory;
import org.springframework.cloud.gateway.handler.predicate.CookieRoutePredicateFactory;
import org.springframework.cloud.gateway.handler.predicate.GatewayPredicate;
import org.springframework.cloud.gateway.handler.predicate.GatewayPredicate.AndGatewayPredicate;
import org.springframework.cloud.gateway.handler.predicate.GatewayPredicate.GatewayPredicateWrapper;
import org.springframework.cloud.gateway.handler.predicate.GatewayPredicate.NegateGatewayPredicate;
import org.springframework.cloud.gateway.handler.predicate.GatewayPredicate.OrGatewayPredicate;
import org.springframework.cloud.gateway.handler.predicate.HeaderRoutePredicateFactory;
import org.springframework.cloud.gateway.handler.predicate.HostRoutePredicateFactory;
import org.springframework.cloud.gateway.handler.predicate.MethodRoutePredicateFactory;
import org.springframework.cloud.gateway.handler.predicate.PathRoutePredicateFactory;
import org.springframework.cloud.gateway.handler.predicate.QueryRoutePredicateFactory;
import org.springframework.cloud.gateway.handler.predicate.RemoteAddrRoutePredicateFactory;
import org.springframework.cloud.gateway.handler.predicate.WeightRoutePredicateFactory;
import org.springframework.cloud.gateway.route.RouteDefinitionRouteLocator;
import org.springframework.web.util.pattern.PathPattern;

/**
 * Looks into the gateway's predicates. It trusts only classes that it knows exactly. It
 * does not trust subclasses. Visitors of these predicates can't tell {@code and} from
 * {@code or}.
 */
final class PathConditions {

	private static final PrivateField ASYNC_DELEGATE = field(DefaultAsyncPredicate.class, "delegate");

	private static final PrivateField ASYNC_AND_LEFT = field(AndAsyncPredicate.class, "left");

	private static final PrivateField ASYNC_AND_RIGHT = field(AndAsyncPredicate.class, "right");

	private static final PrivateField ASYNC_OR_LEFT = field(OrAsyncPredicate.class, "left");

	private static final PrivateField ASYNC_OR_RIGHT = field(OrAsyncPredicate.class, "right");

	private static final PrivateField ASYNC_NEGATED = field(NegateAsyncPredicate.class, "predicate");

	private static final PrivateField DELEGATE = field(GatewayPredicateWrapper.class, "delegate");

	private static final PrivateField AND_LEFT = field(AndGatewayPredicate.class, "left");

	private static final PrivateField AND_RIGHT = field(AndGatewayPredicate.class, "right");

	private static final PrivateField OR_LEFT = field(OrGatewayPredicate.class, "left");

	private static final PrivateField OR_RIGHT = field(OrGatewayPredicate.class, "right");

	private static final PrivateField NEGATED = field(NegateGatewayPredicate.class, "predicate");

	/**
	 * Parsed, and with the base path of the application.
	 */
	private static final PrivateField PATTERNS = new PrivateField(PathRoutePredicateFactory.class.getName() + "$1",
			"val$pathPatterns");

	/**
	 * Classes whose predicates only read. A route that comes from a definition begins
	 * with a predicate of its locator, which is always true.
	 */
	private static final Set<Class<?>> SIDE_EFFECT_FREE = Set.of(RouteDefinitionRouteLocator.class,
			AfterRoutePredicateFactory.class, BeforeRoutePredicateFactory.class, BetweenRoutePredicateFactory.class,
			CookieRoutePredicateFactory.class, HeaderRoutePredicateFactory.class, MethodRoutePredicateFactory.class,
			QueryRoutePredicateFactory.class, RemoteAddrRoutePredicateFactory.class, WeightRoutePredicateFactory.class);

	private PathConditions() {
	}

	private static PrivateField field(Class<?> type, String name) {
		return new PrivateField(type.getName(), name);
	}

	/**
	 * Keep in a native image what is read here.
	 */
	static void registerHints(RuntimeHints hints) {
		Stream
			.of(ASYNC_DELEGATE, ASYNC_AND_LEFT, ASYNC_AND_RIGHT, ASYNC_OR_LEFT, ASYNC_OR_RIGHT, ASYNC_NEGATED, DELEGATE,
					AND_LEFT, AND_RIGHT, OR_LEFT, OR_RIGHT, NEGATED, PATTERNS)
			.forEach((field) -> field.registerHint(hints));
	}

	/**
	 * Condition of a predicate, asynchronous or not, of a part of one that could be read.
	 */
	static PathCondition of(@Nullable Object predicate) {
		if (predicate == null) {
			return PathCondition.opaque();
		}
		if (ASYNC_DELEGATE.isIn(predicate)) {
			return of(ASYNC_DELEGATE.of(predicate));
		}
		if (DELEGATE.isIn(predicate)) {
			return of(DELEGATE.of(predicate));
		}
		if (ASYNC_AND_LEFT.isIn(predicate)) {
			return of(ASYNC_AND_LEFT.of(predicate)).and(of(ASYNC_AND_RIGHT.of(predicate)));
		}
		if (AND_LEFT.isIn(predicate)) {
			return of(AND_LEFT.of(predicate)).and(of(AND_RIGHT.of(predicate)));
		}
		if (ASYNC_OR_LEFT.isIn(predicate)) {
			return of(ASYNC_OR_LEFT.of(predicate)).or(of(ASYNC_OR_RIGHT.of(predicate)));
		}
		if (OR_LEFT.isIn(predicate)) {
			return of(OR_LEFT.of(predicate)).or(of(OR_RIGHT.of(predicate)));
		}
		if (ASYNC_NEGATED.isIn(predicate)) {
			return of(ASYNC_NEGATED.of(predicate)).negate();
		}
		if (NEGATED.isIn(predicate)) {
			return of(NEGATED.of(predicate)).negate();
		}
		return PATTERNS.isIn(predicate) ? path(PATTERNS.of(predicate)) : other(predicate);
	}

	private static PathCondition path(@Nullable Object patterns) {
		if (!(patterns instanceof List<?> list)) {
			return PathCondition.opaque();
		}
		List<PathCondition> alternatives = new ArrayList<>();
		list.forEach((pattern) -> alternatives.add(PathCondition.path((PathPattern) pattern)));
		return PathCondition.anyOf(alternatives);
	}

	/**
	 * A predicate of a factory is an anonymous class or a lambda in it.
	 */
	private static PathCondition other(Object predicate) {
		Class<?> factory = predicate.getClass().getNestHost();
		boolean sideEffectFree = SIDE_EFFECT_FREE.contains(factory) || (factory == HostRoutePredicateFactory.class
				&& predicate instanceof GatewayPredicate host && hasNoVariables(host));
		return sideEffectFree ? PathCondition.sideEffectFree() : PathCondition.opaque();
	}

	/**
	 * A host that matches adds its variables to the request, even if the path behind it
	 * does not match.
	 */
	private static boolean hasNoVariables(GatewayPredicate host) {
		return host.getConfig() instanceof HostRoutePredicateFactory.Config config
				&& config.getPatterns().stream().noneMatch((pattern) -> pattern.indexOf('{') != -1);
	}

}
