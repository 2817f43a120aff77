package io.gatewaybench.autoconfigure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.gatewaybench.Flavour;
import org.apache.catalina.webresources.TomcatURLStreamHandlerFactory;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * Gateways that are started as a user starts them.
 */
final class Gateways {

	private Gateways() {
	}

	/**
	 * Start a gateway of a flavour, though both are on the class path here.
	 */
	static ConfigurableApplicationContext run(Flavour flavour, String... properties) {
		return run(arguments(flavour, properties));
	}

	static String[] arguments(Flavour flavour, String... properties) {
		List<String> arguments = new ArrayList<>();
		arguments.add("--spring.config.location=optional:classpath:/no-configuration/");
		arguments.add("--server.port=0");
		if (flavour == Flavour.WEBFLUX) {
			arguments.add("--spring.main.web-application-type=reactive");
		}
		else {
			arguments.add("--spring.cloud.gateway.server.webflux.enabled=false");
		}
		Arrays.stream(properties).map((property) -> "--" + property).forEach(arguments::add);
		return arguments.toArray(String[]::new);
	}

	/**
	 * Start and stop a gateway, by arguments that every class loader knows.
	 */
	static void main(String[] arguments) {
		// It registers with the JVM, which another class loader has done already
		TomcatURLStreamHandlerFactory.disable();
		run(arguments).close();
	}

	private static ConfigurableApplicationContext run(String[] arguments) {
		SpringApplication application = new SpringApplication(Application.class);
		application.setBannerMode(Banner.Mode.OFF);
		application.setLogStartupInfo(false);
		application.setRegisterShutdownHook(false);
		return application.run(arguments);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
