package io.gatewaybench.samples.service.webmvc;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The service of P3.
 */
@RestController
final class HelloController {

	@GetMapping("/test")
	String test() {
		return "Test OK!";
	}

}
