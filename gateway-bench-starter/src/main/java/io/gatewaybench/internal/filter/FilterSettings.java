package io.gatewaybench.internal.filter;

import java.time.Duration;

import io.gatewaybench.internal.rewrite.BodyRewriter;
import io.gatewaybench.internal.rewrite.RewriteRules;

/**
 * How the features work where they are on.
 *
 * @param scope which routes have which features
 * @param requestHeaders headers to set on requests to the upstream
 * @param responseHeaders headers to set on responses to the client
 * @param bodyRewriter what adds the {@code _gateway} field
 * @param rewriteRules which bodies get it, and what requests and headers say because of
 * it
 * @param requestRules which requests the gateway answers itself
 * @param bodyTimeout how long a client may pause while it sends a body, where the server
 * does not see to it; zero for no limit
 * @param requestBodies what limits slow clients while they send bodies
 */
public record FilterSettings(FeatureScope scope, HeaderRules requestHeaders, HeaderRules responseHeaders,
		BodyRewriter bodyRewriter, RewriteRules rewriteRules, RequestRules requestRules, Duration bodyTimeout,
		RequestBodies requestBodies) {
}
