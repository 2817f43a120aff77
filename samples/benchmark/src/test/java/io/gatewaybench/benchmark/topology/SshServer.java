package io.gatewaybench.benchmark.topology;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Assumptions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * OpenSSH's server on this machine, which lets in who has its key.
 */
public final class SshServer implements AutoCloseable {

	private final Process process;

	private final List<String> options;

	private SshServer(Process process, List<String> options) {
		this.process = process;
		this.options = options;
	}

	/**
	 * Starts a server. Where there is none, the test is skipped, but not in CI.
	 * @param directory for its files
	 * @return the server, which listens
	 */
	public static SshServer start(Path directory) throws IOException, InterruptedException {
		Path program = Stream.of("/usr/sbin/sshd", "/usr/bin/sshd", "/usr/local/sbin/sshd")
			.map(Path::of)
			.filter(Files::isExecutable)
			.findFirst()
			.orElse(null);
		Assumptions.assumeTrue(program != null || System.getenv("CI") != null, "OpenSSH's server is not installed");
		assertThat(program).as("OpenSSH's server, which tests of other hosts need").isNotNull();
		Path key = directory.resolve("key");
		Path known = directory.resolve("known");
		assertThat(new ProcessBuilder("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key.toString()).start()
			.waitFor()).isZero();
		if ("root".equals(System.getProperty("user.name"))) {
			Files.createDirectories(Path.of("/run/sshd"));
		}
		int port = FreePort.find();
		Path configuration = Files.writeString(directory.resolve("sshd_config"), """
				Port %d
				ListenAddress 127.0.0.1
				HostKey %s
				AuthorizedKeysFile %s.pub
				StrictModes no
				UsePAM no
				PidFile none
				""".formatted(port, key, key));
		Process process = new ProcessBuilder(program.toString(), "-D", "-e", "-f", configuration.toString())
			.redirectErrorStream(true)
			.redirectOutput(directory.resolve("sshd.log").toFile())
			.start();
		await().ignoreExceptions().until(() -> {
			try (Socket socket = new Socket()) {
				socket.connect(new InetSocketAddress("127.0.0.1", port), 1000);
				return true;
			}
		});
		return new SshServer(process, List.of("-p", Integer.toString(port), "-i", key.toString(), "-o",
				"StrictHostKeyChecking=accept-new", "-o", "UserKnownHostsFile=" + known, "-F", "none"));
	}

	/**
	 * What a client needs to be let in.
	 * @return options
	 */
	public List<String> options() {
		return this.options;
	}

	/**
	 * Stops the server's part of all connections, as a link that is cut does. What runs
	 * over them goes on.
	 */
	public void cut() throws IOException, InterruptedException {
		for (ProcessHandle connection : this.process.descendants()
			.filter((each) -> each.info().command().orElse("").contains("sshd"))
			.toList()) {
			assertThat(new ProcessBuilder("kill", "-STOP", Long.toString(connection.pid())).start().waitFor()).isZero();
		}
	}

	@Override
	public void close() throws InterruptedException {
		this.process.descendants().forEach(ProcessHandle::destroyForcibly);
		this.process.destroyForcibly().waitFor();
	}

}
