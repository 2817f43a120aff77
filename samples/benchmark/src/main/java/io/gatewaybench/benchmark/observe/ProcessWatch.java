package io.gatewaybench.benchmark.observe;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Looks at one process every second. It costs a third of a {@link ProcessSnapshot#take},
 * because the file of each thread stays open, and because it does not ask for waits and
 * switches, and not for what each file descriptor is.
 */
final class ProcessWatch implements AutoCloseable {

	// A line has 52 numbers and a name
	private static final int LINE_BYTES = 1024;

	private final ProcFiles proc;

	private final long pid;

	private final int otherFiles;

	private final Map<String, FileChannel> threads = new HashMap<>();

	private final ByteBuffer line = ByteBuffer.allocateDirect(LINE_BYTES);

	ProcessWatch(ProcFiles proc, long pid) {
		this.proc = proc;
		this.pid = pid;
		this.otherFiles = proc.descriptors(pid) - proc.sockets(pid);
	}

	/**
	 * Looks at the process.
	 * @return the snapshot, without waits and switches; its sockets are the file
	 * descriptors without as many as were none when the watch began. {@code null} if the
	 * process is gone
	 */
	@Nullable ProcessSnapshot take() {
		String process = Long.toString(this.pid);
		Stat total = Stat.parse(this.proc.lines(process, "stat"));
		if (total == null) {
			return null;
		}
		Set<String> alive = new HashSet<>(this.proc.names(process, "task"));
		this.threads.entrySet().removeIf((thread) -> !alive.contains(thread.getKey()) && close(thread.getValue()));
		Map<String, ThreadSnapshot> snapshots = new HashMap<>();
		for (String thread : alive) {
			Stat stat = stat(thread);
			if (stat != null) {
				snapshots.put(thread, ThreadSnapshot.of(stat, List.of(), List.of()));
			}
		}
		return new ProcessSnapshot(total, snapshots,
				StatusLine.number(this.proc.lines(process, "status"), "VmRSS") * 1024,
				Math.max(0, this.proc.descriptors(this.pid) - this.otherFiles));
	}

	private @Nullable Stat stat(String thread) {
		try {
			FileChannel file = this.threads.get(thread);
			if (file == null) {
				file = this.proc.open(Long.toString(this.pid), "task", thread, "stat");
				this.threads.put(thread, file);
			}
			this.line.clear();
			file.read(this.line, 0);
			return Stat.parse(List.of(StandardCharsets.ISO_8859_1.decode(this.line.flip()).toString()));
		}
		catch (IOException ex) {
			// It ended just now. The next look closes its file
			return null;
		}
	}

	@Override
	public void close() {
		this.threads.values().forEach(ProcessWatch::close);
		this.threads.clear();
	}

	private static boolean close(FileChannel file) {
		try {
			file.close();
		}
		catch (IOException ex) {
			// Nothing was written
		}
		return true;
	}

}
