package io.gatewaybench.benchmark.export;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.gatewaybench.benchmark.plan.RequestType;
import org.jspecify.annotations.Nullable;

/**
 * A script for Locust. Its users take turns from one schedule in the open model, so that
 * a request that is late is sent as soon as a user is free, as here.
 */
final class LocustExporter implements Exporter {

	private static final String TEMPLATE = """
			# %1$s of gateway-bench. Run: %2$s
			import random
			import time
			from itertools import accumulate
			from math import sqrt

			import gevent
			from gevent.event import Event
			from locust import FastHttpUser, LoadTestShape, events, task
			from locust.exception import StopUser

			USERS = %3$d
			WARM_UP = %4$s  # seconds
			DURATION = %5$s  # seconds
			TIMEOUT = %6$s  # seconds
			%7$s
			# name, weight, method, paths, headers, body, status, least size of the body
			REQUESTS = [
			%8$s]
			WEIGHTS = list(accumulate(each[1] for each in REQUESTS))

			spawned = Event()
			begin = 0.0


			def now():
			    return time.monotonic() - begin


			@events.spawning_complete.add_listener
			def on_spawning_complete(**_):
			    global begin
			    if not spawned.is_set():
			        begin = time.monotonic()
			        spawned.set()


			@events.test_start.add_listener
			def on_test_start(environment, **_):
			    def forget_warm_up():
			        spawned.wait()
			        gevent.sleep(WARM_UP)
			        environment.stats.reset_all()

			    if WARM_UP > 0:
			        gevent.spawn(forget_warm_up)


			class Plan(LoadTestShape):
			    \"""All users at once, until all of them have stopped.\"""

			    def tick(self):
			        over = spawned.is_set() and self.runner.user_count == 0
			        late = spawned.is_set() and now() > WARM_UP + DURATION + TIMEOUT
			        return None if over or late else (USERS, USERS)


			class User(FastHttpUser):
			    host = %9$s
			    connection_timeout = 5
			    network_timeout = TIMEOUT

			    def send(self):
			        name, _, method, paths, headers, body, status, size = random.choices(REQUESTS, cum_weights=WEIGHTS)[0]
			        with self.client.request(method, random.choice(paths), data=body, headers=headers, name=name,
			                                 allow_redirects=False, catch_response=True) as response:
			            if response.status_code != status:
			                response.failure(f"status {response.status_code} instead of {status}")
			            elif len(response.content or b"") < size:
			                response.failure(f"{len(response.content or b'')} bytes, expected at least {size}")
			            else:
			                response.success()

			%10$s""";

	private static final String CLOSED = """
			    @task
			    def turn(self):
			        spawned.wait()
			        if now() >= WARM_UP + DURATION:
			            raise StopUser()
			        self.send()
			        gevent.sleep(THINK_TIME)
			""";

	private static final String ITERATIONS = """
			    @task
			    def turns(self):
			        spawned.wait()
			        for _ in range(ITERATIONS):
			            if now() >= DURATION:
			                break
			            self.send()
			            gevent.sleep(THINK_TIME)
			        raise StopUser()
			""";

	private static final String OPEN = """
			    schedule = None

			    @task
			    def turn(self):
			        spawned.wait()
			        if User.schedule is None:
			            User.schedule = starts()
			        start = next(User.schedule, None)
			        if start is None:
			            raise StopUser()
			        gevent.sleep(max(0, start - now()))
			        self.send()


			def starts():
			    yield from (start for start in offsets(WARM_UP))
			    yield from (WARM_UP + start for start in offsets(DURATION))


			def offsets(length):
			%s""";

	private static final String CONSTANT = """
			    index = 0
			    while index / RATE < length:
			        yield index / RATE
			        index += 1
			""";

	private static final String POISSON = """
			    start = random.expovariate(RATE)
			    while start < length:
			        yield start
			        start += random.expovariate(RATE)
			""";

	// As Step.offset does
	private static final String STEPPED = """
			    step_start = 0.0
			    while True:
			        for duration, first, last in STEPS:
			            slope = (last - first) / duration
			            index = 0
			            while first > 0 or slope > 0:
			                square = first * first + 2 * slope * index
			                offset = 2 * index / (first + sqrt(square)) if index and square >= 0 else 0.0
			                if square < 0 or offset >= duration:
			                    break
			                if step_start + offset >= length:
			                    return
			                yield step_start + offset
			                index += 1
			            step_start += duration
			            if step_start >= length:
			                return
			""";

	@Override
	public @Nullable String objection(ExportRequest request) {
		return null;
	}

	@Override
	public Export export(ExportRequest request) {
		String file = request.id() + ".py";
		String command = "locust -f %s --headless --host %s".formatted(file, request.target());
		boolean warmsUp = request.iterations() == 0;
		String requests = request.mix().stream().map(LocustExporter::request).collect(Collectors.joining());
		String script = TEMPLATE.formatted(request.id(), command, request.connections(),
				warmsUp ? seconds(request.warmUp().toMillis()) : "0", seconds(request.length().toMillis()),
				seconds(request.timeouts().response().toMillis()), settings(request), requests,
				text(request.target().toString()), turns(request));
		List<String> notes = new ArrayList<>();
		notes.add(COMPRESSION);
		notes.add("run it in one process: each of several would send the whole load");
		if (!warmsUp && !request.warmUp().isZero()) {
			notes.add("it can't warm up before iterations; run the command twice, and leave out the first result");
		}
		if (request.isOpen()) {
			notes.add("its latency begins when a request is sent; here the time that a request waits for a free"
					+ " connection counts, too");
		}
		else if (!request.thinkTime().isZero()) {
			notes.add("its users begin at the same moment; here they begin spread over a think time");
		}
		return new Export(Map.of(file, script), command, notes);
	}

	private static String settings(ExportRequest request) {
		if (!request.isOpen()) {
			return "THINK_TIME = " + seconds(request.thinkTime().toMillis()) + "  # seconds\n"
					+ ((request.iterations() > 0) ? "ITERATIONS = " + request.iterations() + "  # of each user\n" : "");
		}
		if (request.load().steps().isEmpty()) {
			return "RATE = " + request.load().rate() + "  # requests per second\n";
		}
		double rate = request.load().rate();
		return request.load()
			.steps()
			.stream()
			.map((step) -> "(%s, %s, %s)".formatted(seconds(step.duration().toMillis()), rate * step.factor(),
					rate * ((step.to() != null) ? step.to() : step.factor())))
			.collect(Collectors.joining(", ",
					"# seconds, requests per second at the begin and at the end; again and again\nSTEPS = [", "]\n"));
	}

	private static String turns(ExportRequest request) {
		if (!request.isOpen()) {
			return (request.iterations() > 0) ? ITERATIONS : CLOSED;
		}
		return OPEN.formatted(switch (request.load().arrivals()) {
			case CONSTANT -> CONSTANT;
			case POISSON -> POISSON;
			case STEPPED -> STEPPED;
		});
	}

	private static String request(RequestType type) {
		return "    (%s, %s, %s, %s, %s, %s, %d, %d),\n".formatted(text(type.name()), type.weight(),
				text(type.method()),
				type.paths().stream().map(LocustExporter::text).collect(Collectors.joining(", ", "[", "]")),
				type.headers()
					.entrySet()
					.stream()
					.map((header) -> text(header.getKey()) + ": " + text(header.getValue()))
					.collect(Collectors.joining(", ", "{", "}")),
				(type.body() != null) ? "b" + bytes(type.body()) : "None", type.expect().status(),
				type.expect().minBytes());
	}

	private static String seconds(long millis) {
		return Double.toString(millis / 1e3);
	}

	// Printable ASCII, as are methods, paths and headers
	private static String text(String value) {
		return Json.of(value);
	}

	/**
	 * The bytes of a text in UTF-8, as Python writes them.
	 */
	private static String bytes(String value) {
		StringBuilder literal = new StringBuilder("\"");
		for (byte each : value.getBytes(StandardCharsets.UTF_8)) {
			boolean plain = each >= ' ' && each < 0x7f && each != '"' && each != '\\';
			literal.append(plain ? String.valueOf((char) each) : "\\x%02x".formatted(each & 0xff));
		}
		return literal.append('"').toString();
	}

}
