package io.gatewaybench.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.gatewaybench.Flavour;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.fail;

/**
 * What a user reads on the console when the configuration cannot work: the property, its
 * value and the fix, and the same text on both flavours.
 */
@ParameterizedClass
@EnumSource(Flavour.class)
@ExtendWith(OutputCaptureExtension.class)
class BadConfigurationTests {

	private static final Pattern ANALYSIS = Pattern.compile("APPLICATION FAILED TO START\\R\\*+\\R+Description:\\R+"
			+ "(?<description>.*?)\\R+Action:\\R+(?<action>.*?)\\R{2}", Pattern.DOTALL);

	private static final Pattern ORIGIN = Pattern.compile(" \\(originating from .*?\\)(?=\\.)");

	private static final String INSTANCE = "gateway-bench.upstreams.service.instances[0]";

	private static final String ID = "gateway-bench.routes[0].id";

	private static final String PATH = "gateway-bench.routes[0].path";

	private static final String UPSTREAM = "gateway-bench.routes[0].upstream";

	@Parameter
	Flavour flavour;

	private CapturedOutput output;

	@BeforeEach
	void capture(CapturedOutput output) {
		this.output = output;
	}

	@Test
	void aRouteToAnUpstreamThatDoesNotExistIsRefused() {
		assertThat(failureOfGateway(INSTANCE + "=http://127.0.0.1:1", ID + "=a", PATH + "=/a", UPSTREAM + "=nope"))
			.isEqualTo(invalid("nope", UPSTREAM, "There is no upstream of this name. "
					+ "Add it to 'gateway-bench.upstreams', or use one of [service]."));
	}

	@Test
	void aRouteWithoutAnyUpstreamToChooseIsRefused() {
		assertThat(failure(ID + "=a", PATH + "=/a", UPSTREAM + "=nope")).isEqualTo(invalid("nope", UPSTREAM,
				"There is no upstream of this name. Add it to 'gateway-bench.upstreams', which has none yet."));
	}

	@Test
	void aNativeRouteToAnUpstreamThatDoesNotExistIsRefused() {
		assertThat(failureOfNativeRoute("rr://nope"))
			.isEqualTo(invalid("rr://nope", nativeRoute() + "uri", "There is no upstream of this name. "
					+ "Add it to 'gateway-bench.upstreams', or use one of [service]."));
	}

	@Test
	void anUpstreamWithoutInstancesIsRefused() {
		assertThat(failure("gateway-bench.upstreams.service.instances="))
			.isEqualTo(invalid("", "gateway-bench.upstreams.service.instances",
					"An upstream needs at least one instance, such as http://127.0.0.1:8081, or a 'service-id'."));
	}

	@Test
	void anUpstreamWithInstancesAndAServiceIsRefused() {
		assertThat(failure(INSTANCE + "=http://127.0.0.1:1", "gateway-bench.upstreams.service.service-id=orders"))
			.isEqualTo(invalid("orders", "gateway-bench.upstreams.service.service-id",
					"The instances come from the service, so leave out 'instances' and 'resolve'."));
	}

	@Test
	void aServiceWithoutAnythingThatKnowsItIsRefused() {
		assertThat(failure("gateway-bench.upstreams.service.service-id=orders"))
			.isEqualTo(invalid("orders", "gateway-bench.upstreams.service.service-id",
					"There is no DiscoveryClient that could tell its instances. Add the starter of a registry."));
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "-1s", "25h", "200000000d" })
	void anIntervalOfLookupsOutOfRangeIsRefused(String interval) {
		assertThat(failure("gateway-bench.load-balancing.lookup-interval=" + interval))
			.contains("'gateway-bench.load-balancing.lookup-interval'")
			.endsWith("The time is from 1ms to 24h.");
	}

	@Test
	void addressesThatNoCertificateIsForAreRefused() {
		assertThat(failure(INSTANCE + "=https://orders", "gateway-bench.upstreams.service.resolve=all"))
			.isEqualTo(invalid("all", "gateway-bench.upstreams.service.resolve",
					"The certificate of 'https://orders' is for its name, not for its addresses. Use 'host'."));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			hash-by             | header         | Write header:NAME, cookie:NAME, query:NAME or client-address.
			hash-by             | header:X User  | Write header:NAME, cookie:NAME, query:NAME or client-address.
			hash-by             | body:id        | Write header:NAME, cookie:NAME, query:NAME or client-address.
			hash-balance-factor | 1.0            | The factor is more than 1 and at most 100, or 0 for no limit.
			sticky-cookie       | a;b            | The name of a cookie is 1 to 64 letters, digits, '_', '-' and '.'.
			""")
	void anAffinityThatCannotWorkIsRefused(String key, String value, String problem) {
		String property = "gateway-bench.upstreams.service." + key;
		assertThat(failure(INSTANCE + "=http://127.0.0.1:1", property + "=" + value))
			.isEqualTo(invalid(value, property, problem));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			max-in-flight  | 0   | The number of requests is 1 or more.
			max-queue-time | -1s | The time is at most 24h, or 0 if no request waits.
			max-queue-time | 25h | The time is at most 24h, or 0 if no request waits.
			max-queue-time | 1s  | Requests wait only where there is a limit. Set 'max-in-flight', too.
			""")
	void aLimitOfRequestsThatCannotWorkIsRefused(String key, String value, String problem) {
		String property = "gateway-bench.upstreams.service." + key;
		assertThat(failure(INSTANCE + "=http://127.0.0.1:1", property + "=" + value))
			.isEqualTo(invalid(value, property, problem));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			by                  | ip       | Write header:NAME, cookie:NAME, query:NAME or client-address.
			requests-per-second | 0        | The rate is a number from 0.001 to 1000000.
			requests-per-second | NaN      | The rate is a number from 0.001 to 1000000.
			requests-per-second | 1000001  | The rate is a number from 0.001 to 1000000.
			burst               | 0        | The number of requests is from 1 to 1000000.
			burst               | 1000001  | The number of requests is from 1 to 1000000.
			""")
	void aRateOfRequestsThatCannotWorkIsRefused(String key, String value, String problem) {
		String limit = "gateway-bench.upstreams.service.rate-limit.";
		String[] properties = { INSTANCE + "=http://127.0.0.1:1", limit + key + "=" + value,
				limit + "requests-per-second=5" };
		assertThat(failure(properties[1].contains("second") ? Arrays.copyOf(properties, 2) : properties))
			.startsWith("Invalid value '%s".formatted(value))
			.contains("for configuration property '%s'".formatted(limit + key))
			.endsWith(problem);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					upstream=other,share=1.1   | share    | 1.1     | The share of the requests is a number from 0 to 1.
					upstream=other,share=NaN   | share    | NaN     | The share of the requests is a number from 0 to 1.
					upstream=other             | share    | null    | The share of the requests is a number from 0 to 1.
					upstream=nope,share=1      | upstream | nope    | The mirror is another upstream in 'gateway-bench.upstreams'.
					upstream=service,share=1   | upstream | service | The mirror is another upstream in 'gateway-bench.upstreams'.
					share=1                    | upstream | null    | The mirror is another upstream in 'gateway-bench.upstreams'.
					""")
	void aMirrorThatCannotWorkIsRefused(String mirror, String key, String value, String problem) {
		String prefix = "gateway-bench.upstreams.service.mirror.";
		List<String> properties = new ArrayList<>(List.of(INSTANCE + "=http://127.0.0.1:1",
				"gateway-bench.upstreams.other.instances=http://127.0.0.1:1"));
		Stream.of(mirror.split(",")).map(prefix::concat).forEach(properties::add);
		assertThat(failure(properties.toArray(String[]::new))).isEqualTo(invalid(value, prefix + key, problem));
	}

	@Test
	void aBurstWithoutARateIsRefused() {
		String burst = "gateway-bench.upstreams.service.rate-limit.burst";
		assertThat(failure(INSTANCE + "=http://127.0.0.1:1", burst + "=5"))
			.isEqualTo(invalid("5", burst, "It has no effect without a rate. Set 'requests-per-second', too."));
	}

	@Test
	void twoUpstreamsWithOneCookieAreRefused() {
		String other = "gateway-bench.upstreams.other.";
		assertThat(failure(other + "instances[0]=http://127.0.0.1:1", other + "sticky-cookie=at",
				INSTANCE + "=http://127.0.0.1:1", "gateway-bench.upstreams.service.sticky-cookie=at"))
			.isEqualTo(invalid("at", other + "sticky-cookie",
					"Upstream 'service' has this cookie, too, so each would replace the other's. Use two names."));
	}

	@ParameterizedTest
	@ValueSource(strings = { "ser_vice", "service.1" })
	void anUpstreamWhoseNameIsNoHostIsRefused(String name) {
		assertThat(failure("gateway-bench.upstreams[%s].instances[0]=http://127.0.0.1:1".formatted(name)))
			.isEqualTo(invalid(name, "gateway-bench.upstreams." + name,
					"The name of an upstream is used in 'rr://name', so it must be a valid host name: letters, digits"
							+ " and hyphens, or several of those with dots between, the last one starting with a"
							+ " letter."));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			http://:8081     | It has no host, or its host or port is malformed
			localhost:8081   | It needs the scheme http or https
			http://host/api  | It has the path '/api', but the path comes from the request
			""")
	void anInstanceThatIsNotJustSchemeHostAndPortIsRefused(String url, String problem) {
		assertThat(failure(INSTANCE + "=" + url))
			.isEqualTo(invalid(url, INSTANCE, problem + "; write http://host:port."));
	}

	@Test
	void anInstanceWithAUserIsRefused() {
		assertThat(failure(INSTANCE + "=http://me@host")).isEqualTo(
				"Invalid value 'http://***@host' for configuration property '%s'. It has user info; write http://host:port."
					.formatted(INSTANCE));
	}

	@Test
	void theInstanceAtFaultIsNamed() {
		assertThat(failure("gateway-bench.upstreams.service.instances=http://127.0.0.1:1,http://host/api"))
			.startsWith("Invalid value 'http://host/api' for configuration property "
					+ "'gateway-bench.upstreams.service.instances[1]'.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "-1", "101" })
	void aWeightOutOfRangeIsRefused(String weight) {
		assertThat(failure(INSTANCE + ".url=http://127.0.0.1:1", INSTANCE + ".weight=" + weight))
			.isEqualTo(invalid(weight, INSTANCE + ".weight", "The weight of an instance is a number from 1 to 100."));
	}

	@ParameterizedTest
	@ValueSource(strings = { "gateway-bench.timeouts.connect", "gateway-bench.timeouts.response",
			"gateway-bench.timeouts.read", "gateway-bench.upstreams.service.timeouts.connect",
			"gateway-bench.upstreams.service.timeouts.response", "gateway-bench.upstreams.service.timeouts.read" })
	void aTimeoutOutOfRangeIsRefused(String property) {
		assertThat(failure(INSTANCE + "=http://127.0.0.1:1", property + "=-1s"))
			.isEqualTo(invalid("-1s", property, "A timeout is from 1ms to 24h, or 0 to wait for ever."));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			consecutive-failures | 0  | The number of failures is 1 or more; 'enabled' switches ejection off.
			base-ejection-time   | 0s | The time is at least 1ms.
			base-ejection-time   | 25h | The time is at most 24h.
			max-ejection-time    | 25h | The time is at most 24h.
			max-ejection-time    | 200000000d | The time is at most 24h.
			max-ejection-time    | 5ms | The longest time is at least 'base-ejection-time'.
			""")
	void anEjectionThatCannotWorkIsRefused(String key, String value, String problem) {
		String property = "gateway-bench.load-balancing.ejection." + key;
		assertThat(failure(INSTANCE + "=http://127.0.0.1:1", property + "=" + value))
			.isEqualTo(invalid(value, property, problem));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					load-balancing.health-check.interval       | 0s     | The time is from 1ms to 24h.
					load-balancing.health-check.interval       | 25h    | The time is from 1ms to 24h.
					load-balancing.health-check.timeout        | 25h    | The time is from 1ms to 24h.
					load-balancing.health-check.timeout        | 0s     | The time is from 1ms to 24h.
					load-balancing.health-check.path           | health | The path starts with a slash and is legal in a URL, such as /actuator/health.
					load-balancing.health-check.path           | /a b   | The path starts with a slash and is legal in a URL, such as /actuator/health.
					upstreams.service.health-check.path     | /a#b   | The path starts with a slash and is legal in a URL, such as /actuator/health.
					""")
	void aHealthCheckThatCannotWorkIsRefused(String key, String value, String problem) {
		String property = "gateway-bench." + key;
		assertThat(failure(INSTANCE + "=http://127.0.0.1:1", property + "=" + value))
			.isEqualTo(invalid(value, property, problem));
	}

	@Test
	void twoRoutesWithOneIdAreRefused() {
		assertThat(failure(INSTANCE + "=http://127.0.0.1:1", ID + "=a", PATH + "=/a", UPSTREAM + "=service",
				"gateway-bench.routes[1].id=a", "gateway-bench.routes[1].path=/b",
				"gateway-bench.routes[1].upstream=service"))
			.isEqualTo(invalid("a", "gateway-bench.routes[1].id",
					"Another route has this id already; each needs one of its own, as metrics are kept by it."));
	}

	@Test
	void aRouteWithoutIdIsRefused() {
		assertThat(failure(INSTANCE + "=http://127.0.0.1:1", PATH + "=/a", UPSTREAM + "=service"))
			.isEqualTo(invalid("null", ID, "A route needs an id."));
	}

	@Test
	void aRouteWithoutPathIsRefused() {
		assertThat(failure(INSTANCE + "=http://127.0.0.1:1", ID + "=a", UPSTREAM + "=service"))
			.isEqualTo(invalid("null", PATH, "A route needs a path, such as /service-a/**."));
	}

	@Test
	void aRouteWithoutUpstreamIsRefused() {
		assertThat(failure(INSTANCE + "=http://127.0.0.1:1", ID + "=a", PATH + "=/a"))
			.isEqualTo(invalid("null", UPSTREAM, "A route needs an upstream."));
	}

	@Test
	void aPathThatStartsWithoutASlashIsRefused() {
		assertThat(failure(INSTANCE + "=http://127.0.0.1:1", ID + "=a", PATH + "=a/**", UPSTREAM + "=service"))
			.isEqualTo(invalid("a/**", PATH, "The pattern of a path starts with a slash."));
	}

	@Test
	void aPathThatCannotBeParsedIsRefused() {
		assertThat(failure(INSTANCE + "=http://127.0.0.1:1", ID + "=a", PATH + "=/a/{b", UPSTREAM + "=service"))
			.isEqualTo(invalid("/a/{b", PATH, "The pattern cannot be parsed at position 5: "
					+ "Expected close capture character after variable name }."));
	}

	@ParameterizedTest
	@ValueSource(strings = { "gateway-bench.strip-prefix.parts", "gateway-bench.routes[0].strip-prefix" })
	void aNegativeNumberOfSegmentsIsRefused(String property) {
		assertThat(failure(INSTANCE + "=http://127.0.0.1:1", ID + "=a", PATH + "=/a", UPSTREAM + "=service",
				property + "=-1"))
			.isEqualTo(invalid("-1", property, "The number of segments to drop is 0 or more."));
	}

	@Test
	void aFieldThatIsNotALegalKeyIsRefused() {
		assertThat(failure("gateway-bench.body-rewrite.field=my field"))
			.isEqualTo(invalid("my field", "gateway-bench.body-rewrite.field",
					"Field must be 1 to 64 of the letters a-z and A-Z, digits, '_', '-', '.' and '$' but was"
							+ " \"my field\"."));
	}

	@Test
	void aHoldLimitOfZeroIsRefused() {
		assertThat(failure("gateway-bench.body-rewrite.max-buffer-size=0B")).isEqualTo(invalid("0B",
				"gateway-bench.body-rewrite.max-buffer-size", "Max-buffer-size must be at least 1 byte but was 0."));
	}

	@Test
	void aSignatureThatIsNoHeaderIsRefused() {
		assertThat(failure("gateway-bench.body-rewrite.signature-headers=X-Good,x bad"))
			.isEqualTo(invalid("X-Good,x bad", "gateway-bench.body-rewrite.signature-headers",
					"Signature-headers must be names of headers but one was \"x bad\"."));
	}

	@ParameterizedTest
	@CsvSource({ "max-connections-per-instance, 0, At least one connection is needed.",
			"max-connections, -1, At least one connection is needed.", "acquire-timeout, 0s, The time is 1ms or more.",
			"max-idle-time, -1s, The time is 1ms or more.", "max-connection-age, 0s, The time is 1ms or more." })
	void aPoolThatCannotWorkIsRefused(String key, String value, String reason) {
		String property = "gateway-bench.http-client." + key;
		assertThat(failure(property + "=" + value)).isEqualTo(invalid(value, property, reason));
	}

	@Test
	void aLimitOfNoCancelledStreamIsRefused() {
		String property = "gateway-bench.server.max-cancelled-streams";
		assertThat(failure(property + "=0")).isEqualTo(invalid("0", property, "At least one stream may be cancelled."));
	}

	@Test
	void aBundleThatDoesNotExistIsRefused() {
		String bundle = "gateway-bench.upstreams.service.ssl.bundle";
		assertThat(failure(INSTANCE + "=https://127.0.0.1:1", bundle + "=orders")).isEqualTo(invalid("orders", bundle,
				"There is no such bundle. Add it to 'spring.ssl.bundle', which has none yet."));
	}

	@Test
	void aBundleThatDoesNotExistIsRefusedWithThoseThatDo() {
		String bundle = "gateway-bench.upstreams.service.ssl.bundle";
		assertThat(failure(INSTANCE + "=https://127.0.0.1:1", bundle + "=orders",
				"spring.ssl.bundle.jks.others.truststore.type=PKCS12"))
			.isEqualTo(invalid("orders", bundle,
					"There is no such bundle. Add it to 'spring.ssl.bundle', or use one of [others]."));
	}

	@Test
	void aBundleWhoseFilesAreMissingIsRefusedAtTheStart() {
		String bundle = "gateway-bench.upstreams.service.ssl.bundle";
		assertThat(failure(INSTANCE + "=https://127.0.0.1:1", bundle + "=others",
				"spring.ssl.bundle.jks.others.truststore.location=file:/nowhere.p12"))
			.startsWith("Invalid value 'others' for configuration property '" + bundle + "'")
			.contains("/nowhere.p12");
	}

	@Test
	void aBundleWithoutTheStartersClientIsRefused() {
		String bundle = "gateway-bench.upstreams.service.ssl.bundle";
		assertThat(failure(INSTANCE + "=https://127.0.0.1:1", bundle + "=others",
				"spring.ssl.bundle.jks.others.truststore.type=PKCS12", "gateway-bench.http-client.tuned=false"))
			.isEqualTo(invalid("others", bundle,
					"Only the starter's client has bundles for upstreams. Set 'gateway-bench.http-client.tuned' to true."));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			load-balancing.policy      | random   | Write one of least-requests, round-robin.
			body-rewrite.engine        | jackson9 | Write one of jackson2, jackson3, splice.
			scope                      | some     | Write one of all, routes.
			timeouts.response          | 5 weeks  | Write a time with its unit, such as 500ms, 5s or 2m.
			upstreams.s.timeouts.read  | soon     | Write a time with its unit, such as 500ms, 5s or 2m.
			http-client.acquire-timeout | soon    | Write a time with its unit, such as 500ms, 5s or 2m.
			body-rewrite.max-buffer-size | much   | Write a size with its unit, such as 256KB or 64MB.
			metrics.enabled            | maybe    | Write true or false.
			upstreams.s.health-check.enabled | maybe | Write true or false.
			strip-prefix.parts         | one      | Write a whole number.
			routes[0].strip-prefix     | one      | Write a whole number.
			""")
	void aValueOfAnotherTypeIsRefusedWithWhatToWrite(String key, String value, String action) {
		String property = "gateway-bench." + key;
		assertThat(failure(property + "=" + value))
			.isEqualTo("Invalid value '%s' for configuration property '%s'.".formatted(value, property));
		assertThat(action()).isEqualTo(action);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			upstreams.s      | http://127.0.0.1:1 | .instances: http://host:port
			upstreams        | http://127.0.0.1:1 | .service.instances: http://host:port
			routes           | /a/**              | [0].id: service
			routes[0]        | /a/**              | .id
			timeouts         | 5s                 | .connect
			headers.request  | X-A                | .X-Name: value
			body-rewrite     | true               | .enabled
			""")
	void aValueInThePlaceOfKeysIsRefusedWithWhatToWrite(String key, String value, String example) {
		String property = "gateway-bench." + key;
		assertThat(failure(property + "=" + value)).isEqualTo(
				"Invalid value '%s' for configuration property '%s'. It has keys below it, and no value of its own."
					.formatted(value, property));
		assertThat(action()).isEqualTo("Write '%s%s'.".formatted(property, example));
	}

	@Test
	void anEngineWithoutItsLibraryIsRefusedWithTheDependencyToAdd() throws IOException {
		try (ClassPathWithout classPath = new ClassPathWithout(com.fasterxml.jackson.databind.JsonNode.class)) {
			assertThatIllegalStateException().isThrownBy(() -> classPath.run(Gateways.class, "main",
					this.flavour.name(), "gateway-bench.body-rewrite.engine=jackson2"));
		}
		assertThat(description()).isEqualTo(invalid("jackson2", "gateway-bench.body-rewrite.engine",
				"Engine jackson2 needs a library that is not on the class path: add the dependency "
						+ "com.fasterxml.jackson.core:jackson-databind or choose another engine."));
	}

	@ParameterizedTest
	@ValueSource(strings = { "request", "response" })
	void aHeaderWhoseNameIsNoTokenIsRefused(String direction) {
		String property = "gateway-bench.headers.%s[X Gateway]".formatted(direction);
		assertThat(failure(property + "=a")).isEqualTo(
				invalid("a", property, "'X Gateway' is not a header name; use letters, digits and !#$%&'*+-.^_`|~."));
	}

	@Test
	void aHeaderThatFramesTheMessageIsRefused() {
		assertThat(failure("gateway-bench.headers.response.Content-Length=1"))
			.isEqualTo(invalid("1", "gateway-bench.headers.response.Content-Length",
					"'Content-Length' frames or routes the message, which is the gateway's own business;"
							+ " choose another header."));
	}

	@Test
	void aHeaderWithALineBreakIsRefused() {
		assertThat(failure("gateway-bench.headers.request.X-A=a\r\nX-B: b"))
			.isEqualTo(invalid("a\r\nX-B: b", "gateway-bench.headers.request.X-A",
					"The value of 'X-A' must be printable ASCII, without line breaks."));
	}

	@Test
	void aNameOfTheGatewayThatNoHeaderCanHaveIsRefused() {
		assertThat(failure("gateway-bench.instance=gätewäy")).isEqualTo(invalid("gätewäy", "gateway-bench.instance",
				"The name is used in headers, so it must be printable ASCII, without line breaks."));
	}

	@ParameterizedTest
	@ValueSource(strings = { "0s", "-2s" })
	void anIntervalThatIsNotPositiveIsRefused(String interval) {
		assertThat(failure("gateway-bench.metrics.csv.enabled=true", "gateway-bench.metrics.csv.interval=" + interval))
			.startsWith(invalid(interval, "gateway-bench.metrics.csv.interval", "Must be positive but was PT"));
	}

	@Test
	void aDirectoryThatIsNoPathIsRefused() {
		assertThat(failure("gateway-bench.metrics.csv.enabled=true", "gateway-bench.metrics.csv.directory=a\u0000b"))
			.contains("for configuration property 'gateway-bench.metrics.csv.directory'");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					strip-prefix.part              | Write 'gateway-bench.strip-prefix.parts'.
					timeout.response               | Write 'gateway-bench.timeouts.response'.
					upstreams.s.instance           | Write 'gateway-bench.upstreams.s.instances'.
					upstreams.s.instances[0].wieght | Write 'gateway-bench.upstreams.s.instances[0].weight'.
					routes[0].strip-prefix.parts   | Write 'gateway-bench.routes[0].strip-prefix'.
					csv.directory                  | Write 'gateway-bench.metrics.csv.directory'.
					max-connections                | Write 'gateway-bench.http-client.max-connections'.
					timeouts.total                 | Remove it. Below 'gateway-bench.timeouts' there are connect, response, read.
					header-removal.enabled         | Remove it. Below 'gateway-bench' there are enabled, instance, scope, upstreams, routes, unclear-paths, strip-prefix, headers, body-rewrite, load-balancing, metrics, observations, route-index, server, http-client, timeouts, web-sockets.
					""")
	void aKeyThatDoesNotExistIsRefusedWithTheNearestOnes(String key, String action) {
		assertThat(failure("gateway-bench." + key + "=2"))
			.isEqualTo("There is no configuration property 'gateway-bench.%s'. It has the value '2'.".formatted(key));
		assertThat(action()).isEqualTo(action);
	}

	@Test
	void aKeyThatDoesNotExistIsRefusedWithItsFileAndItsLine(@TempDir Path temp) throws IOException {
		Path file = Files.writeString(temp.resolve("gateway.yml"), "gateway-bench:\n  timeouts:\n    reponse: 5s\n");
		assertThatException()
			.isThrownBy(() -> Gateways.runCore(this.flavour, "spring.config.import=file:" + file).close());
		assertThat(this.output)
			.contains("There is no configuration property 'gateway-bench.timeouts.reponse'. It has the value '5s'"
					+ " (originating from URL [file:" + file + "] - 3:14)");
	}

	@Test
	void thePasswordOfAnInstanceIsNotTold() {
		String causes = "logging.level.org.springframework.boot.diagnostics=debug";
		for (String property : List.of(INSTANCE + "=http://me:planted-secret@host",
				INSTANCE + "=http://me:planted/secret@host:1", INSTANCE + "=http://me:12/planted-secret@host",
				INSTANCE + "=http://me:planted secret@host", INSTANCE + "=http://host/?planted-secret",
				INSTANCE + "=me:planted-secret@host", INSTANCE + "=http://me:planted@secret@host",
				INSTANCE + ".url=ftp://me:planted-secret@host", INSTANCE + ".urll=http://me:planted-secret@host",
				"gateway-bench.upstreams.s=http://me:planted-secret@host")) {
			assertThat(failure(property, causes)).as(property).contains("***");
		}
		assertThat(failureOfGateway(INSTANCE + "=http://me:planted-secret@host", causes)).contains("***");
		assertThat(this.output).doesNotContain("secret");
	}

	@Test
	void theUriOfAnUpstreamIsItsNameAlone() {
		assertThat(failureOfNativeRoute("rr://me:planted-secret@service:99")).endsWith(
				"Write 'rr://service' alone. The instances of the upstream have the ports, and path and query come"
						+ " from the request.");
		assertThat(this.output).doesNotContain("planted-secret");
	}

	@ParameterizedTest
	@CsvSource({ "timeouts.response, 30", "timeouts.read, -1", "http-client.max-idle-time, 4000",
			"upstreams.service.timeouts.connect, 5", "load-balancing.health-check.interval, 10",
			"metrics.csv.interval, 2" })
	void aTimeWithoutItsUnitIsRefused(String key, String value) {
		String property = "gateway-bench." + key;
		assertThat(failure(INSTANCE + "=http://127.0.0.1:1", property + "=" + value))
			.isEqualTo(invalid(value, property, "A time needs its unit, such as %sms or %ss.".formatted(value, value)));
	}

	@Test
	void twoRoutesWithOnePathAreRefused() {
		assertThat(failure(INSTANCE + "=http://127.0.0.1:1", ID + "=a", PATH + "=/a/**", UPSTREAM + "=service",
				"gateway-bench.routes[1].id=b", "gateway-bench.routes[1].path=/a/**",
				"gateway-bench.routes[1].upstream=service"))
			.isEqualTo(invalid("/a/**", "gateway-bench.routes[1].path",
					"Route 'a' has this path already and takes all its requests."));
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\nb", "a\u001b[31m", "a\u2028b" })
	void anIdWithALineBreakIsRefused(String id) {
		assertThat(failure(INSTANCE + "=http://127.0.0.1:1", ID + "=" + id, PATH + "=/a/**", UPSTREAM + "=service"))
			.isEqualTo(invalid(id, ID,
					"The id is used in logs and metrics, so it has no line breaks and no other control characters."));
	}

	@Test
	void anEmptyDirectoryIsRefused() {
		assertThat(failure("gateway-bench.metrics.csv.enabled=true", "gateway-bench.metrics.csv.directory="))
			.isEqualTo(invalid("", "gateway-bench.metrics.csv.directory",
					"The file needs a directory. Write '.' for that in which the gateway was started."));
	}

	@ParameterizedTest
	@CsvSource({ "headers.request.X A, X A, XA", "headers.response.X_A, X_A, XA", "upstreams.a/b.instances[0], a/b, ab",
			"upstreams.ser_vice.instances, ser_vice, service" })
	void aNameThatWouldLoseCharactersIsRefused(String key, String written, String read) {
		assertThat(failure("gateway-bench." + key + "=http://127.0.0.1:1"))
			.startsWith("Invalid value 'http://127.0.0.1:1' for configuration property 'gateway-bench." + key + "'.")
			.endsWith("The name '%1$s' would be read as '%2$s'. Write '%2$s', or '[%1$s]' in quotes.".formatted(written,
					read));
	}

	@Test
	void whatSomebodyMayNotHaveMeantIsTold() {
		try (ConfigurableApplicationContext gateway = Gateways.runCore(this.flavour, INSTANCE + "=http://127.0.0.1:1",
				"gateway-bench.upstreams.service.instances[1]=http://127.0.0.1:1/", ID + "=a", PATH + "=/a/b",
				UPSTREAM + "=service", "gateway-bench.strip-prefix.parts=2",
				"gateway-bench.body-rewrite.max-buffer-size=100TB",
				"gateway-bench.body-rewrite.max-total-buffer-size=200TB")) {
			assertThat(gateway.isActive()).isTrue();
		}
		assertThat(this.output)
			.contains("'gateway-bench.upstreams.service.instances' has http://127.0.0.1:1 more than once")
			.contains("'gateway-bench.routes[0].path' matches only /a/b itself, and the upstream gets the path /.")
			.contains("'gateway-bench.body-rewrite.max-buffer-size' is %d bytes".formatted(100L << 40))
			.contains("'gateway-bench.body-rewrite.max-total-buffer-size' is %d bytes".formatted(200L << 40));
	}

	@Test
	void aDirectoryThatCannotBeWrittenOnlyWarnsOnce(@TempDir Path temp) throws IOException {
		Path file = Files.writeString(temp.resolve("file"), "no directory");
		try (ConfigurableApplicationContext gateway = Gateways.runCore(this.flavour,
				"gateway-bench.metrics.csv.enabled=true", "gateway-bench.metrics.csv.interval=10ms",
				"gateway-bench.metrics.csv.directory=" + file)) {
			assertThat(gateway.isActive()).isTrue();
			Awaitility.await().untilAsserted(() -> assertThat(this.output).contains(file + "/"));
		}
		assertThat(this.output.toString().split("gateway-bench.metrics.csv.directory: ", -1)).hasSize(2);
	}

	private String failureOfNativeRoute(String uri) {
		return failureOfGateway(INSTANCE + "=http://127.0.0.1:1", nativeRoute() + "id=a",
				nativeRoute() + "predicates[0]=Path=/a", nativeRoute() + "uri=" + uri);
	}

	private String nativeRoute() {
		return "spring.cloud.gateway.server.%s.routes[0].".formatted(this.flavour.name().toLowerCase(Locale.ROOT));
	}

	private String failureOfGateway(String... properties) {
		assertThatException().isThrownBy(() -> Gateways.run(this.flavour, properties).close());
		return description();
	}

	private String failure(String... properties) {
		assertThatException().isThrownBy(() -> Gateways.runCore(this.flavour, properties).close());
		return description();
	}

	private String description() {
		return ORIGIN.matcher(analysis("description")).replaceFirst("");
	}

	private String action() {
		return analysis("action");
	}

	/**
	 * A part of the last one.
	 */
	private String analysis(String part) {
		Matcher analyses = ANALYSIS.matcher(this.output);
		String last = null;
		while (analyses.find()) {
			last = analyses.group(part);
		}
		return (last != null) ? last : fail("No failure analysis in:%n%s", this.output);
	}

	private static String invalid(String value, String property, String reason) {
		return "Invalid value '%s' for configuration property '%s'. Validation failed for the following reason:%n%n%s"
			.formatted(value, property, reason);
	}

}
