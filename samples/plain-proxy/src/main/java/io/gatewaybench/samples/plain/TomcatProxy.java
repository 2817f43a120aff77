package io.gatewaybench.samples.plain;

import java.io.IOException;
import java.util.Map;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.hc.client5.http.classic.HttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.routing.RoutingSupport;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.io.entity.InputStreamEntity;
import org.apache.hc.core5.http.io.support.ClassicRequestBuilder;
import org.apache.hc.core5.util.Timeout;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;

/**
 * Tomcat on virtual threads and Apache's client, as below the WebMVC gateway.
 */
final class TomcatProxy extends HttpServlet {

	private static final long serialVersionUID = 1L;

	private static final int CONNECTIONS = 1000;

	private final transient HttpClient client = HttpClients.custom()
		.disableContentCompression()
		.disableCookieManagement()
		.disableRedirectHandling()
		.setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
			.setMaxConnPerRoute(CONNECTIONS)
			.setMaxConnTotal(CONNECTIONS)
			// On virtual threads, a timeout would cost a timer for each read
			.setDefaultSocketConfig(SocketConfig.custom().setSoTimeout(Timeout.DISABLED).build())
			.build())
		.build();

	private final transient Map<String, String> services;

	private TomcatProxy(Map<String, String> services) {
		this.services = services;
	}

	static Tomcat start(String address, int port, Map<String, String> services) throws LifecycleException {
		Tomcat tomcat = new Tomcat();
		tomcat.setBaseDir(System.getProperty("java.io.tmpdir"));
		Connector connector = new Connector();
		connector.setProperty("address", address);
		connector.setPort(port);
		connector.getProtocolHandler().setExecutor(new VirtualThreadExecutor("plain-"));
		tomcat.setConnector(connector);
		Context context = tomcat.addContext("", null);
		Tomcat.addServlet(context, "proxy", new TomcatProxy(services)).addMapping("/*");
		tomcat.start();
		return tomcat;
	}

	@Override
	protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
		String query = request.getQueryString();
		String path = request.getRequestURI();
		String target = PlainProxy.target((query != null) ? path + '?' + query : path, this.services);
		if (target == null) {
			response.sendError(HttpServletResponse.SC_NOT_FOUND);
			return;
		}
		ClassicHttpRequest sent = ClassicRequestBuilder.create(request.getMethod()).setUri(target).build();
		request.getHeaderNames().asIterator().forEachRemaining((name) -> {
			// The client tells the length of the entity
			if (PlainProxy.passes(name) && !name.equalsIgnoreCase(HttpHeaders.CONTENT_LENGTH)) {
				request.getHeaders(name).asIterator().forEachRemaining((value) -> sent.addHeader(name, value));
			}
		});
		if (request.getContentLengthLong() > 0 || request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null) {
			sent.setEntity(new InputStreamEntity(request.getInputStream(), request.getContentLengthLong(), null));
		}
		try (ClassicHttpResponse received = this.client.executeOpen(RoutingSupport.determineHost(sent), sent, null)) {
			response.setStatus(received.getCode());
			for (Header header : received.getHeaders()) {
				if (PlainProxy.passes(header.getName())) {
					response.addHeader(header.getName(), header.getValue());
				}
			}
			if (received.getEntity() != null) {
				received.getEntity().writeTo(response.getOutputStream());
			}
		}
		catch (HttpException ex) {
			throw new IOException(ex);
		}
	}

}
