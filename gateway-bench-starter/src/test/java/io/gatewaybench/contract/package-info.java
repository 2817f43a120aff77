/**
 * What every flavour has to do, over real sockets. The sample gateways run these
 * contracts, each with nothing but its own flavour on the class path.
 */
package io.gatewaybench.contract;
