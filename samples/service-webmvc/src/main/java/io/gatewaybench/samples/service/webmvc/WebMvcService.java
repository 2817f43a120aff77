package io.gatewaybench.samples.service.webmvc;

import io.gatewaybench.samples.service.HttpClients;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.http.client.HttpComponentsClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.autoconfigure.ClientHttpRequestFactoryBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * The services of P3, P4 and P5 on WebMVC. Blocking code runs on virtual threads if
 * {@code spring.threads.virtual.enabled} says so.
 */
@SpringBootApplication(proxyBeanMethods = false)
@Import(HttpClients.class)
public class WebMvcService {

	public static void main(String[] args) {
		SpringApplication.run(WebMvcService.class, args);
	}

	@Bean
	ClientHttpRequestFactoryBuilderCustomizer<HttpComponentsClientHttpRequestFactoryBuilder> largePoolWithoutRetries() {
		return (builder) -> builder.withHttpClientCustomizer(HttpClientBuilder::disableAutomaticRetries)
			.withConnectionManagerCustomizer((pool) -> pool.setMaxConnTotal(HttpClients.MAX_CONNECTIONS)
				.setMaxConnPerRoute(HttpClients.MAX_CONNECTIONS));
	}

}
