package io.gatewaybench.autoconfigure.webmvc;

import io.gatewaybench.webmvc.RouteLookup;

import org.springframework.cloud.context.scope.refresh.RefreshScopeRefreshedEvent;
import org.springframework.context.ApplicationListener;

/**
 * Loads the routes anew when those of the gateway's properties have been refreshed, in
 * the thread that asked for it. What is wrong with the new routes is told there, and
 * requests keep the old ones.
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
