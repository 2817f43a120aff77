/**
 * Random requests and responses through both flavours side by side.
 */
package io.gatewaybench.differential;
