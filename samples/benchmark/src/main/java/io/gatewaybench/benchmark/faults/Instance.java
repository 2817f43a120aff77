package io.gatewaybench.benchmark.faults;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.topology.Children;
import io.gatewaybench.benchmark.topology.FreePort;
import io.gatewaybench.benchmark.topology.Simulator;
import io.gatewaybench.benchmark.topology.Installation;
import io.gatewaybench.benchmark.run.OutputDirectory;
import io.gatewaybench.benchmark.topology.Placement;
import tools.jackson.databind.json.JsonMapper;

/**
 * An instance with a process of its own, always on the same port.
 */
final class Instance implements AutoCloseable {

	private final String name;

	private final Launcher launcher;

	private final int port;

	private Simulator simulator;

	private int starts = 1;

	private Instance(String name, Launcher launcher, int port) throws InterruptedException {
		this.name = name;
		this.launcher = launcher;
		this.port = port;
		this.simulator = launcher.launch(name, port, name);
	}

	/**
	 * Starts an instance.
	 * @param name what messages call it, also the name of its logs
	 * @param launcher starts its processes
	 */
	static Instance start(String name, Launcher launcher) throws InterruptedException {
		return new Instance(name, launcher, FreePort.find());
	}

	/**
	 * Host and port, as the gateway's meters name it.
	 */
	String authority() {
		return "127.0.0.1:" + this.port;
	}

	URI address() {
		return URI.create("http://" + authority());
	}

	/**
	 * Starts it again after it was killed.
	 */
	void start() throws InterruptedException {
		this.simulator = this.launcher.launch(this.name, this.port, this.name + "-" + (++this.starts));
	}

	void kill() {
		this.simulator.child().kill();
	}

	void freeze() {
		this.simulator.child().freeze();
	}

	void resume() {
		this.simulator.child().resume();
	}

	/**
	 * Starts the same instance once more, at another address.
	 */
	Instance elsewhere() throws InterruptedException {
		return start(this.name + "-moved", this.launcher);
	}

	/**
	 * How many connections it has, without the one that asks.
	 */
	long connections() throws IOException, InterruptedException {
		return JsonMapper.shared().readTree(ask("GET", "/sim/stats").body()).path("openConnections").asLong(1) - 1;
	}

	/**
	 * Tells it to fail for a while.
	 * @param kind how
	 * @param length how long
	 */
	void simulate(String kind, Duration length) throws InterruptedException {
		try {
			HttpResponse<String> response = ask("POST", "/sim/fault?kind=" + kind + "&for=" + length.toMillis() + "ms");
			if (response.statusCode() != 200) {
				throw new BenchFailure(
						this.simulator.child().name() + " does not take the fault '" + kind + "': " + response.body());
			}
		}
		catch (IOException ex) {
			throw new BenchFailure(this.simulator.child().name() + " can't be told to fail: " + ex.getMessage(), ex);
		}
	}

	private HttpResponse<String> ask(String method, String path) throws IOException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(address().resolve(path))
			.timeout(Duration.ofSeconds(5))
			.method(method, HttpRequest.BodyPublishers.noBody())
			.build();
		return this.launcher.client().send(request, HttpResponse.BodyHandlers.ofString());
	}

	@Override
	public void close() {
		// A frozen process can't end by itself
		resume();
		this.simulator.close();
	}

	/**
	 * Starts the processes of instances.
	 *
	 * @param children who ends them
	 * @param client what talks to them
	 * @param installation the programs that take part
	 * @param profile how they behave
	 * @param output where their logs go
	 * @param placement the cores they get, and among whom they share them
	 */
	record Launcher(Children children, HttpClient client, Installation installation, Path profile,
			OutputDirectory output, Placement placement) {

		private Simulator launch(String name, int port, String log) throws InterruptedException {
			return Simulator.start(this.children, "The instance " + name,
					command(this.placement, this.installation, this.profile, name + "=" + port), this.output.log(log));
		}

		static List<String> command(Placement placement, Installation installation, Path profile, String instance) {
			List<String> command = new ArrayList<>(placement.others());
			command.addAll(List.of(installation.java().toString(), "-Xms64m", "-Xmx256m", "-XX:+UseSerialGC",
					"-XX:TieredStopAtLevel=1", "-jar", installation.backends().toString(), "--exit-with-parent",
					"--profile", profile.toString(), "--instance", instance));
			return List.copyOf(command);
		}

	}

}
