package io.gatewaybench.samples.webflux;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.server.WebFilter;

/**
 * Makes requests dearer by a known amount, so that one can see whether the benchmark
 * finds it: {@code /cost-30/service-a} is {@code /service-a} with 30 µs of CPU time more.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty("known-cost.enabled")
class KnownCost {

	private static final String PREFIX = "/cost-";

	@Bean
	WebFilter knownCostFilter() {
		ThreadMXBean threads = ManagementFactory.getThreadMXBean();
		return (exchange, chain) -> {
			String path = exchange.getRequest().getPath().value();
			if (!path.startsWith(PREFIX)) {
				return chain.filter(exchange);
			}
			int rest = path.indexOf('/', PREFIX.length());
			spend(Long.parseLong(path, PREFIX.length(), rest, 10), threads);
			return chain.filter(exchange.mutate().request((request) -> request.path(path.substring(rest))).build());
		};
	}

	private static void spend(long micros, ThreadMXBean threads) {
		long end = threads.getCurrentThreadCpuTime() + 1_000 * micros;
		while (threads.getCurrentThreadCpuTime() < end) {
			Thread.onSpinWait();
		}
	}

}
