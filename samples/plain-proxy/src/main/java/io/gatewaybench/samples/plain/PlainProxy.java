package io.gatewaybench.samples.plain;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Starts a proxy that has no filters, no metrics and no error handling: what the
 * libraries of a gateway need alone.
 */
public final class PlainProxy {

	private static final Set<String> OF_CONNECTION = Set.of("connection", "host", "keep-alive", "te", "trailer",
			"transfer-encoding", "upgrade");

	private PlainProxy() {
	}

	/**
	 * Starts it.
	 * @param arguments {@code netty} or {@code tomcat}, the address, the port, and the
	 * services. A service is the first segment of its paths and its URL:
	 * {@code service-a=http://127.0.0.1:8081}
	 * @throws Exception if it can't listen there
	 */
	public static void main(String[] arguments) throws Exception {
		Map<String, String> services = new HashMap<>();
		for (int i = 3; i < arguments.length; i++) {
			String[] service = arguments[i].split("=", 2);
			services.put(service[0], service[1]);
		}
		int port = Integer.parseInt(arguments[2]);
		switch (arguments[0]) {
			case "netty" -> NettyProxy.start(arguments[1], port, services).onDispose().block();
			case "tomcat" -> TomcatProxy.start(arguments[1], port, services).getServer().await();
			default -> throw new IllegalArgumentException("'" + arguments[0] + "' is neither netty nor tomcat");
		}
	}

	/**
	 * The URL at the service, without the first segment, or {@code null} if there is no
	 * such service.
	 */
	static @Nullable String target(String pathAndQuery, Map<String, String> services) {
		int end = pathAndQuery.indexOf('/', 1);
		String service = (end > 0) ? services.get(pathAndQuery.substring(1, end)) : null;
		return (service != null) ? service + pathAndQuery.substring(end) : null;
	}

	/**
	 * Whether a header passes on.
	 */
	static boolean passes(String name) {
		return !OF_CONNECTION.contains(name.toLowerCase(Locale.ROOT));
	}

}
