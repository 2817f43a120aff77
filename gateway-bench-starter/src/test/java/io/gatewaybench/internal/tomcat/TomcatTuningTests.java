package io.gatewaybench.internal.tomcat;

import org.apache.catalina.connector.Connector;
import org.apache.tomcat.util.net.SocketProperties;
import org.assertj.core.api.AbstractObjectAssert;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ObjectAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How Tomcat writes responses and keeps connections, and that what the application says
 * about it counts.
 */
class TomcatTuningTests {

	private static final SocketProperties UNCHANGED = new SocketProperties();

	private final WebApplicationContextRunner gateway = new WebApplicationContextRunner(
			AnnotationConfigServletWebServerApplicationContext::new)
		.withUserConfiguration(Application.class)
		.withPropertyValues("server.port=0", "spring.cloud.gateway.server.webflux.enabled=false");

	@Test
	void largeResponsesLeaveInFewPiecesAndDirectly() {
		this.gateway.run((context) -> assertThatSocketOf(context)
			.extracting(SocketProperties::getAppWriteBufSize, SocketProperties::getDirectBuffer)
			.containsExactly(32 * 1024, true));
	}

	@Test
	void notTunedTheyLeaveAsTheyWould() {
		this.gateway.withPropertyValues("gateway-bench.server.tuned=false")
			.run((context) -> assertThatSocketOf(context)
				.extracting(SocketProperties::getAppWriteBufSize, SocketProperties::getDirectBuffer)
				.containsExactly(UNCHANGED.getAppWriteBufSize(), UNCHANGED.getDirectBuffer()));
	}

	@Test
	void whatTheApplicationSaysCountsMore() {
		this.gateway.withUserConfiguration(OwnBuffers.class)
			.run((context) -> assertThatSocketOf(context).extracting(SocketProperties::getAppWriteBufSize)
				.isEqualTo(OwnBuffers.SIZE));
	}

	/**
	 * Read by reflection, so a new version of Tomcat may take it away.
	 */
	@Test
	void thisTomcatTellsThatAClientHasResetItsStream() {
		assertThat(StreamResets.areSeen()).isTrue();
	}

	@Test
	void anotherServerNeedsNoTomcat() {
		new WebApplicationContextRunner().withUserConfiguration(Application.class)
			.withPropertyValues("spring.cloud.gateway.server.webflux.enabled=false")
			.withClassLoader(new FilteredClassLoader("org.apache.catalina", "org.springframework.boot.tomcat"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("gatewayBenchServerCustomizer"));
	}

	@Test
	void aConnectionServesAnyNumberOfRequests() {
		this.gateway.run((context) -> assertThatRequestsOfAConnection(context).isEqualTo(-1));
		this.gateway.withPropertyValues("gateway-bench.server.tuned=false")
			.run((context) -> assertThatRequestsOfAConnection(context).isEqualTo(100));
		this.gateway.withPropertyValues("server.tomcat.maxKeepAliveRequests=7")
			.run((context) -> assertThatRequestsOfAConnection(context).isEqualTo(7));
	}

	/**
	 * Otherwise frames of HTTP/2 are mixed up now and then: the upstream gets other bytes
	 * than the client sent, or the client gets a protocol error.
	 */
	@Test
	void oneThreadAtATimeReadsFromAConnectionOfHttp2() {
		this.gateway.withPropertyValues("server.http2.enabled=true")
			.run((context) -> assertThat(connector(context)).extracting("protocolHandler.endpoint.useAsyncIO")
				.isEqualTo(false));
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "Java has no virtual threads before 21")
	void virtualThreadsLetRequestsWaitWhenTheyFallBehind() {
		WebApplicationContextRunner virtual = this.gateway.withPropertyValues("spring.threads.virtual.enabled=true");
		virtual.run((context) -> assertThatExecutorOf(context).isInstanceOf(RequestLimit.class)
			.extracting("limit")
			.isEqualTo(100 * Runtime.getRuntime().availableProcessors()));
		virtual.withPropertyValues("gateway-bench.server.tuned=false")
			.run((context) -> assertThatExecutorOf(context).isNotInstanceOf(RequestLimit.class));
		this.gateway.run((context) -> assertThatExecutorOf(context).isNotInstanceOf(RequestLimit.class));
	}

	private static AbstractObjectAssert<?, ?> assertThatExecutorOf(AssertableWebApplicationContext context) {
		return assertThat(connector(context)).extracting("protocolHandler.executor");
	}

	private static AbstractObjectAssert<?, ?> assertThatRequestsOfAConnection(AssertableWebApplicationContext context) {
		return assertThat(connector(context)).extracting("protocolHandler.maxKeepAliveRequests");
	}

	private static ObjectAssert<SocketProperties> assertThatSocketOf(AssertableWebApplicationContext context) {
		return assertThat(connector(context)).extracting("protocolHandler.endpoint.socketProperties",
				InstanceOfAssertFactories.type(SocketProperties.class));
	}

	private static Connector connector(AssertableWebApplicationContext context) {
		TomcatWebServer server = (TomcatWebServer) context
			.getSourceApplicationContext(AnnotationConfigServletWebServerApplicationContext.class)
			.getWebServer();
		return server.getTomcat().getConnector();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnBuffers {

		private static final int SIZE = 12345;

		@Bean
		WebServerFactoryCustomizer<TomcatServletWebServerFactory> ownBuffers() {
			return (factory) -> factory.addConnectorCustomizers(
					(connector) -> connector.setProperty("socket.appWriteBufSize", Integer.toString(SIZE)));
		}

	}

}
