package io.gatewaybench.benchmark.jmeter;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * An Apache JMeter that is installed on this machine.
 *
 * @param jar its launcher
 */
record Jmeter(Path jar) {

	private static final String VARIABLE = "JMETER_HOME";

	// What the pom of samples/jmeter puts together
	private static final String BUILT = "samples/jmeter/target/apache-jmeter";

	private static final int CONNECT_MILLIS = 2_000;

	// Ctrl-C in a terminal would end it before the runner has told the agents to stop
	private static final List<String> WITHIN = List.of("/bin/sh", "-c",
			"trap '' INT; cd \"$1\" && shift && exec \"$@\"", "sh");

	private static Path expected() {
		String home = System.getenv(VARIABLE);
		return ((home != null) ? Path.of(home) : Path.of(System.getProperty("gateway-bench.home", "")).resolve(BUILT))
			.resolve("bin")
			.resolve("ApacheJMeter.jar")
			.toAbsolutePath();
	}

	/**
	 * The one that is installed.
	 * @return {@code null} if there is none
	 */
	static @Nullable Jmeter installed() {
		return Files.isReadable(expected()) ? new Jmeter(expected()) : null;
	}

	/**
	 * What to do where none is installed.
	 */
	static String missing() {
		return "is not installed: there is no " + expected() + ". Unpack JMeter 5.6.3 or newer and set " + VARIABLE
				+ " to its directory, or build one with: mvn -f samples/jmeter package";
	}

	/**
	 * The command line of one of its processes.
	 * @param prefix what the command of the JVM begins with
	 * @param workplace where it runs
	 * @param heap the largest heap, as in {@code -Xmx}
	 * @param address by what name other hosts reach this one
	 * @param arguments the arguments
	 */
	List<String> command(List<String> prefix, Workplace workplace, String heap, String address,
			List<String> arguments) {
		List<String> command = new ArrayList<>(WITHIN);
		command.add(workplace.directory().toString());
		command.addAll(prefix);
		command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx" + heap,
				// Otherwise an agent that stands still would hold up the others for ever
				"-Dsun.rmi.transport.tcp.responseTimeout=15000", "-Djava.rmi.server.hostname=" + address, "-jar",
				this.jar.toString(), "-Jserver.rmi.ssl.keystore.file=" + AgentKey.NAME));
		command.addAll(arguments);
		return command;
	}

	/**
	 * Whether something accepts connections at an address.
	 */
	static boolean answers(InetSocketAddress address) throws InterruptedException {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress(address.getHostString(), address.getPort()), CONNECT_MILLIS);
			return true;
		}
		catch (IOException ex) {
			// An interrupt closes the socket of a virtual thread
			if (Thread.interrupted()) {
				throw new InterruptedException();
			}
			return false;
		}
	}

}
