package io.gatewaybench.webmvc;

import java.net.http.HttpClient;

import org.springframework.boot.http.client.JdkClientHttpRequestFactoryBuilder;
import org.springframework.core.task.VirtualThreadTaskExecutor;

/**
 * The JDK's client for a gateway. Its pool has no limits, not of age either, and closes
 * idle connections after the time in the system property
 * {@code jdk.httpclient.keepalive.timeout}.
 */
final class JdkTuning {

	private JdkTuning() {
	}

	static JdkClientHttpRequestFactoryBuilder tune(JdkClientHttpRequestFactoryBuilder builder, boolean virtualThreads) {
		JdkClientHttpRequestFactoryBuilder tuned = builder
			.withHttpClientCustomizer((client) -> client.version(HttpClient.Version.HTTP_1_1))
			.withCustomizer((factory) -> factory.enableCompression(false));
		return virtualThreads ? tuned.withExecutor(new VirtualThreadTaskExecutor("gateway-bench-")) : tuned;
	}

}
