package io.gatewaybench.contract;

import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/**
 * What is on the class path of every test in the samples, and stays out of those that do
 * not ask for it. With Spring Security they would see nothing but 401. With circuit
 * breakers each start takes a third longer.
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

	private boolean security;

	private boolean circuitBreakers;

	@Override
	public void setEnvironment(Environment environment) {
		this.security = environment.getProperty("contract.security", Boolean.class, false);
		this.circuitBreakers = environment.getProperty("contract.circuit-breakers", Boolean.class, false);
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
				&& (this.circuitBreakers || !name.contains(".resilience4j."));
	}

}
