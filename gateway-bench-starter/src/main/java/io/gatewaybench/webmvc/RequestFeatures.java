package io.gatewaybench.webmvc;

import io.gatewaybench.filter.Feature;
import io.gatewaybench.filter.FeatureScope;
import io.gatewaybench.filter.RouteFeatures;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Where the features of a request are kept while it passes the filters: on the servlet
 * request, because every filter that rebuilds the {@code ServerRequest} gives it a copy
 * of the attributes, and what is put into a copy never comes out again.
 */
final class RequestFeatures {

	private static final String DECLARED = RequestFeatures.class.getName() + ".declared";

	private static final String REQUESTED = RequestFeatures.class.getName() + ".requested";

	private static final String RESOLVED = RequestFeatures.class.getName() + ".resolved";

	private RequestFeatures() {
	}

	static void declare(HttpServletRequest request, RouteFeatures features) {
		request.setAttribute(DECLARED, features);
	}

	static void request(HttpServletRequest request, Feature feature) {
		request.setAttribute(REQUESTED, RouteFeatures.request(get(request, REQUESTED), feature));
	}

	/**
	 * The request is forwarded, maybe to another route, which has not asked for what its
	 * own route has asked for.
	 */
	static void forget(HttpServletRequest request) {
		request.removeAttribute(DECLARED);
		request.removeAttribute(REQUESTED);
	}

	static RouteFeatures resolve(HttpServletRequest request, FeatureScope scope) {
		RouteFeatures features = scope.resolve(get(request, DECLARED), get(request, REQUESTED));
		request.setAttribute(RESOLVED, features);
		return features;
	}

	static RouteFeatures of(HttpServletRequest request) {
		RouteFeatures features = get(request, RESOLVED);
		return (features != null) ? features : RouteFeatures.NONE;
	}

	private static @Nullable RouteFeatures get(HttpServletRequest request, String attribute) {
		return (RouteFeatures) request.getAttribute(attribute);
	}

}
