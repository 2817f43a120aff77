package io.gatewaybench.benchmark.topology;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.failure.Resource;
import io.gatewaybench.benchmark.observe.ProcessSnapshot;
import io.gatewaybench.benchmark.suite.Host;

/**
 * Another host, on which programs of a run are started over OpenSSH's client. One
 * connection carries all.
 */
public final class RemoteHost {

	/**
	 * The exit code of OpenSSH's client if its connection fails. Otherwise it has that of
	 * the program.
	 */
	public static final int LOST = 255;

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final Duration UPLOAD = Duration.ofMinutes(10);

	private static final Duration POLL = Duration.ofMillis(50);

	private static final String PID = "gateway-bench pid ";

	// A runner that died sends no more signs of life, and none comes through a link that
	// was cut. Without them a program would run on for hours, until sshd notices. They
	// are the input of the script, so the program gets none
	private static final String GUARD = Resource.text(RemoteHost.class, "guard.sh");

	private final Host host;

	private final List<String> ssh;

	private final String directory;

	private final List<Long> started = new CopyOnWriteArrayList<>();

	private int nextPort;

	private RemoteHost(Host host, List<String> ssh) {
		this.host = host;
		this.ssh = ssh;
		this.directory = host.directory() + "/run-" + UUID.randomUUID();
		this.nextPort = host.firstPort();
	}

	/**
	 * Connects to a host.
	 * @param children what ends the connection
	 * @param wanted the host
	 * @param socket a file for what shares the connection, with a short path
	 * @param log the file for what the client says
	 * @return the host
	 * @throws BenchFailure if the host refuses or does not answer in time, with the
	 * reason
	 * @throws InterruptedException if the thread was interrupted
	 */
	static RemoteHost connect(Children children, Host wanted, Path socket, Path log) throws InterruptedException {
		List<String> ssh = new ArrayList<>(List.of("ssh", "-T", "-S", socket.toString()));
		// It must not ask, and must notice a link that is cut
		for (String option : List.of("BatchMode=yes", "ConnectTimeout=10", "ServerAliveInterval=5",
				"ServerAliveCountMax=3")) {
			ssh.addAll(List.of("-o", option));
		}
		ssh.addAll(wanted.options());
		RemoteHost host = new RemoteHost(wanted, List.copyOf(ssh));
		Child connection = children.start("The connection to " + wanted.id(), host.ssh("-M", "-N", wanted.ssh()), log);
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (!host.isConnected()) {
			if (!connection.isAlive() || System.nanoTime() > deadline) {
				String said = String.join(" ", connection.lastLines(1000)).strip();
				connection.close();
				throw new BenchFailure("The host " + wanted.id() + " can't be reached by ssh " + wanted.ssh() + ": "
						+ (said.isEmpty() ? "no answer in time" : said)
						+ "; try it by hand: it must let you in without a question");
			}
			Thread.sleep(POLL);
		}
		return host;
	}

	private List<String> ssh(String... more) {
		return Stream.concat(this.ssh.stream(), Stream.of(more)).toList();
	}

	private boolean isConnected() throws InterruptedException {
		try {
			return new ProcessBuilder(ssh("-O", "check", this.host.ssh())).redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start()
				.waitFor() == 0;
		}
		catch (IOException ex) {
			throw new BenchFailure("OpenSSH's client can't be started: " + ex.getMessage() + "; install it", ex);
		}
	}

	/**
	 * What messages call it.
	 */
	String name() {
		return this.host.id();
	}

	/**
	 * A directory of this run.
	 */
	String directory() {
		return this.directory;
	}

	int port() {
		return this.nextPort++;
	}

	/**
	 * The command line that runs a program there, for {@link Children#start}. The program
	 * ends with the connection, and 30 seconds after the last {@linkplain Child#beat()
	 * sign of life}.
	 * @param directory its directory there
	 * @param command the program and its arguments
	 * @return the command line
	 */
	List<String> guarded(String directory, List<String> command) {
		return command(GUARD.formatted(quoted(directory), PID,
				command.stream().map(RemoteHost::quoted).collect(Collectors.joining(" ")), LOST));
	}

	/**
	 * The process id of a guarded program.
	 * @param child the child that runs it
	 * @return its id on the host
	 * @throws BenchFailure if it was not started in time
	 * @throws InterruptedException if the thread was interrupted
	 */
	long pid(Child child) throws InterruptedException {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (true) {
			for (String line : child.lastLines(Integer.MAX_VALUE)) {
				if (line.startsWith(PID)) {
					return Long.parseLong(line.substring(PID.length()).strip());
				}
			}
			if (!child.isAlive() || System.nanoTime() > deadline) {
				throw new BenchFailure(
						child.name() + " did not start on " + name() + child.reason() + "; see " + child.log());
			}
			Thread.sleep(POLL);
		}
	}

	/**
	 * A program that a child has started there.
	 * @param child the child that runs it
	 */
	Program program(Child child) throws InterruptedException {
		Program program = new Program(this, pid(child));
		this.started.add(program.pid());
		return program;
	}

	/**
	 * The path of a jar there, which stays for the next run. Its name has the hash, as
	 * jars of reproducible builds have one time and may have one size.
	 */
	String jar(Path jar) throws InterruptedException {
		String path = "%s/jars/%s/%s".formatted(this.host.directory(), EnvironmentProbe.sha256(jar),
				jar.getFileName().toString().replaceAll("[^A-Za-z0-9._-]", "_"));
		if (run("test -e '" + path + "' || echo missing").startsWith("missing")) {
			send(jar, path);
		}
		return path;
	}

	/**
	 * Sends the files of a component.
	 * @param files the directory that has them, if there are any
	 * @param directory the directory there
	 */
	void sendAll(Path files, String directory) throws InterruptedException {
		run("mkdir -p '" + directory + "'");
		if (!Files.isDirectory(files)) {
			return;
		}
		try (Stream<Path> all = Files.list(files)) {
			for (Path file : all.filter(Files::isRegularFile).toList()) {
				send(file, directory + "/" + file.getFileName());
			}
		}
		catch (IOException ex) {
			throw new BenchFailure(files + " can't be read: " + ex.getMessage(), ex);
		}
	}

	/**
	 * Removes the directory of this run. A program that still ends might write into it
	 * again, so this waits for it.
	 */
	void clean() throws InterruptedException {
		String groups = this.started.stream().map((pid) -> "-" + pid).collect(Collectors.joining(" "));
		run("""
				for group in %s; do
					while kill -0 $group 2> /dev/null; do sleep 0.1; done
				done
				rm -rf %s
				""".formatted(groups, this.directory));
	}

	/**
	 * Runs a small script there.
	 * @param script the script, for a POSIX shell
	 * @return what it prints
	 * @throws BenchFailure if it fails, or takes too long
	 * @throws InterruptedException if the thread was interrupted
	 */
	String run(String script) throws InterruptedException {
		return run(script, ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()), PATIENCE);
	}

	/**
	 * Copies a file to the host, whole or not at all.
	 * @param file the file
	 * @param path its path there
	 * @throws BenchFailure if it can't be copied
	 * @throws InterruptedException if the thread was interrupted
	 */
	void send(Path file, String path) throws InterruptedException {
		String to = quoted(path);
		run("mkdir -p \"$(dirname " + to + ")\" && cat > " + to + ".part && mv " + to + ".part " + to,
				ProcessBuilder.Redirect.from(file.toFile()), UPLOAD);
	}

	private String run(String script, ProcessBuilder.Redirect input, Duration patience) throws InterruptedException {
		try {
			Process process = new ProcessBuilder(command(script)).redirectInput(input).start();
			try {
				FutureTask<byte[]> output = new FutureTask<>(process.getInputStream()::readAllBytes);
				// Apart, as a shell there may warn of a missing locale in front of
				// everything
				FutureTask<byte[]> errors = new FutureTask<>(process.getErrorStream()::readAllBytes);
				Thread.ofVirtual().start(output);
				Thread.ofVirtual().start(errors);
				if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
					throw new BenchFailure(
							"The host " + name() + " does not answer within " + patience.toSeconds() + " s");
				}
				String said = new String(errors.get(), StandardCharsets.UTF_8).strip();
				if (process.exitValue() != 0) {
					throw new BenchFailure("The host " + name() + " reports a failure: "
							+ (said.isEmpty() ? "exit code " + process.exitValue() : said));
				}
				return new String(output.get(), StandardCharsets.UTF_8);
			}
			finally {
				process.destroyForcibly();
			}
		}
		catch (IOException | ExecutionException ex) {
			throw new BenchFailure("The host " + name() + " can't be sent a command: " + ex.getMessage(), ex);
		}
	}

	private List<String> command(String script) {
		// The shell that the user has there may be none of POSIX's
		return ssh(this.host.ssh(), "exec /bin/sh -c " + quoted(script));
	}

	private static String quoted(String text) {
		return "'" + text.replace("'", "'\\''") + "'";
	}

	/**
	 * A program that runs there.
	 *
	 * @param host the host
	 * @param pid its id there
	 */
	record Program(RemoteHost host, long pid) {

		/**
		 * Looks at it and at all that it started.
		 * @return {@code null} if it is gone
		 */
		@Nullable ProcessSnapshot look() {
			try {
				return ProcessSnapshot.parse(this.host.name(), this.host.run(ProcessSnapshot.script(this.pid)));
			}
			catch (BenchFailure ex) {
				// Its end is noticed by its connection
				return null;
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return null;
			}
		}

	}

}
