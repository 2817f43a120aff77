package io.gatewaybench.samples.webflux;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * A gateway that has every filter of the starter, configured in YAML only. It does
 * without the streams of events of its circuit breakers: they need Jackson 2, and without
 * it a gateway that exposes all endpoints does not start.
 */
@SpringBootApplication(
		excludeName = "io.github.resilience4j.springboot3.circuitbreaker.autoconfigure.CircuitBreakerStreamEventsAutoConfiguration")
public class WebFluxGateway {

	public static void main(String[] args) {
		SpringApplication.run(WebFluxGateway.class, args);
	}

}
