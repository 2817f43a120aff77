package io.gatewaybench.benchmark.suite;

import io.gatewaybench.benchmark.suite.Published.Quantiles;

/**
 * The figures of "Spring Cloud Gateway 5.0: WebFlux vs WebMVC, with and without virtual
 * threads" (2025-12-11), both tables, as published:
 * {@code wrk -t4 -c16|100 -d300s --latency}, five hosts, Java 25.0.1, Boot 4.0.0, gateway
 * heap 2 GB.
 */
final class PublishedGatewayFigures {

	static final String SOURCE = "Spring Cloud Gateway 5.0: WebFlux vs WebMVC, with and without virtual threads (2025-12-11)";

	static final Published WEBFLUX_16 = new Published(6064, 235, 235, 0, 20.21, new Quantiles(6.10, 8.34, 637, 1530),
			105, 2000, new Quantiles(3.11, 4.01, 261, 1320));

	static final Published WEBMVC_VT_16 = new Published(5867, 269, 260, 9, 19.55, new Quantiles(5.81, 7.89, 639, 1330),
			116, 1970, new Quantiles(3.82, 5.22, 452, 1310));

	static final Published WEBMVC_16 = new Published(5991, 261, 260, 1, 19.97, new Quantiles(6.02, 8.30, 636, 1440),
			115, 1990, new Quantiles(4.13, 6.02, 453, 1350));

	static final Published WEBFLUX_100 = new Published(6501, 489, 489, 0, 21.66, new Quantiles(4.48, 6.45, 18, 1530),
			80, 1990, new Quantiles(2.66, 3.08, 3.82, 1520));

	static final Published WEBMVC_VT_100 = new Published(6188, 784, 713, 71, 20.62,
			new Quantiles(4.93, 7.29, 622, 1510), 98, 1930, new Quantiles(2.78, 3.23, 3.90, 1450));

	static final Published WEBMVC_100 = new Published(6298, 784, 713, 71, 20.99, new Quantiles(4.87, 7.15, 621, 1480),
			97, 1940, new Quantiles(3.23, 3.72, 4.48, 1490));

	private PublishedGatewayFigures() {
	}

}
