package io.gatewaybench.differential;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.gatewaybench.differential.Oracle.Run;
import io.gatewaybench.differential.ScriptedUpstream.Attempt;
import io.gatewaybench.differential.ScriptedUpstream.Exchange;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The same requests and responses through both flavours, on virtual and on platform
 * threads: first those that once found something, then new ones.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DifferentialTests {

	private static final String PROPERTY = "gateway-bench.differential.";

	private static final int SCRIPTS_OF_A_BUILD = 1_000;

	private static final int WORKERS = Integer.getInteger(PROPERTY + "workers", 16);

	private static final int WARM_UP = 50;

	/**
	 * So many findings of one kind are enough to look into.
	 */
	private static final int ENOUGH = 2;

	private final ExecutorService players = Executors.newVirtualThreadPerTaskExecutor();

	private final AtomicLong ids = new AtomicLong();

	private final List<GatewayProcess> gateways = new ArrayList<>();

	/**
	 * What shows which requests pass elsewhere, {@code null} if it is not installed.
	 */
	private GatewayProcess nginx;

	private ScriptedUpstream first;

	private ScriptedUpstream second;

	@BeforeAll
	void start() throws Exception {
		this.first = new ScriptedUpstream();
		this.second = new ScriptedUpstream(this.first);
		List<String> upstreams = List.of(this.first.url(), this.second.url());
		this.gateways.add(GatewayProcess.start("webflux", "webflux", false, upstreams));
		this.gateways.add(GatewayProcess.start("webmvc-virtual", "webmvc", true, upstreams));
		this.gateways.add(GatewayProcess.start("webmvc-platform", "webmvc", false, upstreams));
		this.nginx = GatewayProcess.startNginx(upstreams);
		warmUp();
	}

	/**
	 * A cold gateway might be too slow for its own timeouts.
	 */
	private void warmUp() throws InterruptedException, ExecutionException {
		for (int i = 0; i < WARM_UP; i++) {
			String protocol = (i % 2 == 0) ? "h1" : "h2";
			play(Script.parse("method=POST body=chunked route=rewrite type=json protocol=" + protocol));
			play(Script.parse("method=GET"));
		}
	}

	@AfterAll
	void stop() throws Exception {
		for (GatewayProcess gateway : this.gateways) {
			gateway.close();
		}
		if (this.nginx != null) {
			this.nginx.close();
		}
		this.first.close();
		this.second.close();
		this.players.close();
	}

	@ParameterizedTest
	@MethodSource("findings")
	@Order(1)
	void whatOnceFoundSomethingFindsNothing(String name, Script script) throws Exception {
		assertThat(play(script)).as(name).isEmpty();
	}

	static Stream<Object[]> findings() throws IOException {
		try (InputStream in = DifferentialTests.class.getResourceAsStream("findings.txt")) {
			String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
			return text.lines()
				.filter((line) -> !line.isBlank() && !line.startsWith("#"))
				.map((line) -> line.split(": ", 2))
				.map((parts) -> new Object[] { parts[0], Script.parse(parts[1]) });
		}
	}

	@Test
	@Order(2)
	void randomRequestsAndResponsesAreTheSameOnAllGateways() throws Exception {
		// The same in every build, so that one that fails can be repeated
		long seed = Long.getLong(PROPERTY + "seed", 1);
		String asked = System.getProperty(PROPERTY + "duration");
		Duration duration = duration((asked != null) ? asked : "80s");
		// A faster machine is not to meet others than a slower one
		int most = (asked != null) ? Integer.MAX_VALUE : SCRIPTS_OF_A_BUILD;
		long until = System.nanoTime() + duration.toNanos();
		AtomicInteger scripts = new AtomicInteger();
		Map<String, Queue<String>> findings = new ConcurrentSkipListMap<>();
		List<Future<?>> ended = new ArrayList<>();
		System.out.printf("Differential test: seed %d (-D%sseed=%d), for %s%n", seed, PROPERTY, seed, duration);
		try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
			for (int i = 0; i < WORKERS; i++) {
				ended.add(workers.submit(() -> {
					for (int number = scripts.getAndIncrement(); number < most
							&& System.nanoTime() < until; number = scripts.getAndIncrement()) {
						long next = seed + number;
						String found = play(Generator.script(next));
						if (!found.isEmpty()) {
							findings.computeIfAbsent(kind(found), (kind) -> new ConcurrentLinkedQueue<>())
								.add("seed %d%n%s".formatted(next, found));
						}
					}
					return null;
				}));
			}
		}
		for (Future<?> worker : ended) {
			worker.get();
		}
		assertThat(scripts.get()).isGreaterThan(10 * WORKERS);
		System.out.printf("Differential test: %d scripts, %d kinds of findings%n", scripts.get(), findings.size());
		String report = findings.entrySet()
			.stream()
			.map((kind) -> "%d of this kind: %s%n%s".formatted(kind.getValue().size(), kind.getKey(),
					kind.getValue().stream().limit(ENOUGH).collect(Collectors.joining("\n"))))
			.collect(Collectors.joining("\n"));
		Files.writeString(Path.of("target", "differential", "findings.txt"), report);
		assertThat(report).isEmpty();
	}

	/**
	 * What is found, without what differs each time.
	 */
	private static String kind(String found) {
		return found.lines()
			.skip(1)
			.filter((line) -> !line.contains(" saw "))
			.map((line) -> line.replaceAll("\\d+", "N").trim())
			.findFirst()
			.orElse("");
	}

	@Test
	@Order(3)
	void nothingIsLeftBehind() throws Exception {
		long until = System.nanoTime() + Duration.ofSeconds(30).toNanos();
		while (openConnections() > 0 && System.nanoTime() < until) {
			TimeUnit.MILLISECONDS.sleep(100);
		}
		assertThat(openConnections()).isZero();
		assertThat(this.first.strangers()).as("Requests that nobody sent").isEmpty();
		assertThat(this.second.strangers()).as("Requests that nobody sent").isEmpty();
		for (GatewayProcess gateway : this.gateways) {
			assertThat(gateway.complaints()).as(gateway.name()).isEmpty();
		}
	}

	private int openConnections() {
		return this.first.openConnections() + this.second.openConnections();
	}

	/**
	 * Play a script through all gateways.
	 * @return what is wrong, empty if nothing is
	 */
	private String play(Script script) throws InterruptedException, ExecutionException {
		Map<String, List<String>> facts = new LinkedHashMap<>();
		Map<String, List<String>> complaints = new LinkedHashMap<>();
		StringBuilder saw = new StringBuilder();
		Run last = null;
		Map<GatewayProcess, Future<Run>> runs = new HashMap<>();
		this.gateways.forEach((gateway) -> runs.put(gateway, this.players.submit(() -> playFairly(script, gateway))));
		for (GatewayProcess gateway : this.gateways) {
			Run run = runs.get(gateway).get();
			facts.put(gateway.name(), Oracle.facts(script, run));
			complaints.put(gateway.name(), Oracle.complaints(script, run));
			saw.append("  %s saw %s%n".formatted(gateway.name(), describe(run)));
			last = run;
		}
		StringBuilder found = new StringBuilder();
		complaints.forEach((gateway, list) -> list
			.forEach((complaint) -> found.append("  %s: %s%n".formatted(gateway, complaint))));
		List<String> common = new ArrayList<>(facts.values().iterator().next());
		facts.values().forEach(common::retainAll);
		facts.forEach((gateway, list) -> {
			List<String> own = new ArrayList<>(list);
			own.removeAll(common);
			if (!own.isEmpty()) {
				found.append("  only %s: %s%n".formatted(gateway, String.join("; ", own)));
			}
		});
		if (this.nginx != null && Oracle.isComparedWithNginx(script)) {
			Run reference = play(script, this.nginx);
			List<String> differences = Oracle.differences(script, last, reference);
			differences.forEach((difference) -> found.append("  beside nginx: %s%n".formatted(difference)));
			saw.append("  nginx saw %s%n".formatted(describe(reference)));
		}
		return found.isEmpty() ? "" : "%s%n%s%s".formatted(script, found, saw);
	}

	private Run playFairly(Script script, GatewayProcess gateway) throws InterruptedException {
		Run run = play(script, gateway);
		return Oracle.isUnlucky(script, run) ? play(script, gateway) : run;
	}

	private Run play(Script script, GatewayProcess gateway) throws InterruptedException {
		String id = "%s-%d".formatted("s", this.ids.incrementAndGet());
		Exchange exchange = this.first.expect(id, script);
		Client client = new Client(script, gateway.port(), id);
		exchange.watch(client.body());
		long begun = System.nanoTime();
		Client.Outcome outcome = client.play();
		boolean allEnded = true;
		List<Attempt> attempts = exchange.attempts();
		for (Attempt attempt : attempts) {
			allEnded &= attempt.awaitEnd();
		}
		this.first.forget(id);
		return new Run(gateway.name(), id, begun, outcome, exchange.attempts(), allEnded, exchange.isWithheld());
	}

	private static String describe(Run run) {
		String attempts = run.attempts()
			.stream()
			.map((attempt) -> "%s, body %s%s".formatted(attempt.head(), Body.describe(attempt.body().content()),
					attempt.body().isComplete() ? "" : " (incomplete)"))
			.collect(Collectors.joining(" and "));
		return "status %d %s, body %s, end %s; upstream: %s".formatted(run.outcome().status(),
				new TreeSet<>(run.outcome().head()), Body.describe(run.outcome().body().content()), run.outcome().end(),
				attempts);
	}

	private static Duration duration(String text) {
		return Duration.parse("PT" + text);
	}

}
