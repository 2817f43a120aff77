package io.gatewaybench.samples.webflux;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * A gateway that has every filter of the starter, configured in YAML only.
 */
@SpringBootApplication
public class WebFluxGateway {

	public static void main(String[] args) {
		SpringApplication.run(WebFluxGateway.class, args);
	}

}
