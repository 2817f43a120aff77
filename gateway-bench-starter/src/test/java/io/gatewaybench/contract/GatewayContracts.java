package io.gatewaybench.contract;

import io.gatewaybench.Flavour;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * All contracts, so that neither flavour can miss one.
 */
public abstract class GatewayContracts extends SmokeContracts {

	/**
	 * What {@code .ci/matrix} runs, besides, on every Spring Boot and every Java.
	 */
	private static final String REACH = "reach";

	protected GatewayContracts(Gateway gateway) {
		super(gateway);
	}

	@Nested
	class AheadOfTime extends AheadOfTimeContract {

		AheadOfTime() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	@Tag(REACH)
	class Actuator extends ActuatorContract {

		Actuator() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	@Tag(REACH)
	class Devtools extends DevtoolsContract {

		Devtools() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	class Logs extends LogsContract {

		Logs() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	@Tag(REACH)
	class Refresh extends RefreshContract {

		Refresh() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	@Tag(REACH)
	class RouteRefresh extends RouteRefreshContract {

		RouteRefresh() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	@Tag(REACH)
	class RouteIndex extends RouteIndexContract {

		RouteIndex() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	class BodyRewriteByJackson3 extends TreeRewriteContract {

		BodyRewriteByJackson3() {
			super(GatewayContracts.this.gateway, "jackson3");
		}

	}

	@Nested
	class BodyRewriteByJackson2 extends TreeRewriteContract {

		BodyRewriteByJackson2() {
			super(GatewayContracts.this.gateway, "jackson2");
		}

	}

	@Nested
	class HeldMemory extends HeldMemoryContract {

		HeldMemory() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	class Tls extends TlsContract {

		Tls() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	class TlsClients extends TlsClientsContract {

		TlsClients() {
			super(onVirtualThreads());
		}

	}

	@Nested
	class Observations extends ObservationContract {

		Observations() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	class Metadata extends MetadataContract {

		Metadata() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	class Http10 extends Http10Contract {

		Http10() {
			super(onVirtualThreads());
		}

	}

	@Nested
	class Representations extends RepresentationContract {

		Representations() {
			super(onVirtualThreads());
		}

	}

	@Nested
	class Compression extends CompressionContract {

		Compression() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	class Transfer extends TransferContract {

		Transfer() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	class Upstream extends UpstreamContract {

		Upstream() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	class HttpClient extends HttpClientContract {

		HttpClient() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	class ResponseEnd extends ResponseEndContract {

		ResponseEnd() {
			super(onVirtualThreads());
		}

	}

	@Nested
	class Timeouts extends TimeoutsContract {

		Timeouts() {
			super(onVirtualThreads());
		}

	}

	@Nested
	class Connections extends ConnectionsContract {

		Connections() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	class Hosts extends HostsContract {

		Hosts() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	class Faults extends FaultsContract {

		Faults() {
			super(onVirtualThreads());
		}

	}

	@Nested
	@Tag(REACH)
	class Instances extends InstancesContract {

		Instances() {
			super(onVirtualThreads());
		}

	}

	@Nested
	class Uploads extends UploadsContract {

		Uploads() {
			super(onVirtualThreads());
		}

	}

	@Nested
	class Streams extends StreamsContract {

		Streams() {
			super(onVirtualThreads());
		}

	}

	@Nested
	class StreamsOnPlatformThreads extends StreamsContract {

		StreamsOnPlatformThreads() {
			super(GatewayContracts.this.gateway.with("spring.threads.virtual.enabled=false"));
			onlyOnWebMvc();
		}

	}

	@Nested
	class Duplex extends DuplexContract {

		Duplex() {
			super(onVirtualThreads());
		}

	}

	@Nested
	class Http2Upstreams extends Http2UpstreamContract {

		Http2Upstreams() {
			super(onVirtualThreads());
			assumeThat(ClassUtils.isPresent("reactor.netty.http.client.HttpClient", null))
				.as("the client that speaks HTTP/2")
				.isTrue();
		}

	}

	@Nested
	class DuplexOnPlatformThreads extends DuplexContract {

		DuplexOnPlatformThreads() {
			super(GatewayContracts.this.gateway.with("spring.threads.virtual.enabled=false"));
			onlyOnWebMvc();
		}

	}

	@Nested
	class ClientConnections extends ClientConnectionsContract {

		ClientConnections() {
			super(onVirtualThreads());
		}

	}

	@Nested
	class ResetUploads extends ResetUploadsContract {

		ResetUploads() {
			super(onVirtualThreads());
		}

	}

	@Nested
	class Repeats extends RepeatsContract {

		Repeats() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	@Tag(CONTAINER)
	class SlowClients extends SlowClientsContract {

		SlowClients() {
			super(onVirtualThreads());
		}

	}

	@Nested
	class SlowClientsOnPlatformThreads extends SlowClientsContract {

		SlowClientsOnPlatformThreads() {
			super(GatewayContracts.this.gateway.with("spring.threads.virtual.enabled=false"));
			onlyOnWebMvc();
		}

	}

	@Nested
	class Stop extends StopContract {

		Stop() {
			super(onVirtualThreads());
		}

	}

	@Nested
	class StopOnPlatformThreads extends StopContract {

		StopOnPlatformThreads() {
			super(GatewayContracts.this.gateway.with("spring.threads.virtual.enabled=false"));
			onlyOnWebMvc();
		}

	}

	@Nested
	class Parts extends PartsContract {

		Parts() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	class UploadsOnPlatformThreads extends UploadsContract {

		UploadsOnPlatformThreads() {
			super(GatewayContracts.this.gateway.with("spring.threads.virtual.enabled=false"));
			onlyOnWebMvc();
		}

	}

	@Nested
	class GuideCommands extends GuideCommandsContract {

		GuideCommands() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	class Discovery extends DiscoveryContract {

		Discovery() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	class Affinity extends AffinityContract {

		Affinity() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	class InFlight extends InFlightContract {

		InFlight() {
			super(onVirtualThreads());
		}

	}

	@Nested
	class InFlightOnPlatformThreads extends InFlightContract {

		InFlightOnPlatformThreads() {
			super(GatewayContracts.this.gateway.with("spring.threads.virtual.enabled=false"));
			onlyOnWebMvc();
		}

	}

	@Nested
	class RateLimit extends RateLimitContract {

		RateLimit() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	class Mirrored extends MirrorContract {

		Mirrored() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	class HealthCheck extends HealthCheckContract {

		HealthCheck() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	@Tag(REACH)
	class LoadBalancer extends LoadBalancerContract {

		LoadBalancer() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	class OptIn extends OptInContract {

		OptIn() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	class Schemes extends SchemesContract {

		Schemes() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	class BasePath extends BasePathContract {

		BasePath() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	class Forwarded extends ForwardedContract {

		Forwarded() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	class Metrics extends MetricsContract {

		Metrics() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	class MeterLimits extends MeterLimitsContract {

		MeterLimits() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	class WebSockets extends WebSocketContract {

		WebSockets() {
			super(onVirtualThreads());
		}

	}

	@Nested
	class WebSocketsOnPlatformThreads extends WebSocketContract {

		WebSocketsOnPlatformThreads() {
			super(GatewayContracts.this.gateway.with("spring.threads.virtual.enabled=false"));
			onlyOnWebMvc();
		}

	}

	@Nested
	class GatewayRetry extends GatewayRetryContract {

		GatewayRetry() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	@Tag(REACH)
	class CircuitBreaker extends CircuitBreakerContract {

		CircuitBreaker() {
			super(onVirtualThreads());
		}

	}

	@Nested
	class CircuitBreakerOnPlatformThreads extends CircuitBreakerContract {

		CircuitBreakerOnPlatformThreads() {
			super(GatewayContracts.this.gateway);
			onlyOnWebMvc();
		}

	}

	@Nested
	class Cors extends CorsContract {

		Cors() {
			super(GatewayContracts.this.gateway);
		}

	}

	@Nested
	@Tag(REACH)
	class Security extends SecurityContract {

		Security() {
			super(onVirtualThreads());
		}

	}

	/**
	 * What depends on how requests come and responses go, once more over HTTP/2. The
	 * others are about upstreams, or about the syntax of HTTP/1.1.
	 */
	@Nested
	class OverHttp2 {

		@Nested
		class Routing extends RoutingContract {

			Routing() {
				super(GatewayContracts.this.gateway.overHttp2());
			}

		}

		@Nested
		class Headers extends HeadersContract {

			Headers() {
				super(GatewayContracts.this.gateway.overHttp2());
			}

		}

		@Nested
		class BodyRewrite extends SpliceRewriteContract {

			BodyRewrite() {
				super(GatewayContracts.this.gateway.overHttp2());
			}

		}

		@Nested
		class Transfer extends TransferContract {

			Transfer() {
				super(GatewayContracts.this.gateway.overHttp2());
			}

		}

		@Nested
		class Timeouts extends TimeoutsContract {

			Timeouts() {
				super(onVirtualThreads().overHttp2());
			}

		}

		@Nested
		class Connections extends ConnectionsContract {

			Connections() {
				super(GatewayContracts.this.gateway.overHttp2());
			}

		}

		@Nested
		class Faults extends FaultsContract {

			Faults() {
				super(onVirtualThreads().overHttp2());
			}

		}

		@Nested
		class RequestBytes extends RequestBytesContract {

			RequestBytes() {
				super(onVirtualThreads().overHttp2());
			}

		}

		@Nested
		class Streams extends StreamsContract {

			Streams() {
				super(onVirtualThreads().overHttp2());
			}

		}

		@Nested
		class Metrics extends MetricsContract {

			Metrics() {
				super(GatewayContracts.this.gateway.overHttp2());
			}

		}

		@Nested
		class Responses extends ResponsesContract {

			Responses() {
				super(onVirtualThreads().overHttp2());
			}

		}

		@Nested
		class Compression extends CompressionContract {

			Compression() {
				super(GatewayContracts.this.gateway.overHttp2());
			}

		}

		@Nested
		class CircuitBreaker extends CircuitBreakerContract {

			CircuitBreaker() {
				super(GatewayContracts.this.gateway.overHttp2());
			}

		}

	}

	/**
	 * Netty has no threads to choose. To be called by a constructor: later a contract has
	 * started its gateway.
	 */
	private void onlyOnWebMvc() {
		assumeThat(this.gateway.flavour()).isEqualTo(Flavour.WEBMVC);
	}

}
