package io.gatewaybench.autoconfigure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.gatewaybench.Flavour;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
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
		return application(Application.class)
			.run(arguments((flavour == Flavour.WEBFLUX) ? "spring.main.web-application-type=reactive"
					: "spring.cloud.gateway.server.webflux.enabled=false", properties));
	}

	private static String[] arguments(String kind, String... properties) {
		List<String> arguments = new ArrayList<>();
		arguments.add("--spring.config.location=optional:classpath:/no-configuration/");
		arguments.add("--server.port=0");
		arguments.add("--" + kind);
		Arrays.stream(properties).map((property) -> "--" + property).forEach(arguments::add);
		return arguments.toArray(String[]::new);
	}

	/**
	 * Start what both flavours share, without a gateway and a server. It reads and checks
	 * all that is configured under 'gateway-bench', and takes a tenth of the time.
	 */
	static ConfigurableApplicationContext runCore(Flavour flavour, String... properties) {
		SpringApplication application = application(Core.class);
		application
			.addInitializers((context) -> context.getBeanFactory().registerSingleton("gatewayBenchFlavour", flavour));
		return application.run(arguments("spring.main.web-application-type=none", properties));
	}

	/**
	 * Start and stop what both flavours share, by a name and properties that every class
	 * loader knows.
	 */
	static void main(String[] flavourAndProperties) {
		runCore(Flavour.valueOf(flavourAndProperties[0]),
				Arrays.copyOfRange(flavourAndProperties, 1, flavourAndProperties.length))
			.close();
	}

	private static SpringApplication application(Class<?> source) {
		SpringApplication application = new SpringApplication(source);
		application.setBannerMode(Banner.Mode.OFF);
		application.setLogStartupInfo(false);
		application.setRegisterShutdownHook(false);
		return application;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ GatewayBenchAutoConfiguration.class, GatewayBenchMetricsAutoConfiguration.class,
			SslAutoConfiguration.class })
	static class Core {

	}

}
