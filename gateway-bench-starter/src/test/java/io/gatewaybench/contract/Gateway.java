package io.gatewaybench.contract;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import io.gatewaybench.Flavour;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;

/**
 * A gateway to start in a test, as often as it takes and each time with other properties.
 *
 * @param application main class of the gateway
 * @param flavour flavour on its class path
 * @param properties what it is always started with
 */
public record Gateway(Class<?> application, Flavour flavour, List<String> properties) {

	public Gateway(Class<?> application, Flavour flavour) {
		this(application, flavour, List.of());
	}

	Gateway with(String... properties) {
		return new Gateway(this.application, this.flavour, List.of(properties));
	}

	/**
	 * Prefix of the gateway's own properties.
	 */
	String nativePrefix() {
		return "spring.cloud.gateway.server." + this.flavour.name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Start with nothing but the given properties.
	 */
	RunningGateway start(String... properties) {
		List<String> arguments = new ArrayList<>();
		arguments.add("--spring.config.location=optional:classpath:/no-configuration/");
		arguments.add("--spring.application.name=the-gateway");
		arguments.add("--server.port=0");
		arguments.add("--spring.reactor.netty.shutdown-quiet-period=0s");
		Stream.concat(this.properties.stream(), Arrays.stream(properties))
			.map((property) -> "--" + property)
			.forEach(arguments::add);
		SpringApplication application = new SpringApplication(this.application);
		application.setBannerMode(Banner.Mode.OFF);
		application.setLogStartupInfo(false);
		application.setRegisterShutdownHook(false);
		return new RunningGateway(application.run(arguments.toArray(String[]::new)));
	}

	/**
	 * Start with one route of the starter from {@code /service/**} to the upstreams.
	 */
	RunningGateway startWithRoute(List<String> instances, String... properties) {
		List<String> all = new ArrayList<>();
		for (int i = 0; i < instances.size(); i++) {
			all.add("gateway-bench.upstreams.service.instances[%d]=%s".formatted(i, instances.get(i)));
		}
		all.add("gateway-bench.routes[0].id=the-route");
		all.add("gateway-bench.routes[0].path=/service/**");
		all.add("gateway-bench.routes[0].upstream=service");
		all.addAll(Arrays.asList(properties));
		return start(all.toArray(String[]::new));
	}

	/**
	 * Start with one native route from {@code /service/**} to a URI.
	 */
	RunningGateway startWithNativeRoute(String uri, List<String> filters, String... properties) {
		List<String> all = new ArrayList<>();
		String route = nativePrefix() + ".routes[0]";
		all.add(route + ".id=the-native-route");
		all.add(route + ".uri=" + uri);
		all.add(route + ".predicates[0]=Path=/service/**");
		for (int i = 0; i < filters.size(); i++) {
			all.add("%s.filters[%d]=%s".formatted(route, i, filters.get(i)));
		}
		all.addAll(Arrays.asList(properties));
		return start(all.toArray(String[]::new));
	}

	/**
	 * A gateway that accepts requests.
	 *
	 * @param context its application context
	 */
	record RunningGateway(ConfigurableApplicationContext context) implements AutoCloseable {

		int port() {
			Environment environment = this.context.getEnvironment();
			return environment.getRequiredProperty("local.server.port", Integer.class);
		}

		/**
		 * How often something happened to the instances of all upstreams together.
		 * @param meter such as {@code retries}
		 */
		double upstreamEvents(String meter) {
			return this.context.getBean(MeterRegistry.class)
				.find("gateway.bench.upstream." + meter)
				.counters()
				.stream()
				.mapToDouble(Counter::count)
				.sum();
		}

		@Override
		public void close() {
			this.context.close();
		}

	}

}
