package io.gatewaybench.contract;

import java.util.List;

import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/**
 * What is on the class path of every test in the samples, and stays out of those that do
 * not ask for it. With Spring Security they would see nothing but 401. The rest would
 * only make each start slower, and starts take most of the time of the contracts.
 */
final class OnDemand implements AutoConfigurationImportFilter, EnvironmentAware {

	/**
	 * Property that asks for Spring Security.
	 */
	static final String SECURITY = "contract.security=true";

	/**
	 * Property that asks for Resilience4j.
	 */
	static final String CIRCUIT_BREAKERS = "contract.circuit-breakers=true";

	/**
	 * Property that asks for Spring Cloud's load balancer.
	 */
	static final String LOAD_BALANCER = "contract.load-balancer=true";

	private static final String EXPOSED = "management.endpoints.web.exposure.include";

	/** What tells of the application when somebody asks. */
	private static final List<String> TOLD = List.of(".metrics.autoconfigure.jvm.", ".metrics.autoconfigure.logging.",
			".metrics.autoconfigure.ssl.", ".metrics.autoconfigure.startup.", ".metrics.autoconfigure.system.",
			".metrics.autoconfigure.task.", ".DiskSpaceHealth", ".SslHealth", ".autoconfigure.info.");

	private boolean security;

	private boolean circuitBreakers;

	private boolean loadBalancer;

	private boolean exposed;

	@Override
	public void setEnvironment(Environment environment) {
		this.security = environment.getProperty("contract.security", Boolean.class, false);
		this.circuitBreakers = environment.getProperty("contract.circuit-breakers", Boolean.class, false);
		this.loadBalancer = environment.getProperty("contract.load-balancer", Boolean.class, false);
		this.exposed = environment.containsProperty(EXPOSED);
	}

	@Override
	public boolean[] match(String[] classes, AutoConfigurationMetadata metadata) {
		boolean[] matches = new boolean[classes.length];
		for (int i = 0; i < classes.length; i++) {
			matches[i] = classes[i] == null || isWanted(classes[i]);
		}
		return matches;
	}

	private boolean isWanted(String name) {
		return (this.security || !name.startsWith("org.springframework.boot.security."))
				&& (this.circuitBreakers || !name.contains(".resilience4j."))
				&& (this.loadBalancer || !name.contains(".loadbalancer.")) && (this.exposed || !isTold(name));
	}

	/** An endpoint but health, which is exposed without being named. */
	private static boolean isTold(String name) {
		return TOLD.stream().anyMatch(name::contains) || (name.endsWith("EndpointAutoConfiguration")
				&& !name.contains(".endpoint.") && !name.contains("Health"));
	}

}
