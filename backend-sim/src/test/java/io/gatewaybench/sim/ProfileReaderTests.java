package io.gatewaybench.sim;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import io.netty.handler.codec.http.HttpResponseStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class ProfileReaderTests {

	@Test
	void anEmptyProfileIsTheDefault() throws ProfileException {
		EndpointSettings heavy = read("# nothing\n").settings("any", Endpoint.HEAVY);
		assertThat(heavy.payload()).isEqualTo(PayloadMode.PREPARED);
		assertThat(heavy.seed()).isEqualTo(Profile.DEFAULT_SEED);
		assertThat(heavy.latency()).isInstanceOf(LatencyDistribution.Quantiles.class);
	}

	@Test
	void everyDistributionIsRead() throws ProfileException {
		assertThat(latency("{distribution: fixed, value: 5}")).isEqualTo(new LatencyDistribution.Fixed(5));
		assertThat(latency("{distribution: uniform, min: 5, max: 6.5}"))
			.isEqualTo(new LatencyDistribution.Uniform(5, 6.5));
		assertThat(latency("{distribution: normal, mean: 20, stddev: 2}"))
			.isEqualTo(new LatencyDistribution.Normal(20, 2, 0));
		assertThat(latency("{distribution: normal, mean: 20, stddev: 2, min: 15}"))
			.isEqualTo(new LatencyDistribution.Normal(20, 2, 15));
		assertThat(latency("{distribution: log-normal, median: 40, sigma: 0.5, max: 300}"))
			.isEqualTo(new LatencyDistribution.LogNormal(40, 0.5, 300));
		assertThat(latency("{distribution: log-normal, mean: 70, stddev: 35}"))
			.isEqualTo(LatencyDistribution.LogNormal.ofMoments(70, 35, Profile.MAX_MILLIS));
		assertThat(latency("{distribution: quantiles, points: [[0, 10], [1, 20]]}"))
			.isInstanceOfSatisfying(LatencyDistribution.Quantiles.class, (quantiles) -> {
				assertThat(quantiles.probabilities()).containsExactly(0, 1);
				assertThat(quantiles.values()).containsExactly(10, 20);
			});
	}

	@Test
	void faultsAreRead() throws ProfileException {
		assertThat(read("endpoints: {data: {fault: {every: 50, answer: never}}}").settings("a", Endpoint.DATA).fault())
			.isEqualTo(new Fault(50, Fault.Breach.SILENCE));
		assertThat(read("endpoints: {data: {fault: {every: 10, answer: 503}}}").settings("a", Endpoint.DATA).fault())
			.isEqualTo(new Fault(10, new Fault.Error(HttpResponseStatus.SERVICE_UNAVAILABLE)));
		assertThat(read("seed: 2").settings("a", Endpoint.DATA).fault()).isNull();
	}

	@Test
	void theMoreSpecificSettingWins() throws ProfileException {
		Profile profile = read("""
				seed: 1
				payload: generated
				endpoints:
				  data: {seed: 2}
				instances:
				  service-a-2:
				    data: {payload: prepared}
				    heavy: {latency: {distribution: fixed, value: 500}}
				""");
		assertThat(profile.settings("service-a-1", Endpoint.HEAVY).seed()).isEqualTo(1);
		assertThat(profile.settings("service-a-1", Endpoint.DATA).seed()).isEqualTo(2);
		assertThat(profile.settings("service-a-1", Endpoint.DATA).payload()).isEqualTo(PayloadMode.GENERATED);
		assertThat(profile.settings("service-a-2", Endpoint.DATA).payload()).isEqualTo(PayloadMode.PREPARED);
		assertThat(profile.settings("service-a-2", Endpoint.DATA).seed()).isEqualTo(2);
		assertThat(profile.settings("service-a-2", Endpoint.HEAVY).latency())
			.isEqualTo(new LatencyDistribution.Fixed(500));
		assertThat(profile.settings("service-a-2", Endpoint.HELLO).payload()).isEqualTo(PayloadMode.GENERATED);
	}

	@Test
	void anAliasStandsForWhatItRefersTo() throws ProfileException {
		Profile profile = read("""
				endpoints:
				  hello: &slow {latency: {value: 500, distribution: fixed}}
				  data: *slow
				""");
		assertThat(profile.settings("a", Endpoint.DATA).latency()).isEqualTo(new LatencyDistribution.Fixed(500));
	}

	@Test
	void theLineIsThatOfTheKey() {
		assertThatExceptionOfType(ProfileException.class).isThrownBy(() -> read("""
				endpoints:
				  heavy:
				    latency:
				      distribution: quantiles
				      points:
				        - [0, 1]
				        - [0.5, 60001]
				        - [1, 2]
				""")).withMessageStartingWith("p.yml:7: endpoints.heavy.latency.points[1][1]: '60001', expected ");
	}

	@Test
	void zeroDelayHoldsForEveryInstance() throws ProfileException {
		Profile profile = read("instances: {a: {heavy: {latency: {distribution: fixed, value: 500}}}}").withoutDelay();
		for (Endpoint endpoint : Endpoint.values()) {
			assertThat(profile.settings("a", endpoint).latency()).isEqualTo(new LatencyDistribution.Fixed(0));
			assertThat(profile.settings("b", endpoint).latency()).isEqualTo(new LatencyDistribution.Fixed(0));
		}
	}

	@Test
	void theExampleInTheReadmeIsTheDefaultWhereItSaysSo() throws IOException, ProfileException {
		String readme = Files.readString(Path.of("README.md"));
		String yaml = readme.substring(readme.indexOf("```yaml\n") + 8);
		Profile profile = read(yaml.substring(0, yaml.indexOf("```")));
		LatencyDistribution.Quantiles heavy = (LatencyDistribution.Quantiles) profile.settings("other", Endpoint.HEAVY)
			.latency();
		LatencyDistribution.Quantiles published = (LatencyDistribution.Quantiles) Profile.defaults()
			.settings("other", Endpoint.HEAVY)
			.latency();
		assertThat(heavy.probabilities()).containsExactly(published.probabilities(), within(0.0));
		assertThat(heavy.values()).containsExactly(published.values(), within(0.0));
	}

	@ParameterizedTest
	@MethodSource("mistakes")
	void aMistakeIsNamedWithItsPlace(String yaml, String message) {
		assertThatExceptionOfType(ProfileException.class).isThrownBy(() -> read(yaml)).withMessage(message);
	}

	static Stream<Arguments> mistakes() {
		String ms = "a number of milliseconds from 0 to 60000";
		String number = "a number such as 20 or 0.5, of milliseconds in a latency";
		return Stream.of(
				arguments("seed: 1\nspeed: 2",
						"p.yml:2: speed: unknown key, expected one of [seed, payload, endpoints, instances]"),
				arguments("endpoints:\n  slow: {}",
						"p.yml:2: endpoints.slow: unknown key, expected one of [hello, data, process, heavy, user, registrations, upload, events, lines, socket]"),
				arguments("endpoints:\n  data:\n    delay: 5",
						"p.yml:3: endpoints.data.delay: unknown key, expected one of [latency, payload, seed, fault]"),
				arguments("endpoints:\n  data:\n    fault: {every: 0.5, answer: never}",
						"p.yml:3: endpoints.data.fault.every: '0.5', expected a whole number of requests from 1 to 1000000"),
				arguments("endpoints:\n  data:\n    fault: {every: 5, answer: 200}",
						"p.yml:3: endpoints.data.fault.answer: '200', expected never, or a status from 400 to 599"),
				arguments("endpoints:\n  data:\n    fault: {every: 5}",
						"p.yml:3: endpoints.data.fault.answer: missing beside [every], expected never, or a status from 400 to 599"),
				arguments("endpoints:\n  data:\n    fault: {every: 5, answer: [503]}",
						"p.yml:3: endpoints.data.fault.answer: a list, expected a text"),
				arguments("instances:\n  a-1:\n    latency: 5",
						"p.yml:3: instances.a-1.latency: unknown key, expected one of [hello, data, process, heavy, user, registrations, upload, events, lines, socket]"),
				arguments("- seed", "p.yml:1: the document: a list, expected a mapping"),
				arguments("seed: 1\nendpoints:", "p.yml:2: endpoints: '', expected a value, and a finite one"),
				arguments("endpoints: {data: {latency: null}}",
						"p.yml:1: endpoints.data.latency: 'null', expected a value, and a finite one"),
				arguments("payload: 0", "p.yml:1: payload: '0', expected one of prepared, generated"),
				arguments("payload: PREPARED", "p.yml:1: payload: 'PREPARED', expected one of prepared, generated"),
				arguments("seed: 1.0", "p.yml:1: seed: '1.0', expected an integer of 64 bits"),
				arguments("seed: '1'", "p.yml:1: seed: '1', expected an integer of 64 bits"),
				arguments("endpoints: 5", "p.yml:1: endpoints: '5', expected a mapping"),
				arguments("seed: 1\n? [a]\n: 2",
						"p.yml:2: not valid YAML, Expected a property name (Scalar value in YAML), got this instead: +SEQ []"),
				arguments("seed: 1\nseed: 2", "p.yml:1: seed: is there again in line 2, remove one"),
				arguments("seed: one", "p.yml:1: seed: 'one', expected an integer of 64 bits"),
				arguments("seed: 99999999999999999999",
						"p.yml:1: seed: '99999999999999999999', expected an integer of 64 bits"),
				arguments("payload: cached", "p.yml:1: payload: 'cached', expected one of prepared, generated"),
				arguments("payload: [prepared]", "p.yml:1: payload: a list, expected one of prepared, generated"),
				latencyMistake("20", ": '20', expected a mapping"),
				latencyMistake("{value: 1}",
						".distribution: missing beside [value], expected one of fixed, uniform, normal, log-normal, quantiles"),
				latencyMistake("{distribution: pareto}",
						".distribution: 'pareto', expected one of fixed, uniform, normal, log-normal, quantiles"),
				latencyMistake("{distribution: fixed}", ".value: missing beside [distribution], expected " + number),
				latencyMistake("{distribution: fixed, value: -5}", ".value: '-5', expected " + ms),
				latencyMistake("{distribution: fixed, value: 60001}", ".value: '60001', expected " + ms),
				latencyMistake("{distribution: fixed, value: .nan}",
						".value: '.nan', expected a value, and a finite one"),
				latencyMistake("{distribution: fixed, value: 5ms}", ".value: '5ms', expected " + number),
				latencyMistake("{distribution: fixed, value: .5}", ".value: '.5', expected " + number),
				latencyMistake("{distribution: fixed, value: 1e400}", ".value: 'Infinity', expected " + ms),
				latencyMistake("{distribution: fixed, value: true}", ".value: 'true', expected " + number),
				latencyMistake("{distribution: fixed, value: '5'}", ".value: '5', expected " + number),
				latencyMistake("{distribution: fixed, value: 5, min: 1}", ".min: unknown key, expected one of [value]"),
				latencyMistake("{distribution: uniform, min: 5}",
						".max: missing beside [distribution, min], expected " + number),
				latencyMistake("{distribution: uniform, min: 5, max: 4}", ".max: '4', expected at least min (5.0)"),
				latencyMistake("{distribution: normal, mean: 5}",
						".stddev: missing beside [distribution, mean], expected " + number),
				latencyMistake("{distribution: normal, mean: 5, stddev: 1, min: 6}",
						".min: '6', expected at most mean (5.0)"),
				latencyMistake("{distribution: log-normal, sigma: 1}",
						".distribution: 'log-normal', expected one with median and sigma, or with mean and stddev"),
				latencyMistake("{distribution: log-normal, median: 0, sigma: 1}",
						".median: '0', expected more than 0 milliseconds"),
				latencyMistake("{distribution: log-normal, median: 5, sigma: -1}",
						".sigma: '-1', expected a number from 0 to 10, the standard deviation of the logarithm"),
				latencyMistake("{distribution: log-normal, median: 5, sigma: 1, max: 4}",
						".max: '4', expected at least median (5.0)"),
				latencyMistake("{distribution: log-normal, mean: 5, sigma: 1}",
						".distribution: 'log-normal', expected one with median and sigma, or with mean and stddev"),
				latencyMistake("{distribution: quantiles}",
						".points: missing beside [distribution], expected two points [probability, milliseconds] at least"),
				latencyMistake("{distribution: quantiles, points: [[0, 1]]}",
						".points: a list, expected two points [probability, milliseconds] at least"),
				latencyMistake("{distribution: quantiles, points: [[0, 1], 5]}",
						".points[1]: '5', expected numbers in a point [probability, milliseconds]"),
				latencyMistake("{distribution: quantiles, points: [[0, 1], [1]]}",
						".points[1]: a list, expected a point [probability, milliseconds]"),
				latencyMistake("{distribution: quantiles, points: [[0, 1], [1, x]]}",
						".points[1][1]: 'x', expected numbers in a point [probability, milliseconds]"),
				latencyMistake("{distribution: quantiles, points: [[0, 1], [1, 60001]]}",
						".points[1][1]: '60001', expected " + ms),
				latencyMistake("{distribution: quantiles, points: [[0.1, 1], [1, 2]]}",
						".points[0][0]: '0.1', expected 0, the probability of the first point"),
				latencyMistake("{distribution: quantiles, points: [[0, 1], [0.9, 2]]}",
						".points[1][0]: '0.9', expected 1, the probability of the last point"),
				latencyMistake("{distribution: quantiles, points: [[0, 1], [0.5, 2], [0.5, 3], [1, 4]]}",
						".points[2][0]: '0.5', expected more than the probability of the point before"),
				latencyMistake("{distribution: quantiles, points: [[0, 1], [50, 2]]}",
						".points[1][0]: '50', expected 1, the probability of the last point"),
				latencyMistake("{distribution: quantiles, points: [[0, 2], [1, 1]]}",
						".points[1][1]: '1', expected at least the milliseconds of the point before"));
	}

	private static Arguments latencyMistake(String latency, String message) {
		return arguments("endpoints:\n  heavy:\n    latency: " + latency, "p.yml:3: endpoints.heavy.latency" + message);
	}

	@Test
	void brokenYamlIsNamedWithItsLine() {
		assertThatExceptionOfType(ProfileException.class).isThrownBy(() -> read("seed: 1\nendpoints: {data: {"))
			.withMessageStartingWith("p.yml:2: not valid YAML, ");
		assertThatExceptionOfType(ProfileException.class).isThrownBy(() -> read("seed: 1\n\tpayload: prepared"))
			.withMessageStartingWith("p.yml:2: not valid YAML, ");
		assertThatExceptionOfType(ProfileException.class).isThrownBy(() -> read("seed: 1\n---\nseed: 2"))
			.withMessage("p.yml:1: the document: is there again in line 3, remove one");
	}

	@Test
	void aFileThatCannotBeReadIsNamed(@TempDir Path directory) throws IOException {
		Path missing = directory.resolve("missing.yml");
		assertThatExceptionOfType(ProfileException.class).isThrownBy(() -> ProfileReader.read(missing))
			.withMessageStartingWith(missing + ": cannot be read (");
		Path latin1 = Files.writeString(directory.resolve("latin1.yml"), "# \u00fc", StandardCharsets.ISO_8859_1);
		assertThatExceptionOfType(ProfileException.class).isThrownBy(() -> ProfileReader.read(latin1))
			.withMessage(latin1 + ": is not UTF-8 text");
	}

	private static LatencyDistribution latency(String latency) throws ProfileException {
		return read("endpoints: {heavy: {latency: " + latency + "}}").settings("any", Endpoint.HEAVY).latency();
	}

	private static Profile read(String yaml) throws ProfileException {
		return ProfileReader.read("p.yml", yaml);
	}

}
