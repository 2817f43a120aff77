package io.gatewaybench.contract;

import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/**
 * Spring Security is on the class path of every test in the samples. It stays out of
 * those that do not ask for it, which would see nothing but 401.
 */
final class SecurityOnDemand implements AutoConfigurationImportFilter, EnvironmentAware {

	/**
	 * Property that asks for it.
	 */
	static final String ON = "contract.security=true";

	private boolean on;

	@Override
	public void setEnvironment(Environment environment) {
		this.on = environment.getProperty("contract.security", Boolean.class, false);
	}

	@Override
	public boolean[] match(String[] classes, AutoConfigurationMetadata metadata) {
		boolean[] matches = new boolean[classes.length];
		for (int i = 0; i < classes.length; i++) {
			matches[i] = this.on || classes[i] == null || !classes[i].startsWith("org.springframework.boot.security.");
		}
		return matches;
	}

}
