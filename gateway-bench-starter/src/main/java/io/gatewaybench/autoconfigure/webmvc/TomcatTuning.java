package io.gatewaybench.autoconfigure.webmvc;

import org.apache.catalina.connector.Connector;

import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/**
 * Tomcat for a gateway. By itself it hands a response to the system in pieces of 8 KB,
 * each of which the JDK copies once more, out of the heap; and Spring Boot makes it close
 * the connection of a client after 100 requests, which Reactor Netty does not.
 */
final class TomcatTuning implements WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory>, Ordered {

	private static final int WRITE_BUFFER = 32 * 1024;

	private static final String MAX_REQUESTS = "server.tomcat.max-keep-alive-requests";

	private final boolean limitsRequests;

	TomcatTuning(Environment environment) {
		this.limitsRequests = environment.containsProperty(MAX_REQUESTS);
	}

	/**
	 * After Spring Boot's own, at 0. What the application says about it comes later and
	 * counts.
	 */
	@Override
	public int getOrder() {
		return 1;
	}

	@Override
	public void customize(ConfigurableTomcatWebServerFactory factory) {
		factory.addConnectorCustomizers(this::tune);
	}

	private void tune(Connector connector) {
		connector.setProperty("socket.appWriteBufSize", Integer.toString(WRITE_BUFFER));
		connector.setProperty("socket.directBuffer", "true");
		if (!this.limitsRequests) {
			connector.setProperty("maxKeepAliveRequests", "-1");
		}
	}

}
