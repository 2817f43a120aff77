package io.gatewaybench.samples.service.webflux;

import io.gatewaybench.samples.service.HttpClients;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.http.client.autoconfigure.reactive.ClientHttpConnectorBuilderCustomizer;
import org.springframework.boot.http.client.reactive.ReactorClientHttpConnectorBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * The services of P3, P4 and P5 on WebFlux.
 */
@SpringBootApplication(proxyBeanMethods = false)
@Import(HttpClients.class)
public class WebFluxService {

	public static void main(String[] args) {
		SpringApplication.run(WebFluxService.class, args);
	}

	@Bean(destroyMethod = "dispose")
	ConnectionProvider largePool() {
		return ConnectionProvider.create("downstream", HttpClients.MAX_CONNECTIONS);
	}

	@Bean
	ClientHttpConnectorBuilderCustomizer<ReactorClientHttpConnectorBuilder> largePoolCustomizer(
			ConnectionProvider largePool) {
		return (builder) -> builder.withHttpClientFactory(() -> HttpClient.create(largePool));
	}

}
