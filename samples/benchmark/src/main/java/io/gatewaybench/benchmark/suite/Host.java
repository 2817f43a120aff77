package io.gatewaybench.benchmark.suite;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.gatewaybench.benchmark.load.InvalidValueException;

/**
 * A host on which the runner starts components over SSH.
 *
 * @param id the name in the suite
 * @param ssh where to, as OpenSSH's client takes it: a name of its configuration,
 * {@code user@host}
 * @param options further options of the client, such as {@code -i} and a file
 * @param address by what name the other hosts reach it; what runs there listens on it
 * @param java the command that starts Java there
 * @param directory where the runner puts files; made if needed
 * @param firstPort the first of the ports on which components listen
 */
public record Host(String id, String ssh, List<String> options, String address, String java, String directory,
		int firstPort) {

	/**
	 * The keys of a host in YAML.
	 *
	 * @param ssh where to; the id of the host if it is missing
	 * @param options further options of the client
	 * @param address by what name the other hosts reach it; that of {@code ssh} without
	 * the user if it is missing
	 * @param java the command that starts Java there; {@code java} if it is missing
	 * @param directory where the runner puts files; {@code /tmp/gateway-bench} if it is
	 * missing
	 * @param firstPort the first of the ports on which components listen; 20000 if it is
	 * missing
	 */
	record Keys(@Nullable String ssh, @Nullable List<String> options, @Nullable String address, @Nullable String java,
			@Nullable String directory, @Nullable Integer firstPort) {

		private static final int FIRST_PORT = 20_000;

		private static final int HIGHEST_PORT = 65_000;

		Keys {
			// A name that begins with - would be an option
			InvalidValueException.unless(ssh == null || ssh.matches("[A-Za-z0-9_][A-Za-z0-9_.@-]*"), "ssh", ssh,
					"write user@host, or a name of OpenSSH's configuration");
			InvalidValueException.unless(address == null || address.matches("[A-Za-z0-9][A-Za-z0-9.-]*"), "address",
					address, "write a host name or an IPv4 address");
			InvalidValueException.unless(directory == null || directory.matches("/[A-Za-z0-9._/-]+"), "directory",
					directory, "write an absolute path of letters, digits and ._-/");
			InvalidValueException.unless(firstPort == null || (firstPort >= 1024 && firstPort <= HIGHEST_PORT),
					"first-port", firstPort, "choose 1024 to " + HIGHEST_PORT);
		}

		Host host(String id) {
			String destination = (this.ssh != null) ? this.ssh : id;
			return new Host(id, destination, Suite.copy(this.options),
					(this.address != null) ? this.address : destination.replaceFirst(".*@", ""),
					(this.java != null) ? this.java : "java",
					(this.directory != null) ? this.directory : "/tmp/gateway-bench",
					(this.firstPort != null) ? this.firstPort : FIRST_PORT);
		}

	}

}
