package io.gatewaybench.contract;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cloud.gateway.config.HttpClientCustomizer;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.http.client.ReactorResourceFactory;

/**
 * Gives a WebFlux gateway event loops that end with it. Without, the first gateway that
 * ends takes those of the whole JVM: the others answer no more, and each takes half a
 * minute to end.
 */
final class OwnEventLoops implements ApplicationContextInitializer<GenericApplicationContext> {

	@Override
	public void initialize(GenericApplicationContext context) {
		context.getBeanFactory().addBeanPostProcessor(new BeanPostProcessor() {

			@Override
			public Object postProcessBeforeInitialization(Object bean, String name) {
				if (bean instanceof ReactorResourceFactory factory) {
					factory.setUseGlobalResources(false);
				}
				return bean;
			}

		});
		// The server's, as in an application of its own
		context.registerBean("ownEventLoops", HttpClientCustomizer.class,
				() -> (client) -> client.runOn(context.getBean(ReactorResourceFactory.class).getLoopResources()));
	}

}
