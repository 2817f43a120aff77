package io.gatewaybench.internal.metrics;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

import io.gatewaybench.internal.Outcome;
import io.gatewaybench.metrics.UpstreamEvent;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;

/**
 * The meters that the gateway registers with Micrometer, each with what it counts and all
 * of its tags. The table in the documents is made from them.
 *
 * <p>
 * {@code outcome} is an {@link Outcome} except for rewrites and mirrors, {@code flavour}
 * is {@code WebFlux} or {@code WebMVC}.
 */
public enum GatewayMeter {

	REQUESTS(Meter.Type.TIMER, "gateway.bench.requests",
			"Requests, from their arrival to the last byte of the response", "route", "flavour", "outcome", "status"),

	UPSTREAM_REQUESTS(Meter.Type.COUNTER, "gateway.bench.upstream.requests", "Attempts on an instance", "upstream",
			"instance", "outcome", "flavour"),

	UPSTREAM_RETRIES(Meter.Type.COUNTER, "gateway.bench.upstream.retries",
			"Requests that failed on another instance and were sent to this one", "upstream", "instance", "flavour"),

	UPSTREAM_EJECTIONS(Meter.Type.COUNTER, "gateway.bench.upstream.ejections",
			"Times that the instance was taken out of the rotation, by requests or by a health check", "upstream",
			"instance", "flavour"),

	UPSTREAM_RECOVERIES(Meter.Type.COUNTER, "gateway.bench.upstream.recoveries",
			"Times that the instance came back into the rotation", "upstream", "instance", "flavour"),

	UPSTREAM_INSTANCES(Meter.Type.GAUGE, "gateway.bench.upstream.instances", "Instances in each state", "upstream",
			"state", "flavour"),

	UPSTREAM_IN_FLIGHT(Meter.Type.GAUGE, "gateway.bench.upstream.in.flight",
			"Requests that an upstream with `max-in-flight` has at the moment", "upstream", "flavour"),

	UPSTREAM_WAITING(Meter.Type.GAUGE, "gateway.bench.upstream.waiting",
			"Requests that wait for their turn at an upstream with `max-in-flight`", "upstream", "flavour"),

	UPSTREAM_REFUSED(Meter.Type.COUNTER, "gateway.bench.upstream.refused",
			"Requests that an upstream with `max-in-flight` had no place for", "upstream", "flavour"),

	UPSTREAM_RATE_LIMITED(Meter.Type.COUNTER, "gateway.bench.upstream.rate.limited",
			"Requests of clients that have sent more than the `rate-limit` of the upstream allows", "upstream",
			"flavour"),

	UPSTREAM_MIRRORED(Meter.Type.COUNTER, "gateway.bench.upstream.mirrored",
			"Requests of an upstream with `mirror` that were `SENT` there as well and answered, have `FAILED` there, or were `DROPPED`",
			"upstream", "outcome", "flavour"),

	WEB_SOCKETS_OPEN(Meter.Type.GAUGE, "gateway.bench.websockets.open", "WebSockets that are open", "upstream",
			"flavour"),

	WEB_SOCKET_BYTES(Meter.Type.COUNTER, "gateway.bench.websockets.bytes",
			"Bytes of frames that passed; `from` is `client` or `upstream`", "upstream", "from", "flavour"),

	WEB_SOCKETS_CLOSED(Meter.Type.COUNTER, "gateway.bench.websockets.closed",
			"WebSockets that ended, by the code of the first Close frame; `3xxx` and `4xxx` are those of applications",
			"upstream", "code", "flavour"),

	REWRITE_HELD(Meter.Type.GAUGE, "gateway.bench.rewrite.held",
			"Bytes of the bodies of requests and responses that are held until they have ended", "flavour"),

	REWRITES(Meter.Type.COUNTER, "gateway.bench.rewrites", "Response bodies that the rewriter has dealt with",
			"outcome", "flavour");

	private final Meter.Type type;

	private final String meterName;

	private final String description;

	private final List<String> tagKeys;

	GatewayMeter(Meter.Type type, String meterName, String description, String... tagKeys) {
		this.type = type;
		this.meterName = meterName;
		this.description = description;
		this.tagKeys = List.of(tagKeys);
	}

	static GatewayMeter of(UpstreamEvent event) {
		return switch (event) {
			case RETRY -> UPSTREAM_RETRIES;
			case EJECTION -> UPSTREAM_EJECTIONS;
			case RECOVERY -> UPSTREAM_RECOVERIES;
		};
	}

	Meter.Type type() {
		return this.type;
	}

	public String meterName() {
		return this.meterName;
	}

	public String description() {
		return this.description;
	}

	List<String> tagKeys() {
		return this.tagKeys;
	}

	/**
	 * The tags of one of these meters.
	 * @param values their values, in the order of the keys
	 * @return all of its tags
	 */
	public List<Tag> tags(String... values) {
		Iterator<String> keys = this.tagKeys.iterator();
		return Arrays.stream(values).map((value) -> Tag.of(keys.next(), value)).toList();
	}

}
