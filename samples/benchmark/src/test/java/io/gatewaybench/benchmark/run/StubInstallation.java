package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Programs of which none does what it is called: each is a {@link StubGateway}.
 */
public final class StubInstallation {

	private StubInstallation() {
	}

	/**
	 * Creates the programs.
	 * @param home where
	 * @return the installation
	 */
	public static Installation create(Path home) throws IOException {
		Installation installation = new Installation(home.resolve("java"), home);
		for (Path jar : installation.jars()) {
			Files.createDirectories(jar.getParent());
			Files.writeString(jar, jar.getFileName().toString());
		}
		Files.writeString(installation.java(),
				"#!/bin/sh\nexec '%s' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx64m -cp '%s' %s \"$@\"\n".formatted(
						Path.of(System.getProperty("java.home"), "bin", "java"), System.getProperty("java.class.path"),
						StubGateway.class.getName()));
		Files.setPosixFilePermissions(installation.java(), PosixFilePermissions.fromString("rwxr-xr-x"));
		return installation;
	}

}
