package io.gatewaybench.webmvc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.gatewaybench.internal.routing.PrivateField;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcPropertiesBeanDefinitionRegistrar.RouterFunctionHolder;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Several routers as one. It asks them in a loop, where Spring's composition would need a
 * stack as deep as there are routers, and the index can find each of them.
 */
final class RouterList implements RouterFunction<ServerResponse> {

	private static final Log logger = LogFactory.getLog(RouterList.class);

	private static final String COMPOSED = RouterFunctions.class.getName() + "$SameComposedRouterFunction";

	private static final PrivateField FIRST = new PrivateField(COMPOSED, "first");

	private static final PrivateField SECOND = new PrivateField(COMPOSED, "second");

	private static final PrivateField BUILT = new PrivateField(
			RouterFunctions.class.getPackageName() + ".RouterFunctionBuilder$BuiltRouterFunction", "routerFunctions");

	private final Supplier<? extends Collection<? extends RouterFunction<?>>> routers;

	private RouterList(Supplier<? extends Collection<? extends RouterFunction<?>>> routers) {
		this.routers = routers;
	}

	/**
	 * Keep in a native image what is read here.
	 */
	static void registerHints(RuntimeHints hints) {
		Stream.of(FIRST, SECOND, BUILT).forEach((field) -> field.registerHint(hints));
	}

	/**
	 * Compose routers.
	 */
	static RouterList of(Collection<? extends RouterFunction<?>> routers) {
		List<RouterFunction<?>> copy = List.copyOf(routers);
		return new RouterList(() -> copy);
	}

	/**
	 * The routes of the starter, always those that there are now.
	 */
	static RouterList of(StarterRoutes routes) {
		return new RouterList(routes::routers);
	}

	/**
	 * The routes of the gateway's properties, always those that the gateway has now.
	 */
	static RouterList of(RouterFunctionHolder holder) {
		RouterDescription now = RouterDescription.of(holder.getRouterFunction());
		if (now.routesOfProperties().isEmpty() && now.hasSeveralRoutes()) {
			logger.warn("The routes of the gateway's properties can't be told apart and are tried one after another,"
					+ " because the gateway does not keep them where it did. Use versions of Spring that the starter"
					+ " is tested with");
		}
		return new RouterList(() -> {
			RouterFunction<?> composed = holder.getRouterFunction();
			return RouterDescription.of(composed).routesOfProperties().orElseGet(() -> List.of(composed));
		});
	}

	/**
	 * Take routers apart into as many as possible.
	 * @param routers the routers
	 * @return routers that, asked one after another, answer as the given ones do
	 */
	static List<RouterFunction<?>> split(Collection<? extends RouterFunction<?>> routers) {
		List<RouterFunction<?>> parts = new ArrayList<>();
		Deque<RouterFunction<?>> rest = new ArrayDeque<>(routers);
		while (!rest.isEmpty()) {
			RouterFunction<?> next = rest.pop();
			List<?> inner = inner(next);
			if (inner.isEmpty()) {
				parts.add(next);
			}
			for (int i = inner.size() - 1; i >= 0; i--) {
				rest.push((RouterFunction<?>) inner.get(i));
			}
		}
		return parts;
	}

	private static List<?> inner(RouterFunction<?> router) {
		if (router instanceof RouterList list) {
			return List.copyOf(list.routers.get());
		}
		if (FIRST.isIn(router)) {
			Object first = FIRST.of(router);
			Object second = SECOND.of(router);
			return (first != null && second != null) ? List.of(first, second) : List.of();
		}
		return (BUILT.isIn(router) && BUILT.of(router) instanceof List<?> built) ? built : List.of();
	}

	@Override
	@SuppressWarnings("unchecked")
	public Optional<HandlerFunction<ServerResponse>> route(ServerRequest request) {
		for (RouterFunction<?> router : this.routers.get()) {
			Optional<? extends HandlerFunction<?>> handler = router.route(request);
			if (handler.isPresent()) {
				return (Optional<HandlerFunction<ServerResponse>>) handler;
			}
		}
		return Optional.empty();
	}

	@Override
	public void accept(RouterFunctions.Visitor visitor) {
		this.routers.get().forEach((router) -> router.accept(visitor));
	}

	@Override
	public String toString() {
		return this.routers.get().toString();
	}

}
