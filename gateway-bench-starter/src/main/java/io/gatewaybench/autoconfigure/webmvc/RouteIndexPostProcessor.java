package io.gatewaybench.autoconfigure.webmvc;

import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.webmvc.RouteLookup;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.ApplicationContext;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.support.RouterFunctionMapping;

/**
 * Gives the mapping of the framework one router with an index instead of those that it
 * would detect. A mapping for which the application has chosen a router keeps it.
 */
final class RouteIndexPostProcessor implements BeanPostProcessor {

	/**
	 * Of the framework's own mapping it is known where it looks for routers.
	 */
	private static final String MAPPING = "routerFunctionMapping";

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
				mapping.setRouterFunction(this.lookup.getObject().router(routers(context)));
			}
		}
		return bean;
	}

	private static List<RouterFunction<?>> routers(ApplicationContext context) {
		List<RouterFunction<?>> routers = new ArrayList<>();
		context.getBeanProvider(RouterFunction.class).orderedStream().forEach(routers::add);
		ApplicationContext parent = context.getParent();
		if (parent != null) {
			parent.getBeanProvider(RouterFunction.class).stream().forEach(routers::remove);
		}
		return routers;
	}

	/**
	 * Only now has the mapping told the patterns its parser.
	 */
	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (beanName.equals(MAPPING)) {
			this.lookup.getObject().refresh();
		}
		return bean;
	}

}
