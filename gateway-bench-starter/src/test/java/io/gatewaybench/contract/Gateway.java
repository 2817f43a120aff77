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

import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * A gateway to start in a test, as often as it takes and each time with other properties.
 *
 * @param application main class of the gateway
 * @param flavour flavour on its class path
 * @param properties what it is always started with
 * @param http2 whether requests reach it over HTTP/2, as {@link Http2Front} translates
 * them
 */
public record Gateway(Class<?> application, Flavour flavour, List<String> properties, boolean http2) {

	/**
	 * How long Netty's threads look for tasks before they end. Not to look spares each
	 * stop two seconds, but then they may not see that their connections are closed.
	 */
	static final String QUIET_PERIOD = "spring.reactor.netty.shutdown-quiet-period=";

	public Gateway(Class<?> application, Flavour flavour) {
		this(application, flavour, List.of(), false);
	}

	Gateway with(String... properties) {
		List<String> all = Stream.concat(this.properties.stream(), Arrays.stream(properties)).toList();
		return new Gateway(this.application, this.flavour, all, this.http2);
	}

	Gateway overHttp2() {
		return new Gateway(this.application, this.flavour, this.properties, true);
	}

	/**
	 * Leave out over HTTP/2 what only HTTP/1.1 has.
	 * @param reason what HTTP/2 has no such thing of
	 */
	void onlyOverHttp1(String reason) {
		assumeThat(this.http2).as(reason).isFalse();
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
		SpringApplication application = new SpringApplication(this.application);
		application.setBannerMode(Banner.Mode.OFF);
		application.setLogStartupInfo(false);
		application.setRegisterShutdownHook(false);
		if (this.flavour == Flavour.WEBFLUX) {
			application.addInitializers(new OwnEventLoops());
		}
		ConfigurableApplicationContext context = application.run(arguments(properties).toArray(String[]::new));
		int port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		return new RunningGateway(context, port, this.http2 ? new Http2Front(port) : null);
	}

	/**
	 * The command line of a start.
	 */
	List<String> arguments(String... properties) {
		List<String> arguments = new ArrayList<>();
		arguments.add("--spring.config.location=optional:classpath:/no-configuration/");
		arguments.add("--spring.application.name=the-gateway");
		arguments.add("--server.port=0");
		if (Arrays.stream(properties).noneMatch((property) -> property.startsWith(QUIET_PERIOD))) {
			arguments.add("--" + QUIET_PERIOD + "0s");
		}
		if (this.http2) {
			arguments.add("--server.http2.enabled=true");
		}
		Stream.concat(this.properties.stream(), Arrays.stream(properties))
			.map((property) -> "--" + property)
			.forEach(arguments::add);
		return arguments;
	}

	/**
	 * Start with one route of the starter from {@code /service/**} to the upstreams.
	 */
	RunningGateway startWithRoute(List<String> instances, String... properties) {
		List<String> all = route(0, "the-route", "service", instances);
		all.addAll(Arrays.asList(properties));
		return start(all.toArray(String[]::new));
	}

	/**
	 * The properties of a route of the starter and of its upstream, with whose name its
	 * path begins.
	 */
	static List<String> route(int index, String id, String upstream, List<String> instances) {
		List<String> all = new ArrayList<>();
		for (int i = 0; i < instances.size(); i++) {
			all.add("gateway-bench.upstreams.%s.instances[%d]=%s".formatted(upstream, i, instances.get(i)));
		}
		String route = "gateway-bench.routes[%d].".formatted(index);
		all.add(route + "id=" + id);
		all.add(route + "path=/%s/**".formatted(upstream));
		all.add(route + "upstream=" + upstream);
		return all;
	}

	/**
	 * Start with one native route from {@code /service/**} to a URI.
	 */
	RunningGateway startWithNativeRoute(String uri, List<String> filters, String... properties) {
		List<String> all = nativeRoute(0, "the-native-route", "/service/**", uri, filters);
		all.addAll(Arrays.asList(properties));
		return start(all.toArray(String[]::new));
	}

	/**
	 * The properties of a native route.
	 */
	List<String> nativeRoute(int index, String id, String path, String uri, List<String> filters) {
		List<String> all = new ArrayList<>();
		String route = "%s.routes[%d].".formatted(nativePrefix(), index);
		all.add(route + "id=" + id);
		all.add(route + "uri=" + uri);
		all.add(route + "predicates[0]=Path=" + path);
		for (int i = 0; i < filters.size(); i++) {
			all.add("%sfilters[%d]=%s".formatted(route, i, filters.get(i)));
		}
		return all;
	}

	/**
	 * A gateway that accepts requests.
	 *
	 * @param context its application context
	 * @param ownPort where it listens
	 * @param front what translates to HTTP/2, or {@code null}
	 */
	record RunningGateway(ConfigurableApplicationContext context, int ownPort,
			Http2Front front) implements AutoCloseable {

		/**
		 * Where it takes HTTP/1.1.
		 */
		int port() {
			return (this.front != null) ? this.front.port() : this.ownPort;
		}

		/**
		 * How often something happened to the instances of all upstreams together.
		 * @param meter such as {@code retries}
		 * @param tags keys and values of those that count, such as {@code upstream}
		 */
		double upstreamEvents(String meter, String... tags) {
			return this.context.getBean(MeterRegistry.class)
				.find("gateway.bench.upstream." + meter)
				.tags(tags)
				.counters()
				.stream()
				.mapToDouble(Counter::count)
				.sum();
		}

		@Override
		public void close() {
			if (this.front != null) {
				// A gateway that ends waits for the requests on its connections
				this.front.close();
			}
			this.context.close();
		}

	}

}
