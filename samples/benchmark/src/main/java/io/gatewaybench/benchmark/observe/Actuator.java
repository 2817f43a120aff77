package io.gatewaybench.benchmark.observe;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an application tells of itself over HTTP, by the actuator of Spring Boot.
 *
 * @param client what asks
 * @param address where the actuator is, such as {@code http://10.0.0.3:8080/actuator}
 */
public record Actuator(HttpClient client, URI address) {

	/**
	 * The meter without which nothing is known of a process.
	 */
	public static final String CPU_TIME = "process.cpu.time";

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private static final int OK = 200;

	private static final int UNKNOWN = 404;

	private static final double NANOS_PER_TICK = 1e9 / Stat.TICKS_PER_SECOND;

	private static final double MILLIS_PER_TICK = 1e3 / Stat.TICKS_PER_SECOND;

	/**
	 * Reads a figure of a meter.
	 * @param meter its name, with tags as a query, such as
	 * {@code jvm.memory.used?tag=area:heap}
	 * @param statistic {@code COUNT}, {@code TOTAL_TIME} or {@code VALUE}
	 * @return the figure, empty if there is no such meter, as before it has counted
	 * something
	 * @throws IOException if there is no answer in time, or it is not that of a meter
	 * @throws InterruptedException if the thread was interrupted
	 */
	public OptionalDouble figure(String meter, String statistic) throws IOException, InterruptedException {
		Optional<JsonNode> answer = read("metrics/" + meter);
		if (answer.isEmpty()) {
			return OptionalDouble.empty();
		}
		for (JsonNode measurement : answer.get().path("measurements")) {
			if (measurement.path("statistic").asString("").equals(statistic) && measurement.path("value").isNumber()) {
				return OptionalDouble.of(measurement.path("value").doubleValue());
			}
		}
		throw new IOException("its meter " + meter + " has no " + statistic);
	}

	/**
	 * Looks at the process. Threads, memory and sockets are not known. User and system
	 * time are not told apart.
	 * @return CPU time, {@code null} if it does not tell
	 */
	public @Nullable ProcessSnapshot look() {
		return ask(() -> {
			OptionalDouble cpu = figure(CPU_TIME, "COUNT");
			if (cpu.isEmpty()) {
				return null;
			}
			long all = Math.round(cpu.getAsDouble() / NANOS_PER_TICK);
			// How long the compilers ran, which is a bit more than their CPU time
			long jit = Math.min(all, Math.round(figure("jvm.compilation.time", "COUNT").orElse(0) / MILLIS_PER_TICK));
			return new ProcessSnapshot(all, Map.of("compilers", new ThreadSnapshot(ThreadGroup.JIT, jit, 0, 0, 0, 0, 0),
					"others", new ThreadSnapshot(ThreadGroup.OTHER, all - jit, 0, 0, 0, 0, 0)), 0, 0);
		});
	}

	/**
	 * Looks at the JVM. What it allocated is known as of the last garbage collection.
	 * @return the snapshot, {@code null} if it does not tell
	 */
	public @Nullable JvmUse lookAtJvm() {
		return ask(() -> {
			OptionalDouble allocated = figure("jvm.gc.memory.allocated", "COUNT");
			return allocated.isEmpty() ? null
					: new JvmUse((long) allocated.getAsDouble(), value("jvm.memory.used?tag=area:heap"),
							value("jvm.memory.committed?tag=area:heap"),
							(long) figure("jvm.gc.pause", "COUNT").orElse(0),
							Math.round(figure("jvm.gc.pause", "TOTAL_TIME").orElse(0) * 1e3),
							(int) value("jvm.threads.live"), (int) value("jvm.threads.peak"));
		});
	}

	private long value(String meter) throws IOException, InterruptedException {
		return (long) figure(meter, "VALUE").orElse(0);
	}

	/**
	 * Versions and settings, as far as it tells: all of {@code info}, and the flavour and
	 * the client's settings of {@code gatewaybench}.
	 * @return JSON, {@code null} if it tells nothing
	 * @throws InterruptedException if the thread was interrupted
	 */
	public @Nullable String settings() throws InterruptedException {
		ObjectNode settings = JsonMapper.shared().createObjectNode();
		try {
			read("info").filter((info) -> !info.isEmpty()).ifPresent((info) -> settings.set("info", info));
			read("gatewaybench").ifPresent((all) -> List.of("flavour", "httpClient")
				.forEach((name) -> all.optional(name).ifPresent((node) -> settings.set("gatewaybench." + name, node))));
		}
		catch (IOException ex) {
			// What it told until then is known
		}
		return settings.isEmpty() ? null : settings.toString();
	}

	private Optional<JsonNode> read(String path) throws IOException, InterruptedException {
		URI uri = URI.create(this.address + "/" + path);
		HttpResponse<String> response = this.client.send(HttpRequest.newBuilder(uri).timeout(PATIENCE).build(),
				HttpResponse.BodyHandlers.ofString());
		if (response.statusCode() == UNKNOWN) {
			return Optional.empty();
		}
		if (response.statusCode() != OK) {
			throw new IOException(uri + " answers " + response.statusCode());
		}
		try {
			return Optional.of(JsonMapper.shared().readTree(response.body()));
		}
		catch (JacksonException ex) {
			throw new IOException(uri + " answers no JSON: " + ex.getOriginalMessage(), ex);
		}
	}

	private static <T> @Nullable T ask(Question<T> question) {
		try {
			return question.ask();
		}
		catch (IOException ex) {
			// A figure that is missing never ends a run
			return null;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return null;
		}
	}

	private interface Question<T> {

		@Nullable T ask() throws IOException, InterruptedException;

	}

}
