package io.gatewaybench.internal.metrics;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Creates real files, on a disk that can be full or refuse to truncate.
 */
final class LimitedDisk implements CsvFile.Opener {

	private final List<SeekableByteChannel> channels = new ArrayList<>();

	private int room = Integer.MAX_VALUE;

	private boolean truncateRefused;

	void leaveRoom(int bytes) {
		this.room = bytes;
	}

	void refuseToTruncate(boolean refuse) {
		this.truncateRefused = refuse;
	}

	void closeChannels() throws IOException {
		for (SeekableByteChannel channel : this.channels) {
			channel.close();
		}
	}

	@Override
	public SeekableByteChannel createNew(Path path) throws IOException {
		SeekableByteChannel file = CsvFile.Opener.DISK.createNew(path);
		this.channels.add(file);
		return new Channel(file);
	}

	private final class Channel implements SeekableByteChannel {

		private final SeekableByteChannel file;

		Channel(SeekableByteChannel file) {
			this.file = file;
		}

		@Override
		public int write(ByteBuffer source) throws IOException {
			if (LimitedDisk.this.room == 0) {
				throw new IOException("No space left on device");
			}
			int limit = source.limit();
			source.limit(source.position() + Math.min(source.remaining(), LimitedDisk.this.room));
			try {
				int written = this.file.write(source);
				LimitedDisk.this.room -= written;
				return written;
			}
			finally {
				source.limit(limit);
			}
		}

		@Override
		public SeekableByteChannel truncate(long size) throws IOException {
			if (LimitedDisk.this.truncateRefused) {
				throw new IOException("Read-only file system");
			}
			this.file.truncate(size);
			return this;
		}

		@Override
		public int read(ByteBuffer target) throws IOException {
			return this.file.read(target);
		}

		@Override
		public long position() throws IOException {
			return this.file.position();
		}

		@Override
		public SeekableByteChannel position(long position) throws IOException {
			this.file.position(position);
			return this;
		}

		@Override
		public long size() throws IOException {
			return this.file.size();
		}

		@Override
		public boolean isOpen() {
			return this.file.isOpen();
		}

		@Override
		public void close() throws IOException {
			this.file.close();
		}

	}

}
