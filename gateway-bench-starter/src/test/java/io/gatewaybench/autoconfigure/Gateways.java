package io.gatewaybench.autoconfigure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import io.gatewaybench.Flavour;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurationImportSelector;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.core.type.AnnotationMetadata;

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
	@Import(AutoConfigurationsOfAGateway.class)
	static class Application {

	}

	/**
	 * All that the class path has but monitoring and discovery, which take two fifths of
	 * a start. Contracts start them all.
	 */
	static final class AutoConfigurationsOfAGateway extends AutoConfigurationImportSelector {

		private static final Pattern OTHERS = Pattern.compile("\\.actuate\\.|boot\\.health\\.|cloud\\.client\\.");

		@Override
		protected AnnotationAttributes getAttributes(AnnotationMetadata metadata) {
			return new AnnotationAttributes(Map.of("exclude", new String[0], "excludeName", new String[0]));
		}

		@Override
		protected List<String> getCandidateConfigurations(AnnotationMetadata metadata,
				AnnotationAttributes attributes) {
			return super.getCandidateConfigurations(metadata, attributes).stream()
				.filter((name) -> !OTHERS.matcher(name).find())
				.toList();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ GatewayBenchAutoConfiguration.class, GatewayBenchMetricsAutoConfiguration.class,
			SslAutoConfiguration.class })
	static class Core {

	}

}
