package io.gatewaybench.benchmark.suite;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.gatewaybench.benchmark.load.InvalidValueException;

/**
 * Something that takes part in a comparison: the runner starts it, or it runs somewhere
 * and can be reached. Every text in it may have {@linkplain References references}.
 */
public sealed interface Component {

	/**
	 * The path that must answer 200 before the component is used.
	 * @return the path, {@code null} if it is ready as soon as it accepts connections
	 */
	@Nullable String ready();

	/**
	 * An executable jar, in YAML {@code {jar: build/my-gateway.jar}}. Its heap is that of
	 * the run.
	 *
	 * @param jar the name of a module of this project, such as {@code gateway-webflux},
	 * or a path, relative to the suite's file
	 * @param jvm further options of the JVM
	 * @param config the settings of a Spring Boot application, as in its
	 * {@code application.yml}; they go to a file of their own, which takes precedence. A
	 * list entry with {@code repeat: 800} stands for 800 entries, and {@code ${i}} in it
	 * for their numbers from 0
	 * @param arguments the arguments of the application
	 * @param ready the path that must answer 200
	 */
	record Jar(String jar, List<String> jvm, Map<String, Object> config, List<String> arguments,
			@Nullable String ready) implements Component {

		/**
		 * Checks and copies the values.
		 * @throws InvalidValueException if the jar is blank or the path does not begin
		 * with a slash
		 */
		public Jar {
			jvm = Suite.copy(jvm);
			config = Suite.copy(config);
			arguments = Suite.copy(arguments);
			InvalidValueException.unless(!jar.isBlank(), "jar", jar, "name a module of this project or a file");
			checkReady(ready);
		}

		/**
		 * The same jar with more arguments.
		 * @param more what is added
		 * @return a copy
		 */
		public Jar with(List<String> more) {
			List<String> all = new ArrayList<>(this.arguments);
			all.addAll(more);
			return new Jar(this.jar, this.jvm, this.config, all, this.ready);
		}

	}

	/**
	 * Any other program, such as nginx or a container, in YAML {@code {command: [nginx,
	 * ...]}}. It must stay in the foreground.
	 *
	 * @param command the program and its arguments
	 * @param files files that are written before it starts, by their names in its
	 * directory
	 * @param optional whether a run leaves it out where it is not installed
	 * @param ready the path that must answer 200
	 */
	record Program(List<String> command, Map<String, String> files, boolean optional,
			@Nullable String ready) implements Component {

		/**
		 * Checks and copies the values.
		 * @throws InvalidValueException if there is no command, a file is outside the
		 * directory, or the path does not begin with a slash
		 */
		public Program {
			command = Suite.copy(command);
			files = Suite.copy(files);
			InvalidValueException.unless(!command.isEmpty(), "command", command, "name a program and its arguments");
			for (String file : files.keySet()) {
				InvalidValueException.unless(file.matches("[A-Za-z0-9_-][A-Za-z0-9._-]*"), "files", file,
						"use a file name without a directory");
			}
			checkReady(ready);
		}

		/**
		 * Whether a shell would find it.
		 * @return whether it can be started
		 */
		boolean installed() {
			String program = this.command.getFirst();
			String path = program.contains("/") ? "" : Objects.requireNonNullElse(System.getenv("PATH"), "");
			return Stream.of(path.split(File.pathSeparator))
				.map((directory) -> Path.of(directory, program))
				.anyMatch(Files::isExecutable);
		}

	}

	/**
	 * Services of the simulator, in YAML {@code {simulator: {service-a: 2}}}; one process
	 * has them all.
	 *
	 * @param simulator the number of instances of each service
	 * @param zeroDelay whether they answer at once, so that a gateway is all that takes
	 * time
	 * @param profile latencies and payloads as in the simulator's own profile; without it
	 * the published ones
	 */
	record Simulator(Map<String, Integer> simulator, boolean zeroDelay,
			Map<String, Object> profile) implements Component {

		private static final int MOST_INSTANCES = 100;

		/**
		 * Checks and copies the values.
		 * @throws InvalidValueException if there is no service, or a service has no
		 * instance or an illegal name
		 */
		public Simulator {
			simulator = Suite.copy(simulator);
			profile = Suite.copy(profile);
			InvalidValueException.unless(!simulator.isEmpty(), "simulator", simulator,
					"name a service and its number of instances");
			simulator.forEach((service, instances) -> {
				Suite.checkId("simulator", service);
				InvalidValueException.unless(instances != null && instances >= 1 && instances <= MOST_INSTANCES,
						"simulator." + service, instances, "choose 1 to " + MOST_INSTANCES + " instances");
			});
		}

		@Override
		public @Nullable String ready() {
			return null;
		}

	}

	/**
	 * Something that runs already, in YAML {@code {url: "http://10.0.0.7:8080"}}. What it
	 * costs its machine is not known, unless it has an actuator.
	 *
	 * @param url {@code http://host:port}, or a reference to a component such as
	 * <code>${service-a.url}</code>: then it is the control, which shows what generator
	 * and backends do without a gateway
	 * @param ready the path that must answer 200
	 * @param actuator where its actuator is, a path or {@code http://host:port/path};
	 * {@code null} if it has none
	 */
	record Remote(String url, @Nullable String ready, @Nullable String actuator) implements Component {

		/**
		 * Checks the values.
		 * @throws InvalidValueException if it is no HTTP origin, the actuator is neither
		 * a path nor an HTTP URL, or a control has one
		 */
		public Remote {
			InvalidValueException.unless(url.matches("https?://[^/?#@\\s]+/?|\\$\\{[^}]+}"), "url", url,
					"write http://host:port or https://host:port without a path, or ${service-a.url}");
			checkReady(ready);
			InvalidValueException.unless(actuator == null || actuator.matches("(https?://[^/?#@\\s]+)?(/[\\w.~-]+)+"),
					"actuator", actuator, "write a path, such as /actuator, or http://host:port/actuator");
			InvalidValueException.unless(actuator == null || !url.startsWith("${"), "actuator", actuator,
					"remove it, as a url that is a reference is the control, whose CPU time is not looked at");
		}

		boolean isReference() {
			return this.url.startsWith("${");
		}

	}

	/**
	 * A component that the runner starts on another host, in YAML a {@code host} beside
	 * its other keys.
	 *
	 * @param component what is started
	 * @param host where
	 */
	record OnHost(Component component, Host host) implements Component {

		@Override
		public @Nullable String ready() {
			return this.component.ready();
		}

		@Override
		public Component plain() {
			return this.component;
		}

	}

	/**
	 * The component, wherever it runs.
	 * @return the same one, without its host
	 */
	default Component plain() {
		return this;
	}

	private static void checkReady(@Nullable String ready) {
		InvalidValueException.unless(ready == null || ready.matches("/[!-~]*"), "ready", ready,
				"write a path that begins with /, such as /actuator/health");
	}

}
