package io.gatewaybench.internal.metrics;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

import io.gatewaybench.Flavour;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The CSV file of one start of the gateway, a header and then rows. It only ever holds
 * whole lines: one that doesn't fit on the disk is taken back. Used by one thread.
 */
final class CsvFile implements Closeable {

	private static final Log logger = LogFactory.getLog(CsvFile.class);

	private static final DateTimeFormatter STARTED = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

	private final Path directory;

	private final String baseName;

	private final String header;

	private final Opener opener;

	private @Nullable SeekableByteChannel channel;

	private Path path;

	private long length;

	/**
	 * Names a file, which is created when it is first written to.
	 * @param directory directory of the file
	 * @param flavour flavour of the gateway
	 * @param started when the gateway was started, in its time zone
	 * @param header first line of the file, with its line end
	 * @param opener creates the file
	 */
	CsvFile(Path directory, Flavour flavour, ZonedDateTime started, String header, Opener opener) {
		this.directory = directory.toAbsolutePath().normalize();
		this.baseName = "gateway-" + flavour.label().toLowerCase(Locale.ROOT) + "_metrics_" + STARTED.format(started);
		this.header = header;
		this.opener = opener;
		this.path = name(1);
	}

	/**
	 * Returns where the file is, or would be.
	 * @return the absolute path
	 */
	Path path() {
		return this.path;
	}

	/**
	 * Creates the file, under a name that is free, unless it is open already.
	 * @throws IOException if it can't be created, or has no room for the header
	 */
	void open() throws IOException {
		openChannel();
	}

	/**
	 * Adds a line, opening the file if need be.
	 * @param line the line, with its line end
	 * @throws IOException if the line isn't in the file
	 */
	void append(String line) throws IOException {
		write(openChannel(), line);
	}

	@Override
	public void close() throws IOException {
		if (this.channel != null) {
			this.channel.close();
		}
	}

	private SeekableByteChannel openChannel() throws IOException {
		SeekableByteChannel current = this.channel;
		if (current != null && this.length > 0 && !Files.exists(this.path)) {
			logger
				.warn("'" + this.path + "' was deleted or moved. Metrics are written to a new file of its directory.");
			current.close();
		}
		if (current == null || !current.isOpen()) {
			current = create();
			this.channel = current;
			this.length = 0;
		}
		if (this.length == 0) {
			write(current, this.header);
		}
		return current;
	}

	private SeekableByteChannel create() throws IOException {
		// Before JDK 20, createDirectories refuses a symbolic link to a directory
		if (!Files.isDirectory(this.directory)) {
			Files.createDirectories(this.directory);
		}
		for (int number = 1;; number++) {
			this.path = name(number);
			try {
				return this.opener.createNew(this.path);
			}
			catch (FileAlreadyExistsException ex) {
				// Another start in the same second
			}
		}
	}

	private Path name(int number) {
		return this.directory.resolve(this.baseName + ((number == 1) ? "" : "-" + number) + ".csv");
	}

	private void write(SeekableByteChannel target, String line) throws IOException {
		ByteBuffer bytes = StandardCharsets.UTF_8.encode(line);
		int size = bytes.remaining();
		try {
			// What is left of a line that couldn't be taken back when it failed
			target.truncate(this.length);
			while (bytes.hasRemaining()) {
				target.write(bytes);
			}
			this.length += size;
		}
		catch (IOException ex) {
			takeBack(target, ex);
			throw ex;
		}
	}

	private void takeBack(SeekableByteChannel target, IOException failure) {
		try {
			target.truncate(this.length);
		}
		catch (IOException ex) {
			failure.addSuppressed(ex);
		}
	}

	/**
	 * Creates files.
	 */
	@FunctionalInterface
	interface Opener {

		/** Creates files on the disk. */
		Opener DISK = (path) -> Files.newByteChannel(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

		/**
		 * Creates a file and opens it for writing.
		 * @param path where to create it
		 * @return the open file, empty
		 * @throws IOException if the file can't be created;
		 * {@link FileAlreadyExistsException} if it exists
		 */
		SeekableByteChannel createNew(Path path) throws IOException;

	}

}
