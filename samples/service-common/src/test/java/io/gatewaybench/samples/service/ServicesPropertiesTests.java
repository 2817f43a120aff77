package io.gatewaybench.samples.service;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

class ServicesPropertiesTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withUserConfiguration(TheProperties.class);

	@ParameterizedTest
	@ValueSource(strings = { "http://10.0.0.3:8081", "https://user-service", "http://[::1]:8081" })
	void aServiceIsSchemeHostAndPort(String url) {
		this.runner.withPropertyValues("services.user.url=" + url).run((context) -> {
			ServicesProperties properties = context.getBean(ServicesProperties.class);
			assertThat(properties.user().url()).isEqualTo(url);
			assertThat(properties.registration().url()).isEqualTo("http://localhost:8081");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "localhost:8081", "ftp://localhost", "http://", "http://localhost:8081/",
			"http://localhost:8081/user", "http://localhost?x", "http://local host" })
	void anythingElseStopsTheStartAndIsNamed(String url) {
		this.runner.withPropertyValues("services.registration.url=" + url)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("registration.url")
				.hasMessageContaining("expected scheme, host and port, such as http://localhost:8081"));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties(ServicesProperties.class)
	static class TheProperties {

	}

}
