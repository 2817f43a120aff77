package io.gatewaybench.autoconfigure.webmvc;

import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.webmvc.RouteLookup;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcPropertiesBeanDefinitionRegistrar.RouterFunctionHolder;
import org.springframework.context.ApplicationContext;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.support.RouterFunctionMapping;

/**
 * Gives the mapping of the framework one router with an index instead of those that it
 * would detect. A mapping for which the application has chosen a router keeps it.
 */
final class RouteIndexPostProcessor implements BeanPostProcessor {

	private static final Log logger = LogFactory.getLog(RouteIndexPostProcessor.class);

	/** The mapping of Spring MVC's own configuration, which looks for all routers. */
	private static final String MAPPING = "routerFunctionMapping";

	private static final String ROUTES_OF_PROPERTIES = "gatewayCompositeRouterFunction";

	private final ObjectProvider<RouteLookup> lookup;

	RouteIndexPostProcessor(ObjectProvider<RouteLookup> lookup) {
		this.lookup = lookup;
	}

	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		if (beanName.equals(MAPPING) && bean.getClass() == RouterFunctionMapping.class) {
			RouterFunctionMapping mapping = (RouterFunctionMapping) bean;
			ApplicationContext context = mapping.getApplicationContext();
			if (mapping.getRouterFunction() == null && context != null) {
				mapping.setRouterFunction(this.lookup.getObject().router(routers(context), mapping::getPatternParser));
			}
		}
		return bean;
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
			routers.replaceAll((router) -> (router == composed) ? RouteLookup.routesOfProperties(holder) : router);
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
			this.lookup.getObject().refresh();
		}
		return bean;
	}

}
