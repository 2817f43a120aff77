package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.suite.Suites;
import io.gatewaybench.benchmark.topology.Installation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
		for (Path jar : Stream
			.concat(Suites.MODULES.stream().map(installation::jar),
					Stream.of(installation.backends(), installation.runner()))
			.toList()) {
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

	/**
	 * Waits until no process of these programs is left.
	 * @param home where they are
	 */
	public static void awaitNoChild(Path home) {
		await().untilAsserted(() -> assertThat(ProcessHandle.current().descendants())
			.noneMatch((child) -> child.info().commandLine().orElse("").contains(home.toString())));
	}

}
