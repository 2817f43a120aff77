package io.gatewaybench.internal.filter;

import java.util.EnumSet;
import java.util.Set;

import io.gatewaybench.filter.Feature;
import io.gatewaybench.filter.RouteFeatures;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class FeatureScopeTests {

	private static final RouteFeatures ALL = RouteFeatures.of(EnumSet.allOf(Feature.class), 1);

	private static final FeatureScope OWN_ROUTES = new FeatureScope(ALL, false);

	private static final FeatureScope EVERY_ROUTE = new FeatureScope(ALL, true);

	@Test
	void aRouteOfTheStarterHasWhatItDeclares() {
		RouteFeatures declared = RouteFeatures.of(Set.of(Feature.HEADERS, Feature.METRICS), 1);
		assertThat(OWN_ROUTES.resolve(declared, null)).isSameAs(declared);
		assertThat(EVERY_ROUTE.resolve(declared, null)).isSameAs(declared);
	}

	@Test
	void anotherRouteIsLeftAlone() {
		assertThat(OWN_ROUTES.resolve(null, null).isEmpty()).isTrue();
	}

	@Test
	void anotherRouteHasEverythingWhereThatIsTheScope() {
		assertThat(EVERY_ROUTE.resolve(null, null)).isSameAs(ALL);
	}

	@ParameterizedTest
	@EnumSource
	void aFilterAddsTheFeatureThatItNames(Feature feature) {
		RouteFeatures features = OWN_ROUTES.resolve(null, RouteFeatures.request(null, feature));
		for (Feature each : Feature.values()) {
			assertThat(features.has(each)).as(each.name()).isEqualTo(each == feature);
		}
	}

	@Test
	void severalFiltersAddUp() {
		RouteFeatures requested = RouteFeatures.request(RouteFeatures.request(null, Feature.HEADERS),
				Feature.STRIP_PREFIX);
		RouteFeatures features = OWN_ROUTES.resolve(null, requested);
		assertThat(features.has(Feature.HEADERS)).isTrue();
		assertThat(features.has(Feature.STRIP_PREFIX)).isTrue();
		assertThat(features.has(Feature.BODY_REWRITE)).isFalse();
		assertThat(features.upstreamPath("/a/b")).isEqualTo("/b");
	}

	@ParameterizedTest
	@EnumSource
	void whatIsOffStaysOffWhoeverAsks(Feature feature) {
		RouteFeatures enabled = RouteFeatures.of(EnumSet.complementOf(EnumSet.of(feature)), 1);
		FeatureScope scope = new FeatureScope(enabled, false);
		assertThat(scope.resolve(null, RouteFeatures.request(null, feature)).isEmpty()).isTrue();
		assertThat(scope.resolve(enabled, RouteFeatures.request(null, feature)).has(feature)).isFalse();
	}

	@Test
	void aFilterThatAsksForWhatIsThereChangesNothing() {
		RouteFeatures declared = ALL.strippingParts(3);
		assertThat(OWN_ROUTES.resolve(declared, RouteFeatures.request(null, Feature.STRIP_PREFIX))).isSameAs(declared);
	}

	@Test
	void aFilterThatAddsAnotherFeatureKeepsTheSegmentsOfTheRoute() {
		RouteFeatures declared = RouteFeatures.of(Set.of(Feature.STRIP_PREFIX), 2);
		RouteFeatures features = OWN_ROUTES.resolve(declared, RouteFeatures.request(null, Feature.HEADERS));
		assertThat(features.has(Feature.HEADERS)).isTrue();
		assertThat(features.upstreamPath("/a/b/c")).isEqualTo("/c");
	}

	@Test
	void aFilterThatAddsTheStrippingTakesTheSegmentsOfTheConfiguration() {
		FeatureScope scope = new FeatureScope(ALL.strippingParts(2), false);
		assertThat(scope.resolve(null, RouteFeatures.request(null, Feature.STRIP_PREFIX)).upstreamPath("/a/b/c"))
			.isEqualTo("/c");
	}

}
