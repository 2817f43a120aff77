package io.gatewaybench.benchmark.observe;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class JvmProbeTests {

	/**
	 * Allocates 1 MB for every byte it reads, also on a virtual thread.
	 */
	static final class Allocator {

		static volatile byte[] sink = {};

		public static void main(String[] args) throws Exception {
			while (System.in.read() >= 0) {
				Thread.ofVirtual().start(() -> sink = new byte[1_000_000]).join();
				System.out.println("done");
				System.out.flush();
			}
		}

	}

	@Test
	void whatAJvmAllocatesIsKnownAlsoThatOfItsVirtualThreads() throws Exception {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:+UseSerialGC", "-Xmx64m", "-cp", System.getProperty("java.class.path"), Allocator.class.getName())
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		try {
			allocate(process, 1);
			try (JvmProbe probe = JvmProbe.attach(process.pid())) {
				assertThat(probe).isNotNull();
				JvmUse first = probe.take();
				allocate(process, 100);
				JvmUse use = probe.take().since(first);
				assertThat(use.allocatedBytes()).isBetween(100_000_000L, 130_000_000L);
				assertThat(use.collections()).isPositive();
				assertThat(use.heapCommittedBytes()).isBetween(1L, 64L << 20);
				assertThat(use.threads()).isPositive();
				assertThat(probe.flags()).contains("-XX:+UseSerialGC", "-XX:MaxHeapSize=67108864");
				probe.collectGarbage();
				assertThat(probe.take().collections()).isGreaterThan(first.collections() + use.collections());
			}
		}
		finally {
			process.destroyForcibly();
			process.waitFor(10, TimeUnit.SECONDS);
		}
	}

	@Test
	void aProcessThatIsNoJvmHasNoProbe() throws Exception {
		Process process = new ProcessBuilder("sleep", "30").start();
		try {
			assertThat(JvmProbe.attach(process.pid())).isNull();
		}
		finally {
			process.destroyForcibly();
		}
	}

	private static void allocate(Process process, int megabytes) throws Exception {
		for (int i = 0; i < megabytes; i++) {
			process.getOutputStream().write('x');
			process.getOutputStream().flush();
			for (int read = process.getInputStream().read(); read != '\n'; read = process.getInputStream().read()) {
				assertThat(read).isPositive();
			}
		}
	}

}
