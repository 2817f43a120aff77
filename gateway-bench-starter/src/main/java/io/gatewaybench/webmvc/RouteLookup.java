package io.gatewaybench.webmvc;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import io.gatewaybench.internal.routing.RouteIndexHolder;
import io.gatewaybench.webmvc.IndexedRouterFunction.IndexedRouter;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcPropertiesBeanDefinitionRegistrar.RouterFunctionHolder;
import org.springframework.context.ApplicationContext;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.function.support.RouterFunctionMapping;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Gives the mapping of the framework one router with an index instead of those that it
 * would detect. A mapping for which the application has chosen a router keeps it.
 */
final class RouteLookup implements BeanPostProcessor, SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(RouteLookup.class);

	/** The mapping of Spring MVC's own configuration, which looks for all routers. */
	private static final String MAPPING = "routerFunctionMapping";

	private static final String ROUTES_OF_PROPERTIES = "gatewayCompositeRouterFunction";

	private final RouteIndexHolder<IndexedRouter> index = new RouteIndexHolder<>(
			(position, route) -> RouterDescription.of(route.router()).describe(position));

	private volatile @Nullable IndexedRouterFunction router;

	/**
	 * The index, to be asked how it does.
	 */
	RouteIndexHolder<?> index() {
		return this.index;
	}

	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		if (beanName.equals(MAPPING) && bean.getClass() == RouterFunctionMapping.class) {
			RouterFunctionMapping mapping = (RouterFunctionMapping) bean;
			ApplicationContext context = mapping.getApplicationContext();
			if (mapping.getRouterFunction() == null && context != null) {
				mapping.setRouterFunction(router(routers(context), mapping::getPatternParser));
			}
		}
		return bean;
	}

	/**
	 * A router in the place of all.
	 * @param routers the routers in the order in which they are asked
	 * @param parser tells the parser that the mapping gives to all patterns
	 */
	RouterFunction<ServerResponse> router(List<RouterFunction<?>> routers,
			Supplier<@Nullable PathPatternParser> parser) {
		IndexedRouterFunction indexed = new IndexedRouterFunction(routers, parser, this.index);
		this.router = indexed;
		return indexed;
	}

	/**
	 * The routers that the mapping would find. The gateway's own router of the routes in
	 * its properties can't be taken apart, so the routes come from their holder.
	 */
	private static List<RouterFunction<?>> routers(ApplicationContext context) {
		List<RouterFunction<?>> routers = new ArrayList<>();
		context.getBeanProvider(RouterFunction.class).orderedStream().forEach(routers::add);
		ApplicationContext parent = context.getParent();
		if (parent != null) {
			parent.getBeanProvider(RouterFunction.class).stream().forEach(routers::remove);
		}
		RouterFunctionHolder holder = context.getBeanProvider(RouterFunctionHolder.class).getIfUnique();
		Object composed = context.containsBean(ROUTES_OF_PROPERTIES) ? context.getBean(ROUTES_OF_PROPERTIES) : null;
		if (holder != null && composed != null) {
			routers.replaceAll((router) -> (router == composed) ? RouterList.of(holder) : router);
		}
		else if (holder != null || composed != null) {
			logger.warn("The routes of the gateway's properties are tried one after another, because the gateway keeps"
					+ " them in other beans. Use versions of Spring that the starter is tested with");
		}
		return routers;
	}

	/**
	 * Load the routes, which needs the parser of the mapping.
	 */
	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (beanName.equals(MAPPING)) {
			refresh();
		}
		return bean;
	}

	/**
	 * Load the routes that the routers have now. Errors in new routes are thrown, and
	 * requests keep the old ones.
	 */
	void refresh() {
		IndexedRouterFunction indexed = this.router;
		if (indexed != null) {
			indexed.refresh();
		}
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (this.router == null) {
			logger.warn("The starter could not put its index into Spring MVC's RouterFunctionMapping, so the gateway"
					+ " tries routes one after another. If you want that, set gateway-bench.route-index.enabled to"
					+ " false");
		}
	}

}
