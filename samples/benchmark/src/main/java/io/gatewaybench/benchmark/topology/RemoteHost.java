package io.gatewaybench.benchmark.topology;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.failure.BenchFailure;

/**
 * Another host, on which programs run over OpenSSH's client. One connection carries all.
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
	private static final String GUARD = """
			cd %s || exit 1
			setsid %s &
			pid=$!
			echo "%s$pid"
			exec 3<&0
			( while [ -n "$(timeout 30 head -c 1 <&3)" ]; do :; done
			kill -TERM -$pid; sleep 5; kill -KILL -$pid ) > /dev/null 2>&1 &
			guard=$!
			wait $pid
			code=$?
			kill $guard
			[ $code -ne %d ] || code=1
			exit $code
			""";

	private final String name;

	private final List<String> ssh;

	private final String destination;

	private RemoteHost(String name, List<String> ssh, String destination) {
		this.name = name;
		this.ssh = ssh;
		this.destination = destination;
	}

	/**
	 * Connects to a host.
	 * @param children what ends the connection
	 * @param name what messages call the host
	 * @param destination where to, as OpenSSH's client takes it
	 * @param options further options of the client
	 * @param socket a file for what shares the connection, with a short path
	 * @param log the file for what the client says
	 * @return the host
	 * @throws BenchFailure if the host refuses or does not answer in time, with the
	 * reason
	 * @throws InterruptedException if the thread was interrupted
	 */
	public static RemoteHost connect(Children children, String name, String destination, List<String> options,
			Path socket, Path log) throws InterruptedException {
		List<String> ssh = new ArrayList<>(List.of("ssh", "-T", "-S", socket.toString()));
		// It must not ask, and must notice a link that is cut
		for (String option : List.of("BatchMode=yes", "ConnectTimeout=10", "ServerAliveInterval=5",
				"ServerAliveCountMax=3")) {
			ssh.addAll(List.of("-o", option));
		}
		ssh.addAll(options);
		RemoteHost host = new RemoteHost(name, List.copyOf(ssh), destination);
		List<String> master = new ArrayList<>(ssh);
		master.addAll(List.of("-M", "-N", destination));
		Child connection = children.start("The connection to " + name, master, log);
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (!host.isConnected()) {
			if (!connection.isAlive() || System.nanoTime() > deadline) {
				String said = String.join(" ", connection.lastLines(1000)).strip();
				connection.close();
				throw new BenchFailure("The host " + name + " can't be reached by ssh " + destination + ": "
						+ (said.isEmpty() ? "no answer in time" : said)
						+ "; try it by hand: it must let you in without a question");
			}
			Thread.sleep(POLL);
		}
		return host;
	}

	private boolean isConnected() throws InterruptedException {
		List<String> check = new ArrayList<>(this.ssh);
		check.addAll(List.of("-O", "check", this.destination));
		try {
			return new ProcessBuilder(check).redirectErrorStream(true)
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
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * The command line that runs a program there, for {@link Children#start}. The program
	 * ends with the connection, and 30 seconds after the last {@linkplain Child#beat()
	 * sign of life}.
	 * @param directory its directory there
	 * @param command the program and its arguments
	 * @return the command line
	 */
	public List<String> guarded(String directory, List<String> command) {
		return command(GUARD.formatted(quoted(directory),
				command.stream().map(RemoteHost::quoted).collect(Collectors.joining(" ")), PID, LOST));
	}

	/**
	 * The process id of a guarded program.
	 * @param child the child that runs it
	 * @return its id on the host
	 * @throws BenchFailure if it was not started in time
	 * @throws InterruptedException if the thread was interrupted
	 */
	public long pid(Child child) throws InterruptedException {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (true) {
			for (String line : child.lastLines(Integer.MAX_VALUE)) {
				if (line.startsWith(PID)) {
					return Long.parseLong(line.substring(PID.length()).strip());
				}
			}
			if (!child.isAlive() || System.nanoTime() > deadline) {
				throw new BenchFailure(child.name() + " did not start on " + this.name + StartupLog.reason(child)
						+ "; see " + child.log());
			}
			Thread.sleep(POLL);
		}
	}

	/**
	 * Runs a small script there.
	 * @param script the script, for a POSIX shell
	 * @return what it prints
	 * @throws BenchFailure if it fails, or takes too long
	 * @throws InterruptedException if the thread was interrupted
	 */
	public String run(String script) throws InterruptedException {
		return run(script, ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()), PATIENCE);
	}

	/**
	 * Copies a file to the host, whole or not at all.
	 * @param file the file
	 * @param path its path there
	 * @throws BenchFailure if it can't be copied
	 * @throws InterruptedException if the thread was interrupted
	 */
	public void send(Path file, String path) throws InterruptedException {
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
							"The host " + this.name + " does not answer within " + patience.toSeconds() + " s");
				}
				String said = new String(errors.get(), StandardCharsets.UTF_8).strip();
				if (process.exitValue() != 0) {
					throw new BenchFailure("The host " + this.name + " reports a failure: "
							+ (said.isEmpty() ? "exit code " + process.exitValue() : said));
				}
				return new String(output.get(), StandardCharsets.UTF_8);
			}
			finally {
				process.destroyForcibly();
			}
		}
		catch (IOException | ExecutionException ex) {
			throw new BenchFailure("The host " + this.name + " can't be sent a command: " + ex.getMessage(), ex);
		}
	}

	private List<String> command(String script) {
		List<String> command = new ArrayList<>(this.ssh);
		// The shell that the user has there may be none of POSIX's
		command.addAll(List.of(this.destination, "exec /bin/sh -c " + quoted(script)));
		return command;
	}

	private static String quoted(String text) {
		return "'" + text.replace("'", "'\\''") + "'";
	}

}
