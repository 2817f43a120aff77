package io.gatewaybench.benchmark.observe;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Reads the performance counters that a HotSpot JVM keeps in a file which it maps into
 * its memory ({@code hsperfdata}). The JVM neither stops nor runs any code for it.
 *
 * @see <a href=
 * "https://github.com/openjdk/jdk/blob/master/src/hotspot/share/runtime/perfMemory.hpp">The
 * format: PerfDataPrologue and PerfDataEntry</a>
 */
final class PerfData implements AutoCloseable {

	private static final int MAGIC = 0xcafec0c0;

	private static final int VERSION = 2;

	private static final int PROLOGUE_BYTES = 32;

	private static final int ENTRY_BYTES = 20;

	// The JVM's default is 32 KiB. What is far larger is something else
	private static final int MOST_BYTES = 1 << 20;

	private static final Pattern USED = Pattern.compile("sun\\.gc\\.generation\\.\\d+\\.space\\.\\d+\\.used");

	private static final Pattern TIME = Pattern.compile("sun\\.gc\\.collector\\.\\d+\\.time");

	private final FileChannel file;

	private final ByteBuffer buffer;

	private final List<Integer> used = new ArrayList<>();

	private final List<Integer> times = new ArrayList<>();

	private long ticksPerSecond;

	private PerfData(FileChannel file, ByteBuffer buffer) {
		this.file = file;
		this.buffer = buffer;
	}

	/**
	 * Opens the counters of a JVM of this machine.
	 * @param pid its process id
	 * @return the counters, {@code null} if it is no HotSpot JVM, or it was told to keep
	 * none
	 */
	static @Nullable PerfData ofProcess(long pid) {
		return ProcessHandle.of(pid)
			.flatMap((process) -> process.info().user())
			// Always there, whatever java.io.tmpdir says
			.map((user) -> open(Path.of("/tmp", "hsperfdata_" + user, Long.toString(pid))))
			.orElse(null);
	}

	/**
	 * Opens a file of counters.
	 * @param path the file
	 * @return the counters, {@code null} if it is not there, is broken or lacks those of
	 * the heap
	 */
	static @Nullable PerfData open(Path path) {
		FileChannel file = null;
		PerfData data = null;
		try {
			file = FileChannel.open(path);
			if (file.size() >= PROLOGUE_BYTES && file.size() <= MOST_BYTES) {
				PerfData opened = new PerfData(file, ByteBuffer.allocateDirect((int) file.size()));
				data = (opened.load() && opened.find()) ? opened : null;
			}
		}
		catch (IOException | IndexOutOfBoundsException ex) {
			// A file that is gone or broken tells nothing
		}
		finally {
			if (data == null) {
				close(file);
			}
		}
		return data;
	}

	private boolean load() throws IOException {
		this.buffer.clear();
		return this.file.read(this.buffer, 0) == this.buffer.capacity();
	}

	/**
	 * Finds the counters, which stay where they are as long as the JVM lives.
	 */
	private boolean find() {
		// The magic number has one byte order on all machines
		if (this.buffer.order(ByteOrder.BIG_ENDIAN).getInt(0) != MAGIC || this.buffer.get(5) != VERSION) {
			return false;
		}
		this.buffer.order((this.buffer.get(4) != 0) ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
		int entry = this.buffer.getInt(24);
		int entries = this.buffer.getInt(28);
		for (int index = 0; index < entries; index++) {
			int length = this.buffer.getInt(entry);
			int name = this.buffer.getInt(entry + 4);
			int vector = this.buffer.getInt(entry + 8);
			int data = this.buffer.getInt(entry + 16);
			if (entry < PROLOGUE_BYTES || length < ENTRY_BYTES || length > this.buffer.capacity() - entry) {
				return false;
			}
			if (vector == 0 && this.buffer.get(entry + 12) == 'J') {
				keep(text(entry + name), entry + data, this.buffer.getLong(entry + data));
			}
			entry += length;
		}
		return this.ticksPerSecond > 0 && !this.used.isEmpty() && !this.times.isEmpty();
	}

	private void keep(String name, int at, long value) {
		if (USED.matcher(name).matches()) {
			this.used.add(at);
		}
		else if (TIME.matcher(name).matches()) {
			this.times.add(at);
		}
		else if (name.equals("sun.os.hrt.frequency")) {
			this.ticksPerSecond = value;
		}
	}

	private String text(int from) {
		int end = from;
		while (end < this.buffer.capacity() && this.buffer.get(end) != 0) {
			end++;
		}
		byte[] bytes = new byte[end - from];
		this.buffer.get(from, bytes);
		return new String(bytes, StandardCharsets.ISO_8859_1);
	}

	/**
	 * Looks at the counters.
	 * @return what they say, {@code null} if they can't be read any more
	 */
	@Nullable Heap read() {
		try {
			return load() ? new Heap(sum(this.used), Math.round(sum(this.times) * (1e9 / this.ticksPerSecond))) : null;
		}
		catch (IOException ex) {
			return null;
		}
	}

	private long sum(List<Integer> counters) {
		return counters.stream().mapToLong(this.buffer::getLong).sum();
	}

	@Override
	public void close() {
		close(this.file);
	}

	private static void close(@Nullable FileChannel file) {
		try {
			if (file != null) {
				file.close();
			}
		}
		catch (IOException ex) {
			// Nothing was written
		}
	}

	/**
	 * What a JVM publishes of its heap.
	 *
	 * @param usedBytes heap in use, garbage included, as the JVM last told: with G1 when
	 * a region was taken into use, with the other collectors after a collection
	 * @param collectionNanos time that the application was stopped for collections since
	 * the JVM began
	 */
	record Heap(long usedBytes, long collectionNanos) {
	}

}
