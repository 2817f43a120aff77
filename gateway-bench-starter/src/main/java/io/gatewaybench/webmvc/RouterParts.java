package io.gatewaybench.webmvc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;

import io.gatewaybench.routing.PathCondition;
import io.gatewaybench.routing.PrivateField;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcPropertiesBeanDefinitionRegistrar;
import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcPropertiesBeanDefinitionRegistrar.RouterFunctionHolder;
import org.springframework.cloud.gateway.server.mvc.handler.GatewayDelegatingRouterFunction;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;

/**
 * Takes routers of the framework and the gateway apart, without recursion into those that
 * are composed of thousands.
 */
final class RouterParts {

	private static final String ROUTERS = RouterFunctions.class.getName();

	private static final PrivateField SAME_FIRST = new PrivateField(ROUTERS + "$SameComposedRouterFunction", "first");

	private static final PrivateField SAME_SECOND = new PrivateField(ROUTERS + "$SameComposedRouterFunction", "second");

	private static final PrivateField OTHER_FIRST = new PrivateField(ROUTERS + "$DifferentComposedRouterFunction",
			"first");

	private static final PrivateField OTHER_SECOND = new PrivateField(ROUTERS + "$DifferentComposedRouterFunction",
			"second");

	private static final PrivateField BUILT = new PrivateField(
			RouterFunctions.class.getPackageName() + ".RouterFunctionBuilder$BuiltRouterFunction", "routerFunctions");

	private static final PrivateField ATTRIBUTED = new PrivateField(ROUTERS + "$AttributesRouterFunction", "delegate");

	private static final PrivateField ATTRIBUTES = new PrivateField(ROUTERS + "$AttributesRouterFunction",
			"attributes");

	private static final PrivateField FILTERED = new PrivateField(ROUTERS + "$FilteredRouterFunction",
			"routerFunction");

	private static final PrivateField NAMED = new PrivateField(GatewayDelegatingRouterFunction.class.getName(),
			"delegate");

	private static final PrivateField PREDICATE = new PrivateField(ROUTERS + "$DefaultRouterFunction", "predicate");

	/**
	 * Routes of the gateway's properties, which it keeps behind a holder.
	 */
	private static final PrivateField HOLDER = new PrivateField(
			GatewayMvcPropertiesBeanDefinitionRegistrar.class.getName() + "$DelegatingRouterFunction", "provider");

	/**
	 * Attribute of the router that is composed of the routes of the gateway's properties.
	 */
	private static final String PROPERTIES_ATTRIBUTE = "gatewayRouterFunctions";

	private RouterParts() {
	}

	/**
	 * Routers that, asked one after another, answer as the given ones do.
	 */
	static List<RouterFunction<?>> split(Collection<? extends RouterFunction<?>> routers) {
		List<RouterFunction<?>> parts = new ArrayList<>();
		Deque<RouterFunction<?>> rest = new ArrayDeque<>(routers);
		while (!rest.isEmpty()) {
			RouterFunction<?> next = rest.pop();
			List<?> children = children(next);
			if (children.isEmpty()) {
				parts.add(next);
			}
			for (int i = children.size() - 1; i >= 0; i--) {
				rest.push((RouterFunction<?>) children.get(i));
			}
		}
		return parts;
	}

	private static List<?> children(RouterFunction<?> router) {
		if (SAME_FIRST.isIn(router)) {
			return both(SAME_FIRST.of(router), SAME_SECOND.of(router));
		}
		if (OTHER_FIRST.isIn(router)) {
			return both(OTHER_FIRST.of(router), OTHER_SECOND.of(router));
		}
		if (BUILT.isIn(router)) {
			return (BUILT.of(router) instanceof List<?> routes) ? routes : List.of();
		}
		if (router instanceof RefreshableRouterFunction refreshable) {
			return List.of(refreshable.delegate());
		}
		if (HOLDER.isIn(router)) {
			return (HOLDER.of(router) instanceof RouterFunctionHolder holder) ? List.of(holder.getRouterFunction())
					: List.of();
		}
		if (ATTRIBUTED.isIn(router) && ATTRIBUTES.of(router) instanceof Map<?, ?> attributes
				&& attributes.containsKey(PROPERTIES_ATTRIBUTE)) {
			return (ATTRIBUTED.of(router) instanceof RouterFunction<?> composed) ? List.of(composed) : List.of();
		}
		return List.of();
	}

	private static List<?> both(@Nullable Object first, @Nullable Object second) {
		return (first != null && second != null) ? List.of(first, second) : List.of();
	}

	/**
	 * Condition under which a router has an answer.
	 */
	static PathCondition condition(RouterFunction<?> router) {
		List<RouterFunction<?>> parts = split(List.of(router));
		if (parts.size() > 1) {
			return PathCondition.anyOf(parts.stream().map(RouterParts::condition).toList());
		}
		RouterFunction<?> part = parts.get(0);
		if (PREDICATE.isIn(part)) {
			return PathConditions.of(PREDICATE.of(part));
		}
		return (inner(part) instanceof RouterFunction<?> inner) ? condition(inner) : PathCondition.opaque();
	}

	/**
	 * Whether a test of a router, though negative, tests a route of the gateway.
	 */
	static boolean hasNamed(RouterFunction<?> router) {
		return split(List.of(router)).stream()
			.anyMatch((part) -> isNamed(part) || (inner(part) instanceof RouterFunction<?> inner && hasNamed(inner)));
	}

	/**
	 * Whether a router is a route of the gateway, with an id.
	 */
	static boolean isNamed(RouterFunction<?> router) {
		return NAMED.isIn(router);
	}

	private static @Nullable Object inner(RouterFunction<?> router) {
		if (NAMED.isIn(router)) {
			return NAMED.of(router);
		}
		if (ATTRIBUTED.isIn(router)) {
			return ATTRIBUTED.of(router);
		}
		return FILTERED.isIn(router) ? FILTERED.of(router) : null;
	}

}
