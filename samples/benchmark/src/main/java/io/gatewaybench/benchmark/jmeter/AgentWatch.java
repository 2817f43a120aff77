package io.gatewaybench.benchmark.jmeter;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.failure.BenchFailure;

import io.gatewaybench.benchmark.topology.Child;

/**
 * Watches the agents while they send. JMeter itself waits for ever for an agent that is
 * gone.
 */
final class AgentWatch {

	private static final Duration LOOK = Duration.ofMillis(500);

	// An agent that is used for the first time loads its classes
	private static final Duration BEGIN = Duration.ofSeconds(20);

	// With the time by the clock of this machine
	private static final Pattern START = Pattern.compile("Starting distributed test .*\\((\\d+)\\)");

	private static final Pattern NOT_STARTED = Pattern
		.compile("The following remote engines have not started: *(.*)|Failed to configure (.*)");

	private final List<InetSocketAddress> agents;

	private final Path samples;

	private final Path output;

	private final Duration silence;

	private final Duration sending;

	private final Map<String, Long> heard = new HashMap<>();

	private final Map<String, AgentClock> clocks = new HashMap<>();

	private Duration cpuTime = Duration.ZERO;

	private long started;

	private long position;

	/**
	 * Creates a watch.
	 * @param agents the agents
	 * @param samples the file to which JMeter writes samples
	 * @param output what JMeter says
	 * @param silence how long an agent that sends can have nothing to tell
	 * @param sending how long agents send
	 */
	AgentWatch(List<InetSocketAddress> agents, Path samples, Path output, Duration silence, Duration sending) {
		this.agents = agents;
		this.samples = samples;
		this.output = output;
		this.silence = silence;
		this.sending = sending;
	}

	/**
	 * The name of an agent in messages and results.
	 */
	static String name(InetSocketAddress agent) {
		return agent.getHostString() + ":" + agent.getPort();
	}

	/**
	 * Waits for the end of the stage.
	 * @param process JMeter
	 * @param deadline when it has to be over
	 * @throws BenchFailure if an agent does not begin, is gone, silent or does not end
	 */
	void until(Child process, long deadline) throws IOException, InterruptedException {
		while (!process.awaitEnd(LOOK)) {
			this.cpuTime = process.cpuTime();
			look();
			for (InetSocketAddress agent : this.agents) {
				check(agent);
			}
			if (System.nanoTime() > deadline) {
				throw failure("the agents did not end in time. The last sample of each: %s; see %s",
						this.agents.stream().map(this::lastSample).collect(Collectors.joining(", ")), this.output);
			}
		}
		look();
	}

	private void check(InetSocketAddress agent) throws InterruptedException {
		if (!Jmeter.answers(agent)) {
			throw failure("the agent %s is gone: it does not answer any more; see what it says on its host",
					name(agent));
		}
		Long last = this.heard.get(name(agent));
		boolean sends = System.currentTimeMillis() < this.started + this.sending.toMillis();
		if (sends && last != null && System.nanoTime() - last > this.silence.toNanos()) {
			throw failure(
					"the agent %s is silent: no sample came from it in %d s. It stands still, or can't connect back to this machine",
					name(agent), this.silence.toSeconds());
		}
	}

	private String lastSample(InetSocketAddress agent) {
		Long last = this.heard.get(name(agent));
		return name(agent) + ((last != null)
				? " " + TimeUnit.NANOSECONDS.toSeconds(Math.max(0, System.nanoTime() - last)) + " s ago" : " none");
	}

	private static BenchFailure failure(String message, Object... arguments) {
		return new BenchFailure(message.formatted(arguments));
	}

	private void look() throws IOException {
		// An agent may refuse after the start was told
		if (this.position == 0 && Files.exists(this.output)) {
			begin();
		}
		if (this.started > 0 && Files.exists(this.samples)) {
			readSamples();
		}
	}

	private void begin() throws IOException {
		String text;
		// No channel, which an interrupt would close
		try (InputStream in = new FileInputStream(this.output.toFile())) {
			text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
		}
		Matcher refused = NOT_STARTED.matcher(text);
		if (refused.find()) {
			throw failure(
					"an agent did not begin: it has another key, another version of JMeter, or another run; see %s:%n%s",
					this.output, refused.group());
		}
		Matcher start = START.matcher(text);
		if (this.started == 0 && start.find()) {
			this.started = Long.parseLong(start.group(1));
			long first = System.nanoTime() + BEGIN.toNanos();
			this.agents.forEach((agent) -> this.heard.put(name(agent), first));
		}
	}

	private void readSamples() throws IOException {
		byte[] bytes;
		try (RandomAccessFile file = new RandomAccessFile(this.samples.toFile(), "r")) {
			bytes = new byte[(int) Math.min(Integer.MAX_VALUE / 2, file.length() - this.position)];
			file.seek(this.position);
			file.readFully(bytes);
		}
		String text = new String(bytes, StandardCharsets.ISO_8859_1);
		int end = text.lastIndexOf('\n') + 1;
		this.position += end;
		long arrived = System.currentTimeMillis();
		text.substring(0, end).lines().map(Sample::parse).forEach((sample) -> {
			if (sample != null) {
				this.heard.put(sample.agent(), System.nanoTime());
				this.clocks.put(sample.agent(), clock(sample.agent()).with(sample, this.started, arrived));
			}
		});
	}

	/**
	 * When the agents were told to send, in milliseconds of this machine's clock.
	 * @return 0 if they were not
	 */
	long started() {
		return this.started;
	}

	AgentClock clock(String agent) {
		return this.clocks.getOrDefault(agent, AgentClock.UNKNOWN);
	}

	/**
	 * The CPU time that JMeter took on this machine.
	 */
	Duration cpuTime() {
		return this.cpuTime;
	}

}
