package io.gatewaybench.benchmark.run;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.observe.ProcessSnapshot;
import io.gatewaybench.benchmark.suite.Component;
import io.gatewaybench.benchmark.suite.References;
import io.gatewaybench.benchmark.topology.Launcher;
import io.gatewaybench.benchmark.topology.Running;
import io.gatewaybench.benchmark.topology.Simulator;

/**
 * What runs behind the gateways for the whole run.
 *
 * @param client what asks the instances of simulators
 * @param processes what the runner started, in the order of start
 * @param instances the addresses of all instances of simulators
 * @param references what the texts of other components may refer to
 * @param commands the command lines
 */
record Backends(HttpClient client, List<Running> processes, List<URI> instances, References references,
		List<String> commands) {

	/**
	 * Starts the components of a suite.
	 * @param components the components, in the order of start
	 * @param launcher starts them
	 * @param output for their logs and files
	 * @param prefix what their command lines begin with
	 */
	static Backends start(Map<String, Component> components, Launcher launcher, OutputDirectory output,
			List<String> prefix) throws InterruptedException {
		List<Running> processes = new ArrayList<>();
		List<URI> all = new ArrayList<>();
		List<String> commands = new ArrayList<>();
		References references = References.NONE;
		for (Map.Entry<String, Component> entry : components.entrySet()) {
			String id = entry.getKey();
			Launcher.Place place = new Launcher.Place(prefix, output.raw().resolve(id), output.log(id), false);
			if (entry.getValue().plain() instanceof Component.Simulator wanted) {
				Running running = launcher.launch("The component " + id, entry.getValue(), references, place);
				processes.add(running);
				Simulator simulator = Simulator.await(running.process(), running.address().getHost());
				for (Map.Entry<String, Integer> service : wanted.simulator().entrySet()) {
					List<URI> instances = IntStream.rangeClosed(1, service.getValue())
						.mapToObj((number) -> simulator.instance(service.getKey() + "-" + number))
						.toList();
					references = references.with(service.getKey(), instances);
					all.addAll(instances);
				}
				commands.addAll(running.command());
			}
			else {
				Running running = launcher.start("The component " + id, entry.getValue(), references, place);
				references = references.with(id, List.of(running.address()));
				commands.addAll(running.command());
				if (running.child() != null) {
					processes.add(running);
				}
			}
		}
		return new Backends(launcher.client(), List.copyOf(processes), List.copyOf(all), references,
				List.copyOf(commands));
	}

	/**
	 * Lets the delays of every instance start again, so that what is measured next meets
	 * the same ones as all others with this seed.
	 * @param seed what is added to the seeds of the instances
	 */
	void restart(long seed) throws InterruptedException {
		for (URI instance : this.instances) {
			HttpRequest request = HttpRequest.newBuilder(instance.resolve("/sim/reset?seed=" + seed))
				.POST(HttpRequest.BodyPublishers.noBody())
				.timeout(Duration.ofSeconds(5))
				.build();
			try {
				this.client.send(request, HttpResponse.BodyHandlers.discarding());
			}
			catch (IOException ex) {
				throw new BenchFailure(
						"The backend " + instance + " does not start its delays again: " + ex.getMessage(), ex);
			}
		}
	}

	/**
	 * Checks that all of them still run.
	 * @param when what was measured
	 * @throws BenchFailure if one ended
	 */
	void checkAlive(String when) {
		this.processes.stream().filter((process) -> !process.isAlive()).findFirst().ifPresent((process) -> {
			throw new BenchFailure(process.name() + " ended during " + when + "; see " + process.log());
		});
	}

	/**
	 * What all of them have used since they began.
	 * @return {@code null} if that is not known
	 */
	@Nullable ProcessSnapshot look() {
		return this.processes.stream()
			.map(Running::look)
			.filter(Objects::nonNull)
			.reduce(ProcessSnapshot::plus)
			.orElse(null);
	}

}
