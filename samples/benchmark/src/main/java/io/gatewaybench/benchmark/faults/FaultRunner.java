package io.gatewaybench.benchmark.faults;

import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.load.LoadEngine;
import io.gatewaybench.benchmark.load.LoadSession;
import io.gatewaybench.benchmark.load.TypeResult;
import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.load.LoadPlan;
import io.gatewaybench.benchmark.topology.Children;
import io.gatewaybench.benchmark.report.FaultReport;
import io.gatewaybench.benchmark.result.FaultResult;
import io.gatewaybench.benchmark.result.FaultResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.WarmupCurve;
import io.gatewaybench.benchmark.run.Console;
import io.gatewaybench.benchmark.topology.EnvironmentProbe;
import io.gatewaybench.benchmark.topology.Installation;
import io.gatewaybench.benchmark.run.Interruption;
import io.gatewaybench.benchmark.topology.Launcher;
import io.gatewaybench.benchmark.run.OutputDirectory;
import io.gatewaybench.benchmark.topology.Placement;
import io.gatewaybench.benchmark.topology.RemoteHosts;
import io.gatewaybench.benchmark.run.Runner;
import io.gatewaybench.benchmark.topology.Running;
import io.gatewaybench.benchmark.run.Warmth;
import io.gatewaybench.benchmark.suite.Component;
import io.gatewaybench.benchmark.suite.References;
import io.gatewaybench.benchmark.suite.Variant;

/**
 * Lets every fault happen to every gateway, one after the other.
 *
 * @param installation the programs that take part
 * @param engines makes the load engine
 * @param console where progress goes
 */
public record FaultRunner(Installation installation, Runner.Engines engines, Console console) {

	// A hundred times as long, as a slow instance takes, is within the timeout
	private static final String PROFILE = "endpoints: {data: {latency: {distribution: fixed, value: 5}}}\n";

	private static final Duration CYCLE = Duration.ofSeconds(5);

	private static final double MOST_JIT = 0.05;

	/**
	 * Runs everything that is asked for. What was seen is on disk also when the run is
	 * interrupted or fails half-way.
	 * @param request what to run
	 * @param interruption tells whether the user ended it
	 * @return what was seen
	 * @throws BenchFailure if the run could not begin, or failed
	 */
	public FaultResults run(FaultRequest request, Interruption interruption) {
		this.installation.check(jars(request));
		if (!request.heap().fits(1)) {
			throw new BenchFailure(request.heap().objection(1));
		}
		OutputDirectory output = OutputDirectory.create(request.out());
		this.console.say(announcement(request));
		this.console.say("Results: " + output.path());
		this.console.begin(request.estimate());
		return run(request, output, interruption);
	}

	private static String announcement(FaultRequest request) {
		return String.format(Locale.ROOT,
				"%s: %d faults each, %,.0f requests per second, gateway heap %s. Takes %d:%02d minutes at most.",
				request.gateways().stream().map(Variant::title).collect(Collectors.joining(", ")),
				request.faults().size(), request.settings().rate(), request.heap().text(),
				request.estimate().toMinutes(), request.estimate().toSecondsPart());
	}

	private FaultResults run(FaultRequest request, OutputDirectory output, Interruption interruption) {
		Placement placement = Placement.usual();
		Path profile = Launcher.write(output.raw(), "backends.yml", PROFILE);
		FaultRecord record = new FaultRecord(output, request.settings(),
				EnvironmentProbe.probe(this.installation, jars(request), placement.groupedBy(),
						Instance.Launcher.command(placement, this.installation, profile, "NAME=PORT"),
						request.arguments()));
		try {
			try (Children children = new Children(placement.groups()); HttpClient client = Launcher.newClient()) {
				Instance.Launcher launcher = new Instance.Launcher(children, client, this.installation, profile, output,
						placement);
				for (Variant variant : request.gateways()) {
					look(request, variant, launcher, output, record);
				}
			}
			return record.end(Status.COMPLETE, null);
		}
		catch (InterruptedException | RuntimeException ex) {
			boolean interrupted = ex instanceof InterruptedException || interruption.requested();
			// Cleared, so that writing the report is not interrupted too
			Thread.interrupted();
			if (ex instanceof RuntimeException failure && !interrupted) {
				record.end(Status.FAILED, String.valueOf(ex.getMessage()));
				throw failure;
			}
			return record.end(Status.INTERRUPTED, "interrupted");
		}
	}

	private void look(FaultRequest request, Variant variant, Instance.Launcher launcher, OutputDirectory output,
			FaultRecord record) throws InterruptedException {
		Map<List<String>, List<Fault>> faults = request.faults()
			.stream()
			.collect(Collectors.groupingBy(Fault::arguments, LinkedHashMap::new, Collectors.toList()));
		try (Instance faulty = Instance.start(variant.id() + "-1", launcher);
				Instance healthy = Instance.start(variant.id() + "-2", launcher)) {
			for (Map.Entry<List<String>, List<Fault>> same : faults.entrySet()) {
				String name = variant.id() + (same.getKey().isEmpty() ? "" : "-" + same.getValue().getFirst().id());
				Path upstreams = output.raw().resolve(name).resolve("upstreams.yml");
				FaultContext.write(upstreams, faulty, healthy, List.of(faulty.address(), healthy.address()));
				Component told = jar(variant).with(List.of("--spring.config.additional-location=" + upstreams.toUri()))
					.with(same.getKey());
				Launcher gateways = new Launcher(this.installation, launcher.children(), launcher.client(),
						request.heap().text(), Launcher.PATIENCE, new RemoteHosts(launcher.children(), output::log));
				try (Running gateway = gateways.start("The gateway " + variant.title(), told, References.NONE,
						new Launcher.Place(launcher.placement().gateway(), output.raw().resolve(name), output.log(name),
								false))) {
					LoadEngine engine = this.engines.create(output.raw(), launcher.placement().generator());
					Loads loads = new Loads(variant, gateway.address(), request.settings());
					record.add(warmUp(loads, gateway, engine));
					for (Fault fault : same.getValue()) {
						FaultContext context = new FaultContext(gateway, faulty, healthy, upstreams,
								new ExtraClients(gateway.address()), launcher.client());
						FaultResult result = new Trial(context, loads, engine, this.console).run(fault);
						record.add(result);
						this.console.say(FaultReport.line(result));
					}
				}
			}
		}
	}

	private List<Path> jars(FaultRequest request) {
		return request.gateways()
			.stream()
			.map((variant) -> this.installation.jar(jar(variant).jar()))
			.distinct()
			.toList();
	}

	private static Component.Jar jar(Variant variant) {
		if (variant.component() instanceof Component.Jar jar) {
			return jar;
		}
		throw new IllegalArgumentException("faults need a jar, and " + variant.id() + " is none");
	}

	private WarmupCurve warmUp(Loads loads, Running gateway, LoadEngine engine) throws InterruptedException {
		Warmth warmth = new Warmth(gateway::look);
		LoadPlan plan = loads.warmUpPlan();
		this.console.place(plan.id());
		try (LoadSession session = engine.open(plan)) {
			TypeResult last = TypeResult.merge("total", List.of());
			long cycles = Math.max(1, loads.settings().warmup().dividedBy(CYCLE));
			for (int cycle = 0; cycle < cycles && !warmth.isQuiet(); cycle++) {
				this.console.progress("warm-up");
				warmth.begin();
				last = session.run(loads.warmUp().warmUp("warm-up", CYCLE)).whole().total();
				warmth.end(last.counts().ok(), MOST_JIT);
			}
			// While it is cold, it may take longer than a timeout
			if (last.counts().failed() > 0) {
				throw new BenchFailure(gateway.name() + " does not answer as it must: "
						+ String.join("; ", last.failures()) + "; see " + gateway.log());
			}
		}
		return warmth.curve(loads.variant().title(), 1, warmth.isQuiet(), true);
	}

}
