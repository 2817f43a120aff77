package io.gatewaybench.benchmark.jmeter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.load.SelfSigned;

/**
 * The key that agents and runner know each other by. It is one file for all hosts: JMeter
 * takes it as the key and as the certificate to trust. Whoever has it can make agents do
 * anything, so it is readable by its owner only.
 */
public final class AgentKey {

	/**
	 * The name of the file. JMeter hands it from one host to the other, so it is a name
	 * without a directory, and every JMeter runs in a directory that has it.
	 */
	public static final String NAME = "rmi_keystore.jks";

	// JMeter's own. The secret is the file
	private static final String PASSWORD = "changeit";

	private static final Set<PosixFilePermission> OWN = PosixFilePermissions.fromString("rw-------");

	private AgentKey() {
	}

	/**
	 * Makes a new key.
	 * @param file where it goes
	 * @throws BenchFailure if there is a file already, or it can't be written
	 */
	public static void create(Path file) throws InterruptedException {
		// Nobody else can read this directory, so not even for a moment the key
		try (Workplace made = Workplace.with(null)) {
			Path key = made.directory().resolve(NAME);
			SelfSigned.make(key, PASSWORD, "-keyalg", "RSA", "-keysize", "3072");
			Files.setPosixFilePermissions(key, OWN);
			// Replaces no file, and the copy has these permissions from the beginning
			Files.copy(key, file);
		}
		catch (IOException ex) {
			throw new BenchFailure(Files.exists(file) ? file + " is there already; remove it, or name another file."
					: file + " can't be written: " + ex, ex);
		}
	}

	/**
	 * Checks that there is a key, and that others can't read it.
	 * @param file the key
	 * @throws BenchFailure if it is not there, or others can read it
	 */
	public static void check(Path file) {
		if (!Files.isReadable(file)) {
			throw new BenchFailure(file
					+ " can't be read. Make the key once with ./bench agent --new-key, and copy it to every host.");
		}
		try {
			if (!OWN.containsAll(Files.getPosixFilePermissions(file))) {
				throw new BenchFailure(file + " can be read by others; make it yours alone with: chmod 600 " + file);
			}
		}
		catch (IOException ex) {
			throw new BenchFailure(file + " can't be read: " + ex, ex);
		}
	}

}
