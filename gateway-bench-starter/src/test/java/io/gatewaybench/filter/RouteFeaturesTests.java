package io.gatewaybench.filter;

import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RouteFeaturesTests {

	@Test
	void noneHasNoFeature() {
		assertThat(RouteFeatures.NONE.isEmpty()).isTrue();
		assertThat(Feature.values()).noneMatch(RouteFeatures.NONE::has);
	}

	@Test
	void aSetHasWhatItWasMadeOf() {
		RouteFeatures features = RouteFeatures.of(Set.of(Feature.METRICS), 1);
		assertThat(features.isEmpty()).isFalse();
		assertThat(features.has(Feature.METRICS)).isTrue();
		assertThat(features.has(Feature.HEADERS)).isFalse();
	}

	@Test
	void thePathIsStrippedOnlyWhereThatIsAFeature() {
		assertThat(RouteFeatures.of(Set.of(Feature.STRIP_PREFIX), 1).upstreamPath("/a/b")).isEqualTo("/b");
		assertThat(RouteFeatures.of(Set.of(Feature.HEADERS), 1).upstreamPath("/a/b")).isEqualTo("/a/b");
	}

	@Test
	void eachRouteStripsItsOwnNumberOfSegments() {
		RouteFeatures features = RouteFeatures.of(Set.of(Feature.STRIP_PREFIX, Feature.METRICS), 1);
		RouteFeatures three = features.strippingParts(3);
		assertThat(three.upstreamPath("/a/b/c/d")).isEqualTo("/d");
		assertThat(three.has(Feature.METRICS)).isTrue();
		assertThat(features.strippingParts(0).upstreamPath("/a/b")).isEqualTo("/a/b");
		assertThat(features.upstreamPath("/a/b")).isEqualTo("/b");
	}

	@Test
	void anEmptyPathBecomesASlash() {
		assertThat(RouteFeatures.NONE.upstreamPath("")).isEqualTo("/");
	}

	@Test
	void theNamesOfTheFiltersAreThoseOfTheDocumentation() {
		assertThat(Feature.values()).extracting(Feature::filterName)
			.containsExactly("StripGatewayPrefix", "AddGatewayHeaders", "InjectGatewayMetadata",
					"RecordGatewayMetrics");
	}

}
