package io.gatewaybench.webmvc;

import java.util.Set;

import io.gatewaybench.routing.PathCondition;
import io.gatewaybench.routing.PrivateField;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.server.mvc.predicate.GatewayRequestPredicates;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.util.pattern.PathPattern;

/**
 * Looks into the predicates of the framework and the gateway. Only classes that are known
 * exactly are believed, neither their subclasses nor what those of the application tell
 * their visitors.
 */
final class PathConditions {

	private static final String PREDICATES = RequestPredicates.class.getName();

	private static final String GATEWAY_PREDICATES = GatewayRequestPredicates.class.getName();

	private static final PrivateField AND_LEFT = new PrivateField(PREDICATES + "$AndRequestPredicate", "left");

	private static final PrivateField AND_RIGHT = new PrivateField(PREDICATES + "$AndRequestPredicate", "right");

	private static final PrivateField OR_LEFT = new PrivateField(PREDICATES + "$OrRequestPredicate", "left");

	private static final PrivateField OR_RIGHT = new PrivateField(PREDICATES + "$OrRequestPredicate", "right");

	private static final PrivateField NEGATED = new PrivateField(PREDICATES + "$NegateRequestPredicate", "delegate");

	private static final PrivateField PATTERN = new PrivateField(PREDICATES + "$PathPatternPredicate", "pattern");

	private static final PrivateField HOST = new PrivateField(GATEWAY_PREDICATES + "$HostPatternPredicate", "pattern");

	/**
	 * Classes of predicates that only read. Those of a query are not among them: who asks
	 * for a parameter may consume the body of a form.
	 */
	private static final Set<String> TRACELESS = Set.of(PREDICATES + "$SingleHttpMethodPredicate",
			PREDICATES + "$MultipleHttpMethodsPredicate", PREDICATES + "$SingleContentTypePredicate",
			PREDICATES + "$MultipleContentTypesPredicate", PREDICATES + "$SingleAcceptPredicate",
			PREDICATES + "$MultipleAcceptsPredicate", GATEWAY_PREDICATES + "$HeaderRequestPredicate",
			GATEWAY_PREDICATES + "$CookieRequestPredicate", GATEWAY_PREDICATES + "$WeightPredicate");

	private PathConditions() {
	}

	static PathCondition of(@Nullable Object predicate) {
		if (predicate == null) {
			return PathCondition.opaque();
		}
		if (AND_LEFT.isIn(predicate)) {
			return of(AND_LEFT.of(predicate)).and(of(AND_RIGHT.of(predicate)));
		}
		if (OR_LEFT.isIn(predicate)) {
			return of(OR_LEFT.of(predicate)).or(of(OR_RIGHT.of(predicate)));
		}
		if (NEGATED.isIn(predicate)) {
			return of(NEGATED.of(predicate)).negate();
		}
		if (PATTERN.isIn(predicate)) {
			return (PATTERN.of(predicate) instanceof PathPattern path) ? PathCondition.path(path)
					: PathCondition.opaque();
		}
		boolean traceless = TRACELESS.contains(predicate.getClass().getName())
				|| (HOST.isIn(predicate) && hasNoVariables(HOST.of(predicate)));
		return traceless ? PathCondition.traceless() : PathCondition.opaque();
	}

	/**
	 * A host that matches adds its variables to the request, even if the path behind it
	 * does not match.
	 */
	private static boolean hasNoVariables(@Nullable Object host) {
		return host instanceof PathPattern pattern && pattern.getPatternString().indexOf('{') == -1;
	}

}
