package io.gatewaybench.internal.routing;

/**
 * Makes the gateway of a flavour take the routes that there are now.
 */
@FunctionalInterface
public interface RouteLoader {

	/**
	 * Load the routes. Requests find the old ones until all new ones are there.
	 */
	void load();

}
