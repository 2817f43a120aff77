package io.gatewaybench.upstream;

import java.net.URI;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.HttpStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class UpstreamsTests {

	private final Upstream orders = Upstream.roundRobin("orders", List.of(Instance.parse("http://10.0.0.1")));

	private final Upstream users = Upstream.roundRobin("users", List.of(Instance.parse("http://10.0.0.2")));

	private final Upstreams upstreams = new Upstreams(List.of(this.users, this.orders));

	@Test
	void anUpstreamIsFoundByTheHostOfTheUri() {
		assertThat(this.upstreams.get(URI.create("rr://orders"))).isSameAs(this.orders);
		assertThat(this.upstreams.get(URI.create("rr://users/path?query"))).isSameAs(this.users);
	}

	@ParameterizedTest
	@ValueSource(strings = { "rr://nope", "rr:orders", "rr:///orders", "rr://or_ders", "rr://ORDERS" })
	void anUnknownUpstreamIsUnavailableAndTheKnownOnesAreNamed(String uri) {
		assertThatExceptionOfType(UpstreamException.class).isThrownBy(() -> this.upstreams.get(URI.create(uri)))
			.satisfies((ex) -> {
				assertThat(ex.getStatusCode()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE);
				assertThat(ex.getReason())
					.isEqualTo("No upstream '%s': gateway-bench.upstreams has [orders, users]".formatted(uri));
			});
	}

	@Test
	void onlyTheSchemeTellsWhetherAUriNamesAnUpstream() {
		assertThat(Upstreams.isUpstream(URI.create("rr://orders"))).isTrue();
		assertThat(Upstreams.isUpstream(URI.create("RR://orders"))).isTrue();
		assertThat(Upstreams.isUpstream(URI.create("http://rr"))).isFalse();
		assertThat(Upstreams.isUpstream(URI.create("lb://orders"))).isFalse();
		assertThat(Upstreams.isUpstream(URI.create("/rr"))).isFalse();
	}

	@Test
	void theNamesAreKnown() {
		assertThat(this.upstreams.names()).containsExactlyInAnyOrder("orders", "users");
		assertThat(this.upstreams.contains("orders")).isTrue();
		assertThat(this.upstreams.contains("nope")).isFalse();
		assertThat(this.upstreams.contains(null)).isFalse();
	}

	@Test
	void twoUpstreamsCannotShareAName() {
		assertThatIllegalStateException().isThrownBy(() -> new Upstreams(List.of(this.users, this.users)))
			.withMessageContaining("users");
	}

}
