package io.gatewaybench.benchmark.jmeter;

import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.benchmark.failure.BenchFailure;
import org.jspecify.annotations.Nullable;

/**
 * An Apache JMeter that is installed on this machine.
 *
 * @param home its directory
 */
record Jmeter(Path home) {

	private static final String VARIABLE = "JMETER_HOME";

	// What the pom of samples/jmeter puts together
	private static final String BUILT = "samples/jmeter/target/apache-jmeter";

	// Ctrl-C in a terminal would end it before the runner has told the agents to stop
	private static final List<String> WITHIN = List.of("/bin/sh", "-c",
			"trap '' INT; cd \"$1\" && shift && exec \"$@\"", "sh");

	private static final List<String> SETTINGS = List.of("-Jserver.rmi.ssl.keystore.file=" + AgentKey.NAME,
			"-Jmode=StrippedBatch", "-Jtime_threshold=500",
			// Some lines for each request of the open model
			"-Lorg.apache.jmeter.threads=WARN");

	private static Jmeter expected() {
		String home = System.getenv(VARIABLE);
		return new Jmeter(
				((home != null) ? Path.of(home) : Path.of(System.getProperty("gateway-bench.home", "")).resolve(BUILT))
					.toAbsolutePath());
	}

	/**
	 * The one that is installed.
	 * @throws BenchFailure if there is none
	 */
	static Jmeter installed() {
		String missing = missing();
		if (missing != null) {
			throw new BenchFailure("JMeter " + missing);
		}
		return expected();
	}

	/**
	 * What to do where none is installed.
	 * @return {@code null} if one is
	 */
	static @Nullable String missing() {
		Path jar = expected().jar();
		return Files.isReadable(jar) ? null
				: "is not installed: there is no " + jar + ". Unpack JMeter 5.6.3 or newer and set " + VARIABLE
						+ " to its directory, or build one with: mvn -f samples/jmeter package";
	}

	private Path jar() {
		return this.home.resolve("bin/ApacheJMeter.jar");
	}

	/**
	 * The command line of an agent.
	 * @param workplace where it runs
	 * @param address by what name and port other hosts reach it; it takes the next port,
	 * too
	 */
	List<String> agent(Workplace workplace, InetSocketAddress address) {
		return command(List.of(), workplace, address.getHostString(),
				List.of("-jar", jar().toString(), "-s", "-j", workplace.jmeterLog().toString(),
						"-Jserver_port=" + address.getPort(), "-Jserver.rmi.localport=" + (address.getPort() + 1)));
	}

	/**
	 * The command line of what plays stages.
	 * @param prefix what the command of the JVM begins with
	 * @param workplace where it runs
	 * @param address by what name agents reach this host
	 * @param source the source of its main class
	 * @param agents the names of the agents
	 * @param log the file for what JMeter logs
	 */
	List<String> player(List<String> prefix, Workplace workplace, String address, String source, List<String> agents,
			Path log) {
		return command(prefix, workplace, address,
				List.of("-Djmeter.home=" + this.home, "-Djmeter.logfile=" + log,
						"-Dlog4j.configurationFile=" + this.home.resolve("bin/log4j2.xml"), "-cp",
						"%s:%2$s/lib/*:%2$s/lib/ext/*".formatted(jar(), this.home), source, String.join(",", agents),
						"--version"));
	}

	private static List<String> command(List<String> prefix, Workplace workplace, String address,
			List<String> program) {
		List<String> command = new ArrayList<>(WITHIN);
		command.add(workplace.directory().toString());
		command.addAll(prefix);
		command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx1g",
				"-Djava.awt.headless=true",
				// Otherwise an agent that stands still would hold up the others for ever
				"-Dsun.rmi.transport.tcp.responseTimeout=15000", "-Djava.rmi.server.hostname=" + address));
		command.addAll(program);
		command.addAll(SETTINGS);
		return command;
	}

	static String name(InetSocketAddress agent) {
		return agent.getHostString() + ":" + agent.getPort();
	}

}
