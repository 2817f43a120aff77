package io.gatewaybench.internal.autoconfigure;

import java.net.URI;
import java.util.List;

import io.gatewaybench.upstream.Instance;
import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.Upstreams;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

class NativeRoutesTests {

	private static final Upstreams UPSTREAMS = new Upstreams(
			List.of(Upstream.roundRobin("service", List.of(Instance.parse("http://127.0.0.1:1")))));

	@ParameterizedTest
	@ValueSource(strings = { "rr://service", "rr://service/", "http://service/a?b" })
	void whatNamesAnUpstreamOrLeadsElsewhereIsTaken(String uri) {
		assertThatNoException().isThrownBy(() -> check(uri));
	}

	@ParameterizedTest
	@ValueSource(strings = { "rr://nope", "rr:service" })
	void anUpstreamThatDoesNotExistIsRefused(String uri) {
		assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class).isThrownBy(() -> check(uri))
			.satisfies((ex) -> {
				assertThat(ex.getName()).isEqualTo("routes[0].uri");
				assertThat(ex.getValue()).isEqualTo(uri);
				assertThat(ex.getReason()).isEqualTo("There is no upstream of this name. "
						+ "Add it to 'gateway-bench.upstreams', or use one of [service].");
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "rr://service/evil?x=1", "rr://service/evil", "rr://service:99",
			"rr://me:planted-secret@service:99", "rr://service?x", "rr://service#x" })
	void theUriOfAnUpstreamIsItsNameAlone(String uri) {
		assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class).isThrownBy(() -> check(uri))
			.satisfies((ex) -> {
				assertThat(ex.getReason()).isEqualTo("Write 'rr://service' alone. The instances of the upstream have"
						+ " the ports, and path and query come from the request.");
				assertThat(ex).hasMessageNotContaining("planted-secret");
				assertThat(ex.getValue()).asString().doesNotContain("planted-secret");
			});
	}

	private static void check(String uri) {
		NativeRoutes.check("routes[0].uri", URI.create(uri), UPSTREAMS);
	}

}
