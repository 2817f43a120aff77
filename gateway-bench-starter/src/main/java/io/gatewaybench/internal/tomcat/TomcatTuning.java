package io.gatewaybench.internal.tomcat;

import java.time.Duration;

import org.apache.catalina.connector.Connector;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.coyote.AbstractProtocol;
import org.apache.coyote.ProtocolHandler;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.tomcat.TomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

/**
 * Tomcat for a gateway. By itself it hands a response to the system in pieces of 8 KB,
 * each of which the JDK copies once more, out of the heap; and Spring Boot makes it close
 * the connection of a client after 100 requests, which Reactor Netty does not. A head of
 * the size that Tomcat allows would be too large with the gateway's own headers in it.
 * Virtual threads get a limit of requests.
 */
@ImportRuntimeHints({ StreamResets.Hints.class, BareBodies.Hints.class, GatewayHttp11.Hints.class,
		WebSocketTunnel.Hints.class })
public final class TomcatTuning implements WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory>, Ordered {

	private static final Log logger = LogFactory.getLog(TomcatTuning.class);

	private static final String HTTP2 = "server.http2.enabled";

	private static final String COMPRESSION = "server.compression.enabled";

	private static final String MAX_CONNECTIONS = "server.tomcat.max-connections";

	private static final String MAX_REQUESTS = "server.tomcat.max-keep-alive-requests";

	// Some 50 to 100 ms of work, far less than a response timeout
	private static final int REQUESTS_PER_PROCESSOR = 100;

	private static final String MAX_REQUEST_HEAD_SIZE = "server.max-http-request-header-size";

	private static final String MAX_HEAD_SIZE = "server.tomcat.max-http-response-header-size";

	private static final int DEFAULT_HEAD_SIZE = 8 * 1024;

	private static final int SIZE_OF_OWN_HEADERS = 8 * 1024;

	/**
	 * What one request in flight takes of the heap, with the buffers of Tomcat and of
	 * Apache's client (measured: 185 KB).
	 */
	private static final int MEMORY_OF_REQUEST = 192 * 1024;

	private static final String HEAD_TIMEOUT = "gateway-bench.server.head-timeout";

	private static final String BODY_TIMEOUT = "gateway-bench.server.body-timeout";

	private static final String CONNECTION_TIMEOUT = "server.tomcat.connection-timeout";

	private static final String UNCLEAR_PATHS = "gateway-bench.unclear-paths";

	private static final String AS_SENT = EncodedSolidusHandling.PASS_THROUGH.getValue();

	// As in ?id[]=1, which browsers send
	private static final String QUERY_BRACKETS = "[]";

	private final int maxRequestHeadSize;

	private final boolean limitsConnections;

	private final boolean limitsRequests;

	private final boolean passesUnclearPaths;

	private final boolean http2;

	private final boolean compresses;

	private final int maxCancelledStreams;

	private final Duration headTimeout;

	private final Duration bodyTimeout;

	/**
	 * Read the settings.
	 * @param environment has them
	 */
	public TomcatTuning(Environment environment) {
		this.limitsConnections = environment.containsProperty(MAX_CONNECTIONS);
		this.limitsRequests = environment.containsProperty(MAX_REQUESTS);
		this.passesUnclearPaths = "pass"
			.equalsIgnoreCase(Binder.get(environment).bind(UNCLEAR_PATHS, String.class).orElse(null));
		this.maxRequestHeadSize = size(environment, MAX_REQUEST_HEAD_SIZE);
		this.http2 = environment.getProperty(HTTP2, Boolean.class, false);
		this.compresses = environment.getProperty(COMPRESSION, Boolean.class, false);
		this.maxCancelledStreams = environment.getProperty("gateway-bench.server.max-cancelled-streams", Integer.class,
				1000);
		Binder binder = Binder.get(environment);
		this.headTimeout = binder.bind(HEAD_TIMEOUT, Duration.class).orElse(Duration.ofSeconds(20));
		this.bodyTimeout = binder.bind(CONNECTION_TIMEOUT, Duration.class)
			.orElseGet(() -> binder.bind(BODY_TIMEOUT, Duration.class).orElse(Duration.ofSeconds(30)));
	}

	/**
	 * How large the head of an upstream's response may be.
	 * @param environment has the settings
	 * @return what Tomcat would allow, or what it allows unless told, in bytes
	 */
	public static int maxUpstreamHeadSize(Environment environment) {
		return size(environment, MAX_HEAD_SIZE);
	}

	private static int size(Environment environment, String property) {
		return Binder.get(environment)
			.bind(property, DataSize.class)
			.map((size) -> Math.toIntExact(size.toBytes()))
			.orElse(DEFAULT_HEAD_SIZE);
	}

	/**
	 * After Spring Boot's own, at 0 and, for virtual threads, at 1. What the application
	 * says about it comes later and counts.
	 */
	@Override
	public int getOrder() {
		return 2;
	}

	@Override
	public void customize(ConfigurableTomcatWebServerFactory factory) {
		if (factory instanceof TomcatWebServerFactory server
				&& server.getProtocol().equals(TomcatWebServerFactory.DEFAULT_PROTOCOL)) {
			server.setProtocol(GatewayHttp11.class.getName());
		}
		factory.addConnectorCustomizers(this::tune);
		factory.addProtocolHandlerCustomizers(TomcatTuning::limit);
		factory.addEngineValves(new TrailerFields());
		factory.addEngineValves(new HeadLimits(this.maxRequestHeadSize), new LengthBesideChunks());
		factory.addEngineValves(new BareBodies());
		if (!BareBodies.canBeReset()) {
			logger
				.warn("This version of Tomcat does not tell the connection of a request. A body without Content-Length"
						+ " that breaks off may look whole to a client of HTTP/1.0. Take a version of Tomcat that the"
						+ " starter is tested with");
		}
		if (this.compresses) {
			factory.addEngineValves(new CodedResponses());
		}
		if (this.http2 && StreamResets.areSeen()) {
			factory.addEngineValves(new StreamResets());
		}
		else if (this.http2) {
			logger.warn("This version of Tomcat does not tell whether a client has reset its stream of HTTP/2."
					+ " An upload without Content-Length that a client breaks off may look complete to the upstream."
					+ " Switch " + HTTP2 + " off, or take a version of Tomcat that the starter is tested with");
		}
	}

	/**
	 * A number of connections that the application wants stays, whatever memory there is.
	 */
	private void giveBuffers(Connector connector, AbstractProtocol<?> protocol) {
		int wanted = protocol.getMaxConnections();
		ConnectionBuffers buffers = ConnectionBuffers.within(ConnectionBuffers.directMemory(),
				(wanted > 0) ? wanted : Integer.MAX_VALUE);
		connector.setProperty("socket.appReadBufSize", Integer.toString(ConnectionBuffers.READ));
		connector.setProperty("socket.appWriteBufSize", Integer.toString(buffers.write()));
		connector.setProperty("socket.directBuffer", "true");
		if (!this.limitsConnections && buffers.connections() < wanted) {
			protocol.setMaxConnections(buffers.connections());
			logger.info("Tomcat takes %d connections of clients at a time, as there is no more direct memory for them."
				.formatted(buffers.connections()) + " For more, raise -XX:MaxDirectMemorySize or -Xmx, or set "
					+ MAX_CONNECTIONS);
		}
	}

	private static void limit(ProtocolHandler protocol) {
		if (protocol.getExecutor() instanceof VirtualThreadExecutor threads) {
			int processors = Runtime.getRuntime().availableProcessors();
			long most = Runtime.getRuntime().maxMemory() / 2 / MEMORY_OF_REQUEST;
			protocol.setExecutor(new RequestLimit(threads, REQUESTS_PER_PROCESSOR * processors,
					(int) Math.min(most, Integer.MAX_VALUE)));
		}
	}

	private void tune(Connector connector) {
		if (connector.getProtocolHandler() instanceof AbstractProtocol<?> protocol) {
			giveBuffers(connector, protocol);
		}
		if (this.http2) {
			// Two threads would read from a new connection, and mix up its frames (Tomcat
			// 11.0.22)
			connector.setProperty("useAsyncIO", "false");
			// In the place of Spring Boot's, which comes before
			connector.addUpgradeProtocol(new GatewayHttp2(this.maxCancelledStreams, this.bodyTimeout));
		}
		if (this.passesUnclearPaths) {
			connector.setEncodedSolidusHandling(AS_SENT);
			connector.setEncodedReverseSolidusHandling(AS_SENT);
		}
		if (connector.getProtocolHandler() instanceof AbstractHttp11Protocol<?> protocol) {
			// What is larger than twice the limit gets 400, as there is no room for it
			protocol.setMaxHttpRequestHeaderSize(2 * this.maxRequestHeadSize);
			protocol.setMaxHeaderCount(-1);
			protocol.setRelaxedQueryChars(protocol.getRelaxedQueryChars() + QUERY_BRACKETS);
			protocol.setMaxHttpResponseHeaderSize(protocol.getMaxHttpResponseHeaderSize() + SIZE_OF_OWN_HEADERS);
			protocol.setDisableUploadTimeout(false);
			protocol.setConnectionUploadTimeout(Math.toIntExact(this.bodyTimeout.toMillis()));
		}
		if (connector.getProtocolHandler() instanceof GatewayHttp11 protocol) {
			protocol.limitHeads(this.headTimeout);
		}
		if (!this.limitsRequests) {
			connector.setProperty("maxKeepAliveRequests", "-1");
		}
	}

}
