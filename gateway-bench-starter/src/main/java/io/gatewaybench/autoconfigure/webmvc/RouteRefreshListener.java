package io.gatewaybench.autoconfigure.webmvc;

import io.gatewaybench.webmvc.RouteLookup;

import org.springframework.cloud.context.scope.refresh.RefreshScopeRefreshedEvent;
import org.springframework.context.ApplicationListener;

/**
 * Loads the routes anew when the gateway's properties have been refreshed, in the thread
 * of the refresh. Errors in the new routes are told there, and requests keep the old
 * routes.
 */
final class RouteRefreshListener implements ApplicationListener<RefreshScopeRefreshedEvent> {

	private final RouteLookup lookup;

	RouteRefreshListener(RouteLookup lookup) {
		this.lookup = lookup;
	}

	@Override
	public void onApplicationEvent(RefreshScopeRefreshedEvent event) {
		this.lookup.refresh();
	}

}
