package io.gatewaybench.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import io.gatewaybench.internal.filter.MutableHttpHeaders;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

import org.springframework.http.HttpHeaders;

/**
 * Headers of a browser's request on their way through a gateway, which leaves out those
 * of one connection and those of other proxies, and adds two: in the one copy that the
 * starter makes, and in a single one of Spring's. The gateway by itself makes several.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class HeadersBenchmark {

	/** As the gateways have them. */
	private static final List<String> HOP_BY_HOP = List.of("connection", "keep-alive", "transfer-encoding", "te",
			"trailer", "proxy-authorization", "proxy-authenticate", "x-application-context", "upgrade");

	private final HttpHeaders message = new HttpHeaders();

	/**
	 * Makes the message.
	 */
	public HeadersBenchmark() {
		this.message.add("Host", "gateway.example.org");
		this.message.add("User-Agent", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)");
		this.message.add("Accept", "application/json, text/plain, */*");
		this.message.add("Accept-Encoding", "gzip, deflate, br");
		this.message.add("Accept-Language", "en-GB,en;q=0.9");
		this.message.add("Connection", "keep-alive");
		this.message.add("Cookie", "session=0123456789abcdef");
		this.message.add("Referer", "https://gateway.example.org/");
		this.message.add("Cache-Control", "no-cache");
	}

	/**
	 * The starter's copy.
	 * @param blackhole takes every header
	 */
	@Benchmark
	public void own(Blackhole blackhole) {
		pass(MutableHttpHeaders.copyOf(this.message).withoutForwarded().withoutXForwarded().without(HOP_BY_HOP),
				blackhole);
	}

	/**
	 * Spring's.
	 * @param blackhole takes every header
	 */
	@Benchmark
	public void spring(Blackhole blackhole) {
		HttpHeaders copy = HttpHeaders.copyOf(this.message);
		copy.remove("Forwarded");
		copy.headerNames().removeIf((name) -> name.toLowerCase(Locale.ROOT).startsWith("x-forwarded-"));
		HOP_BY_HOP.forEach(copy::remove);
		pass(copy, blackhole);
	}

	private static void pass(HttpHeaders headers, Blackhole blackhole) {
		headers.set("X-Gateway", "WebFlux");
		headers.set("X-Request-Start", "1702234542456");
		headers.forEach((name, values) -> {
			blackhole.consume(name);
			blackhole.consume(values);
		});
	}

}
