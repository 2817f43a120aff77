package io.gatewaybench.internal.metrics;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import static org.assertj.core.api.Assertions.assertThat;

class JvmSampleTests {

	@Test
	void theFiguresOfThisJvmArePlausible() {
		System.gc();

		JvmSample sample = JvmSample.take();

		assertThat(sample.uptimeMillis()).isPositive();
		assertThat(sample.heapUsed()).isPositive().isLessThanOrEqualTo(sample.heapCommitted());
		assertThat(sample.heapCommitted()).isLessThanOrEqualTo(sample.heapMax());
		assertThat(sample.nonHeapUsed()).isPositive();
		assertThat(sample.threads()).isPositive().isLessThanOrEqualTo(sample.peakThreads());
		assertThat(sample.daemonThreads()).isPositive().isLessThanOrEqualTo(sample.threads());
		assertThat(sample.startedThreads()).isGreaterThanOrEqualTo(sample.threads());
		assertThat(sample.gcCount()).isPositive();
		assertThat(sample.gcMillis()).isNotNegative();
		assertThat(sample.processors()).isEqualTo(Runtime.getRuntime().availableProcessors());
		assertThat(sample.cpuNanos()).isPositive();
	}

	@Test
	@EnabledForJreRange(minVersion = 24)
	void theSchedulerOfTheVirtualThreadsIsPartOfIt() {
		JvmSample sample = JvmSample.take();

		assertThat(sample.virtualParallelism()).isPositive();
		assertThat(sample.virtualPoolSize()).isNotNegative();
		assertThat(sample.virtualMounted()).isNotNegative();
		assertThat(sample.virtualQueued()).isNotNegative();
	}

	@Test
	@EnabledForJreRange(max = JRE.JAVA_23)
	void withoutSuchASchedulerItsFiguresAreUnknown() {
		JvmSample sample = JvmSample.take();

		assertThat(sample.virtualParallelism()).isNegative();
		assertThat(sample.virtualQueued()).isNegative();
	}

}
