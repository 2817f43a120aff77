package io.gatewaybench.benchmark.suite;

import java.util.List;

/**
 * One way to set up a gateway, the thing that is compared.
 *
 * @param id the name in scenario ids, for example {@code webmvc-vt}
 * @param title the name in reports, for example {@code WebMVC+VT}
 * @param flavour the server it runs on
 * @param threads what serves a request
 * @param arguments further arguments of the gateway, such as
 * {@code --server.tomcat.threads.max=400}
 */
public record Variant(String id, String title, Flavour flavour, Threads threads, List<String> arguments) {

	/**
	 * Copies the list.
	 */
	public Variant {
		arguments = List.copyOf(arguments);
	}

}
