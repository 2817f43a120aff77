package io.gatewaybench.benchmarks;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.gatewaybench.metrics.GatewayMetrics;
import io.gatewaybench.upstream.EjectionSettings;
import io.gatewaybench.upstream.Instance;
import io.gatewaybench.upstream.InstanceChooser;
import io.gatewaybench.upstream.LoadBalancingPolicy;
import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.UpstreamCall;
import io.gatewaybench.upstream.UpstreamSettings;
import io.gatewaybench.upstream.UpstreamTimeouts;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A call to an upstream of three instances, from the choice of one to its response, by
 * each policy and two threads at a time.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@Threads(2)
public class LoadBalancingBenchmark {

	/** How an instance is chosen. */
	@Param
	public LoadBalancingPolicy policy = LoadBalancingPolicy.ROUND_ROBIN;

	private Upstream upstream = upstream();

	/**
	 * Sets up the upstream.
	 */
	@Setup
	public void setUp() {
		this.upstream = upstream();
	}

	private Upstream upstream() {
		Map<Instance, Integer> weights = new LinkedHashMap<>();
		for (int i = 1; i <= 3; i++) {
			weights.put(new Instance("http", "10.0.0." + i), 1);
		}
		return new Upstream("service", weights,
				new UpstreamSettings(UpstreamTimeouts.NONE, EjectionSettings.OFF, this.policy.chooser(), null));
	}

	/**
	 * A call that succeeds.
	 * @return its instance
	 */
	@Benchmark
	public Instance call() {
		UpstreamCall call = new UpstreamCall(this.upstream, "GET", false, GatewayMetrics.disabled(),
				InstanceChooser.Request.NONE);
		call.responded(200);
		call.completed();
		return call.instance();
	}

}
