package io.gatewaybench.benchmark.observe;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

@EnabledOnOs(OS.LINUX)
class PerfDataTests {

	private static final Map<String, Long> COUNTERS = Map.of("sun.os.hrt.frequency", 1_000L,
			"sun.gc.generation.0.space.0.used", 100L, "sun.gc.generation.1.space.0.used", 20L,
			"sun.gc.generation.0.space.0.capacity", 7_000L, "sun.gc.metaspace.used", 8_000L, "sun.gc.collector.0.time",
			3L, "sun.gc.collector.1.time", 40L);

	@TempDir
	private Path directory;

	@Test
	void theHeapOfThisJvmIsWhatItTellsItself() {
		System.gc();
		try (PerfData data = PerfData.ofProcess(ProcessHandle.current().pid())) {
			PerfData.Heap heap = data.read();
			assertThat(heap.usedBytes()).isPositive()
				.isLessThan(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getCommitted());
			// What JMX tells is in whole milliseconds for each collector
			assertThat(heap.collectionNanos() / 1e6).isBetween(collectionMillis() - 1.0, collectionMillis() + 10.0);
			System.gc();
			assertThat(data.read().collectionNanos()).isGreaterThan(heap.collectionNanos());
		}
	}

	private static double collectionMillis() {
		return ManagementFactory.getGarbageCollectorMXBeans()
			.stream()
			.mapToLong(GarbageCollectorMXBean::getCollectionTime)
			.sum();
	}

	@ParameterizedTest
	@ValueSource(strings = { "G1", "Serial", "Parallel" })
	void everyCollectorTellsItsHeap(String collector) throws Exception {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:+Use" + collector + "GC", "-Xmx64m", "-cp", System.getProperty("java.class.path"),
				Collecting.class.getName())
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		try {
			assertThat(process.getInputStream().read()).isEqualTo('x');
			try (PerfData data = PerfData.ofProcess(process.pid())) {
				// It holds 20 MiB
				assertThat(data.read().usedBytes()).isBetween(20L << 20, 64L << 20);
				assertThat(data.read().collectionNanos()).isPositive();
			}
		}
		finally {
			process.destroyForcibly();
			process.waitFor();
		}
	}

	/**
	 * Collects its garbage, says so and stays.
	 */
	static final class Collecting {

		static byte[][] held;

		public static void main(String[] args) throws Exception {
			held = new byte[20][1 << 20];
			System.gc();
			System.out.print('x');
			System.out.flush();
			System.in.read();
		}

	}

	@Test
	void aJvmThatWasToldToKeepNoneHasNone() throws Exception {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:-UsePerfData", "-Xmx64m", "-cp", System.getProperty("java.class.path"), Collecting.class.getName())
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		try {
			assertThat(process.getInputStream().read()).isEqualTo('x');
			assertThat(PerfData.ofProcess(process.pid())).isNull();
		}
		finally {
			process.destroyForcibly();
			process.waitFor();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "LITTLE_ENDIAN", "BIG_ENDIAN" })
	void countersAreAddedUpInTheByteOrderOfTheMachine(String order) throws Exception {
		byte[] file = file(order.equals("BIG_ENDIAN") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN, COUNTERS);
		try (PerfData data = PerfData.open(write(file))) {
			assertThat(data.read()).isEqualTo(new PerfData.Heap(120, 43_000_000));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "sun.os.hrt.frequency", "sun.gc.generation", "sun.gc.collector" })
	void aFileThatLacksACounterIsNone(String missing) throws Exception {
		Map<String, Long> others = new LinkedHashMap<>(COUNTERS);
		others.keySet().removeIf((name) -> name.startsWith(missing));
		assertThat(PerfData.open(write(file(ByteOrder.LITTLE_ENDIAN, others)))).isNull();
	}

	@Test
	void aFileThatIsCutOffAnywhereIsNone() throws Exception {
		byte[] whole = file(ByteOrder.LITTLE_ENDIAN, COUNTERS);
		for (int length = 0; length < whole.length; length++) {
			assertThat(PerfData.open(write(Arrays.copyOf(whole, length)))).as("%d bytes", length).isNull();
		}
	}

	@Test
	void aFileThatIsCutOffWhileItIsReadTellsNothingMore() throws Exception {
		byte[] whole = file(ByteOrder.LITTLE_ENDIAN, COUNTERS);
		Path path = write(whole);
		try (PerfData data = PerfData.open(path)) {
			assertThat(data.read()).isNotNull();
			Files.write(path, Arrays.copyOf(whole, whole.length / 2));
			assertThat(data.read()).isNull();
		}
	}

	@Test
	void rubbishNeverDoesMoreThanTellingNothing() throws Exception {
		Random random = new Random(1);
		byte[] whole = file(ByteOrder.LITTLE_ENDIAN, COUNTERS);
		for (int attempt = 0; attempt < 5_000; attempt++) {
			byte[] broken = whole.clone();
			if (attempt % 10 == 0) {
				random.nextBytes(broken);
			}
			for (int change = 0; change <= attempt % 4; change++) {
				broken[random.nextInt(broken.length)] = (byte) random.nextInt();
			}
			try (PerfData data = PerfData.open(write(broken))) {
				if (data != null) {
					assertThat(data.read()).isNotNull();
				}
			}
		}
		random.nextBytes(whole);
		assertThat(PerfData.open(write(whole))).isNull();
	}

	@Test
	void whatIsNotThereIsNone() {
		assertThat(PerfData.open(this.directory.resolve("nothing"))).isNull();
		assertThat(PerfData.open(this.directory)).isNull();
		assertThat(PerfData.ofProcess(Integer.MAX_VALUE)).isNull();
	}

	private Path write(byte[] content) throws Exception {
		return Files.write(this.directory.resolve("hsperfdata"), content);
	}

	private static byte[] file(ByteOrder order, Map<String, Long> counters) {
		ByteBuffer buffer = ByteBuffer.allocate(4096).putInt(0xcafec0c0);
		buffer.order(order)
			.put((byte) ((order == ByteOrder.LITTLE_ENDIAN) ? 1 : 0))
			.put(new byte[] { 2, 0, 1 })
			.putInt(0)
			.putInt(0)
			.putLong(0)
			.putInt(32)
			.putInt(counters.size() + 1);
		text(buffer, "java.property.java.version", "25");
		counters.forEach((name, value) -> {
			int data = (20 + name.length() + 1 + 7) / 8 * 8;
			int entry = buffer.position();
			entry(buffer, name, data + 8, 0, 'J', data);
			buffer.putLong(entry + data, value).position(entry + data + 8);
		});
		return Arrays.copyOf(buffer.array(), buffer.position());
	}

	private static void text(ByteBuffer buffer, String name, String value) {
		int data = 20 + name.length() + 1;
		int length = (data + value.length() + 1 + 7) / 8 * 8;
		int entry = buffer.position();
		entry(buffer, name, length, value.length() + 1, 'B', data);
		buffer.put(entry + data, value.getBytes(StandardCharsets.ISO_8859_1)).position(entry + length);
	}

	private static void entry(ByteBuffer buffer, String name, int length, int vector, char type, int data) {
		buffer.putInt(length).putInt(20).putInt(vector).put((byte) type).put(new byte[3]).putInt(data);
		buffer.put(name.getBytes(StandardCharsets.ISO_8859_1)).put((byte) 0);
	}

}
