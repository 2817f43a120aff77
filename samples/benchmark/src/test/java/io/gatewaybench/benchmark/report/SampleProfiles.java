package io.gatewaybench.benchmark.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.gatewaybench.benchmark.observe.StackSamples;
import io.gatewaybench.benchmark.observe.StackSamples.Node;
import io.gatewaybench.benchmark.result.Profile;
import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.SampleResults;

/**
 * Profiles with figures that are known.
 */
final class SampleProfiles {

	static final Profile WEBFLUX = profile("webflux-c16", "WebFlux",
			List.of("EVENT_LOOP", "io.netty.EventLoop.run", "io.netty.Channel.read", "java.util.HashMap.get",
					"reactor.core.Mono.subscribe", SampleResults.HOSTILE),
			new Node(0, 0, 0, 900), new Node(1, 1, 100, 900), new Node(2, 2, 100, 500), new Node(3, 3, 400, 400),
			new Node(2, 4, 0, 300), new Node(3, 3, 250, 250), new Node(3, 5, 50, 50), new Node(0, 3, 100, 100));

	static final Profile WEBMVC = profile("webmvc-c16", "WebMVC", List.of("TOMCAT", "java.lang.Thread.run"),
			new Node(0, 0, 0, 10), new Node(1, 1, 10, 10));

	private SampleProfiles() {
	}

	private static Profile profile(String scenario, String variant, List<String> frames, Node... nodes) {
		long samples = List.of(nodes).stream().filter((node) -> node.depth() == 0).mapToLong(Node::total).sum();
		return new Profile(scenario, variant, 20, 398.2, new StackSamples(true, samples, 0, frames, List.of(nodes)),
				null);
	}

	/**
	 * As large as it can be: as many deep stacks as a tree may have, with frames of long
	 * names.
	 */
	static Profile large(String scenario, String variant) {
		List<String> frames = new ArrayList<>(List.of("OTHER"));
		IntStream.range(0, 20_000)
			.forEach((number) -> frames
				.add("org.example.some.packages.of.some.length.SomeHandlerOfRequests.handle" + number + scenario));
		List<Node> nodes = new ArrayList<>(List.of(new Node(0, 0, 0, 100_000)));
		for (int number = 1; number <= 20_000; number++) {
			nodes.add(new Node(1 + (number - 1) % 200, number, 1, 100_000 - number));
		}
		return new Profile(scenario, variant, 20, 398.2, new StackSamples(true, 100_000, 0, frames, nodes), null);
	}

	static void write(Path run, Profile... profiles) throws IOException {
		Path directory = Files.createDirectories(run.resolve(Profile.DIRECTORY));
		for (Profile profile : profiles) {
			ResultsFile.write(directory.resolve(profile.scenario() + ".json"), profile);
		}
	}

}
