package io.gatewaybench.rewrite;

/**
 * Adds members to the field in JSON responses, such as the region of the gateway. Beans
 * of this type are asked once, when the gateway starts, in their order.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface GatewayMetadataContributor {

	/**
	 * Add members.
	 * @param metadata the members that are there, to which others can be added
	 */
	void contribute(GatewayMetadata metadata);

}
