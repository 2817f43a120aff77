package io.gatewaybench.autoconfigure.webmvc;

import org.apache.catalina.connector.Connector;

import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.Ordered;

/**
 * Tomcat for a gateway. By itself it hands a response to the system in pieces of 8 KB,
 * each of which the JDK copies once more, out of the heap.
 */
final class TomcatTuning implements WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory>, Ordered {

	private static final int WRITE_BUFFER = 32 * 1024;

	/**
	 * What the application says about it comes later and counts.
	 */
	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public void customize(ConfigurableTomcatWebServerFactory factory) {
		factory.addConnectorCustomizers(TomcatTuning::tune);
	}

	private static void tune(Connector connector) {
		connector.setProperty("socket.appWriteBufSize", Integer.toString(WRITE_BUFFER));
		connector.setProperty("socket.directBuffer", "true");
	}

}
