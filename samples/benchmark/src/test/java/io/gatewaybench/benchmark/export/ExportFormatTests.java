package io.gatewaybench.benchmark.export;

import java.io.StringReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import javax.xml.parsers.DocumentBuilderFactory;

import io.gatewaybench.benchmark.plan.Arrivals;
import io.gatewaybench.benchmark.plan.Expectation;
import io.gatewaybench.benchmark.plan.Model;
import io.gatewaybench.benchmark.plan.RequestType;
import io.gatewaybench.benchmark.plan.Step;
import io.gatewaybench.benchmark.plan.Timeouts;
import io.gatewaybench.benchmark.plan.Workload;
import io.gatewaybench.benchmark.suite.Iterations;
import io.gatewaybench.benchmark.suite.Load;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

class ExportFormatTests {

	private static final JsonMapper JSON = JsonMapper.shared();

	private static final String PATH = "/service-a/api";

	private static final Pattern LUA = Pattern.compile("\\\\([0-9]{3})");

	private static final Pattern PYTHON = Pattern.compile("\\\\x([0-9a-f]{2})");

	@ParameterizedTest
	@EnumSource(ExportFormat.class)
	void everyTextArrivesAsItIs(ExportFormat format) throws Exception {
		Random random = new Random(20261125);
		for (int round = 0; round < 300; round++) {
			RequestType type = new RequestType("odd", 1, "POST", List.of("/" + text(random, Hostile.PATH)),
					Map.of("X-Odd", text(random, Hostile.HEADER)), text(random, Hostile.BODY),
					new Expectation(201, 7, null));
			ExportRequest request = request(closed(type), Duration.ofSeconds(5));
			if (format.objection(request) != null) {
				assertThat(format).isEqualTo(ExportFormat.HYPERFOIL);
				assertThat(type.paths().getFirst() + type.headers()).contains("${");
				continue;
			}
			Sent sent = read(format, format.export(request));
			assertThat(sent).as("round %d", round)
				.isEqualTo(new Sent("POST", type.paths().getFirst(), type.headers().get("X-Odd"), type.body()));
		}
	}

	@Test
	void sharesAreThoseOfTheMix() {
		ExportRequest request = request(closed(mix()), Duration.ZERO);
		List<ExportRequest.Single> turns = Turns.of(request.singles());
		assertThat(turns).hasSize(20 * 3);
		Map<String, Long> counts = turns.stream()
			.collect(Collectors.groupingBy((each) -> each.type().name(), Collectors.counting()));
		assertThat(counts).isEqualTo(Map.of("heavy", 24L, "data", 21L, "process", 15L));
		// No request comes in a row, but they are mixed
		assertThat(turns.subList(0, 20).stream().map((each) -> each.type().name()).distinct()).hasSize(3);
		ExportRequest odd = request(closed(get("a", Math.PI, "/a"), get("b", Math.E, "/b")), Duration.ZERO);
		List<ExportRequest.Single> many = Turns.of(odd.singles());
		assertThat(many).hasSize(10_000);
		assertThat(many.stream().filter((each) -> each.type().name().equals("a")).count() / 1e4)
			.isCloseTo(Math.PI / (Math.PI + Math.E), within(1e-4));
	}

	@Test
	void theRateOverTimeIsThatOfTheSteps() throws Exception {
		Load burst = open(200, Arrivals.STEPPED, new Step(Duration.ofSeconds(3), 1),
				new Step(Duration.ofSeconds(2), 1, 3.0));
		ExportRequest request = request(burst, Duration.ofSeconds(4), Duration.ofSeconds(9));
		assertThat(request.parts(request.length())).containsExactly(new ExportRequest.Part(3, 200, 200),
				new ExportRequest.Part(2, 200, 600), new ExportRequest.Part(3, 200, 200),
				new ExportRequest.Part(1, 200, 400));
		String k6 = content(ExportFormat.K6.export(request));
		JsonNode measure = k6Options(k6).path("scenarios").path("measure");
		assertThat(measure.path("executor").stringValue()).isEqualTo("ramping-arrival-rate");
		assertThat(measure.path("startTime").stringValue()).isEqualTo("5000ms");
		assertThat(measure.path("stages").toString()).startsWith("[{").contains("600");
		JsonNode phases = YAMLMapper.shared().readTree(content(ExportFormat.HYPERFOIL.export(request))).path("phases");
		// The warm-up has one whole round of steps at most
		assertThat(phases.valueStream().flatMap((phase) -> phase.propertyNames().stream())).containsExactly("warmup-1",
				"warmup-2", "measure-1", "measure-2", "measure-3", "measure-4");
		assertThat(phases.get(3).path("measure-2").path("increasingRate").path("targetUsersPerSec").doubleValue())
			.isEqualTo(600);
		assertThat(content(ExportFormat.JMETER.export(request))).contains(
				"rate(200.0/s) even_arrivals(3.0 s) rate(200.0/s) rate(200.0/s) even_arrivals(2.0 s) rate(600.0/s)");
		assertThat(content(ExportFormat.LOCUST.export(request)))
			.contains("STEPS = [(3.0, 200.0, 200.0), (2.0, 200.0, 600.0)]");
	}

	@Test
	void jmeterBeginsToMeasureWhenTheWarmUpIsOver() {
		String plan = content(ExportFormat.JMETER.export(request(open(200, Arrivals.CONSTANT), Duration.ofSeconds(4))));
		assertThat(plan).contains("name=\"TestPlan.serialize_threadgroups\">false<")
			// The warm-up of 4 s, and the response timeout of 10 s
			.contains(">rate(200.0/s) even_arrivals(4.0 s) rate(200.0/s) pause(11 s)<")
			.contains(">pause(15 s) rate(200.0/s) even_arrivals(8.0 s) rate(200.0/s) pause(11 s)<");
		assertThat(content(ExportFormat.JMETER.export(request(closed(mix()), Duration.ofSeconds(4)))))
			.contains("name=\"TestPlan.serialize_threadgroups\">true<");
	}

	@Test
	void jmetersUsersLeaveAfterTheirIterations() {
		assertThat(content(ExportFormat.JMETER.export(request(loads().get("iterations"), Duration.ZERO))))
			.contains("name=\"LoopController.loops\">10<", "name=\"LoopController.continue_forever\">false<");
	}

	@Test
	void hyperfoilTellsRampsUpFromRampsDownAndRefusesAPause() throws Exception {
		Load ramps = open(100, Arrivals.STEPPED, new Step(Duration.ofSeconds(4), 0, 1.0),
				new Step(Duration.ofSeconds(4), 1, 0.0));
		JsonNode phases = YAMLMapper.shared()
			.readTree(content(ExportFormat.HYPERFOIL.export(request(ramps, Duration.ZERO))))
			.path("phases");
		assertThat(phases.get(0).path("measure-1").has("increasingRate")).isTrue();
		assertThat(phases.get(1).path("measure-2").has("decreasingRate")).isTrue();
		Load pause = open(100, Arrivals.STEPPED, new Step(Duration.ofSeconds(4), 0),
				new Step(Duration.ofSeconds(4), 1));
		assertThat(ExportFormat.HYPERFOIL.objection(request(pause, Duration.ZERO)))
			.endsWith("it has no phase in which nothing is sent");
	}

	@Test
	void hyperfoilHasNoForksForASingleRequest() throws Exception {
		Load single = new Load(new Workload(Model.OPEN, List.of(get("a", 1, "/a")), 64, Duration.ZERO), null, 100,
				Arrivals.CONSTANT, List.of(), null, null);
		JsonNode phase = YAMLMapper.shared()
			.readTree(content(ExportFormat.HYPERFOIL.export(request(single, Duration.ZERO))))
			.at("/phases/0/measure/constantRate");
		assertThat(phase.has("forks")).isFalse();
		assertThat(phase.at("/scenario/0/send/0").has("httpRequest")).isTrue();
	}

	@Test
	void stepsLeaveNoRest() {
		ExportRequest request = request(
				open(100, Arrivals.STEPPED, new Step(Duration.ofMillis(4800), 1), new Step(Duration.ofMillis(200), 10)),
				Duration.ZERO, Duration.ofSeconds(60));
		assertThat(request.parts(request.length())).hasSize(24);
	}

	@Test
	void aRateWithAFractionStaysExact() throws Exception {
		ExportRequest request = request(open(0.25, Arrivals.CONSTANT), Duration.ZERO);
		JsonNode measure = k6Options(content(ExportFormat.K6.export(request))).path("scenarios").path("measure");
		assertThat(measure.path("rate").intValue()).isEqualTo(250);
		assertThat(measure.path("timeUnit").stringValue()).isEqualTo("1000s");
		assertThat(ExportFormat.VEGETA.export(request).files().get("webflux-c16.sh")).contains("-rate=250/1000s");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "WRK|open|wrk can't send webflux-c16: it sends as fast as responses come, and at no rate",
					"WRK|iterations|wrk can't send webflux-c16: it ends by time only",
					"VEGETA|iterations|vegeta can't send webflux-c16: it ends by time only",
					"VEGETA|thinking|vegeta can't send webflux-c16: it has no think time",
					"VEGETA|steps|vegeta can't send webflux-c16: it can't change its rate",
					"HYPERFOIL|iterations|Hyperfoil can't send webflux-c16: it ends a phase",
					"K6|search|webflux-c16 searches its highest rate, which only the runner does; choose a rate" })
	void whatAFormatCanNotSayIsAnObjection(ExportFormat format, String load, String objection) {
		assertThat(format.objection(request(loads().get(load), Duration.ZERO))).startsWith(objection);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "K6|poisson|it can't spread requests as a Poisson process",
					"K6|open|it leaves out a request that finds all of its users busy",
					"VEGETA|poisson|it can't spread requests as a Poisson process",
					"JMETER|open|it opens a connection for every request of the open model",
					"WRK|closed|it has no warm-up", "WRK|closed|it checks neither the status nor the size",
					"LOCUST|iterations|it can't warm up before iterations",
					"LOCUST|thinking|its users begin at the same moment", "HYPERFOIL|open|its address is no parameter",
					"HYPERFOIL|field|it does not check the _gateway field",
					"JMETER|fragment|it may encode or cut the path /a#b" })
	void whatAFormatLeavesOutIsANote(ExportFormat format, String load, String note) {
		ExportRequest request = request(loads().get(load), Duration.ofSeconds(3));
		assertThat(format.objection(request)).isNull();
		assertThat(format.export(request).notes()).filteredOn((each) -> each.startsWith(note)).hasSize(1);
	}

	@Test
	void hyperfoilCountsFromTheIntendedStart() {
		JsonNode benchmark = YAMLMapper.shared()
			.readTree(content(ExportFormat.HYPERFOIL.export(request(open(100, Arrivals.POISSON), Duration.ZERO))));
		assertThat(benchmark.path("ergonomics").path("compensateInternalLatency").booleanValue()).isTrue();
		JsonNode phase = benchmark.path("phases").get(0).path("measure").path("constantRate");
		assertThat(phase.path("variance").booleanValue()).isTrue();
		// Only the first step of a session is compensated
		assertThat(phase.path("forks")).hasSize(9)
			.allSatisfy((fork) -> assertThat(
					fork.iterator().next().path("scenario").get(0).path("send").get(0).has("httpRequest"))
				.isTrue());
	}

	@Test
	void aTargetOrAnIdThatBreaksOutOfAScriptIsRefused() {
		for (String target : List.of("http://a b", "https://a", "http://a/b", "http://a;rm", "http://u@a", "a")) {
			assertThatIllegalArgumentException().as(target)
				.isThrownBy(() -> new ExportRequest("id", closed(mix()), URI.create(target), Duration.ZERO,
						Duration.ofSeconds(1), timeouts(), 1));
		}
		assertThatIllegalArgumentException().isThrownBy(() -> new ExportRequest("../id\n", closed(mix()),
				URI.create("http://localhost"), Duration.ZERO, Duration.ofSeconds(1), timeouts(), 1));
	}

	private static Map<String, Load> loads() {
		Map<String, Load> loads = new LinkedHashMap<>();
		loads.put("closed", closed(mix()));
		loads.put("open", open(500, Arrivals.CONSTANT));
		loads.put("poisson", open(500, Arrivals.POISSON));
		loads.put("steps", open(500, Arrivals.STEPPED, new Step(Duration.ofSeconds(1), 2)));
		loads.put("thinking", new Load(new Workload(Model.CLOSED, List.of(mix()), 16, Duration.ofMillis(50)), null, 0,
				Arrivals.CONSTANT, List.of(), null, null));
		loads.put("iterations", new Load(new Workload(Model.CLOSED, List.of(mix()), 16, Duration.ZERO), null, 0,
				Arrivals.CONSTANT, List.of(), new Iterations(10, Duration.ofMinutes(1)), null));
		Load open = open(500, Arrivals.CONSTANT);
		loads.put("search",
				new Load(open.workload(), null, 500, Arrivals.CONSTANT, List.of(), null, Duration.ofMillis(100)));
		loads.put("field", closed(
				new RequestType("a", 1, "GET", List.of("/a"), Map.of(), null, new Expectation(200, 0, "WebFlux"))));
		loads.put("fragment", closed(get("a", 1, "/a#b")));
		return loads;
	}

	private static RequestType[] mix() {
		return new RequestType[] { get("heavy", 40, PATH + "/heavy", "/service-b/api/heavy", "/service-c/api/heavy"),
				get("data", 35, PATH + "/data", "/service-b/api/data", "/service-c/api/data"),
				new RequestType("process", 25, "POST",
						List.of(PATH + "/process", "/service-b/api/process", "/service-c/api/process"),
						Map.of("Content-Type", "application/json"), "{\"id\":42}", new Expectation(200, 50, null)) };
	}

	private static RequestType get(String name, double weight, String... paths) {
		return new RequestType(name, weight, "GET", List.of(paths), Map.of(), null, new Expectation(200, 0, null));
	}

	private static Load closed(RequestType... mix) {
		return Load.closed(new Workload(Model.CLOSED, List.of(mix), 16, Duration.ZERO));
	}

	private static Load open(double rate, Arrivals arrivals, Step... steps) {
		return new Load(new Workload(Model.OPEN, List.of(mix()), 64, Duration.ZERO), null, rate, arrivals,
				List.of(steps), null, null);
	}

	private static ExportRequest request(Load load, Duration warmUp) {
		return request(load, warmUp, Duration.ofSeconds(8));
	}

	private static ExportRequest request(Load load, Duration warmUp, Duration duration) {
		return new ExportRequest("webflux-c16", load, URI.create("http://localhost:8080"), warmUp, duration, timeouts(),
				42);
	}

	private static Timeouts timeouts() {
		return new Timeouts(Duration.ofSeconds(5), Duration.ofSeconds(10));
	}

	private static String text(Random random, String alphabet) {
		int[] characters = alphabet.codePoints().toArray();
		StringBuilder text = new StringBuilder();
		for (int index = random.nextInt(30); index > 0; index--) {
			if (random.nextInt(8) == 0) {
				text.append(Hostile.WORDS.get(random.nextInt(Hostile.WORDS.size())));
			}
			else {
				text.appendCodePoint(characters[random.nextInt(characters.length)]);
			}
		}
		return text.toString();
	}

	/**
	 * What breaks out of what does not escape it.
	 */
	private static final class Hostile {

		static final String PATH = "\"'\\${}<>&;|`#%,:@!?*=~()[]a0";

		static final String HEADER = PATH + " \t";

		static final String BODY = HEADER + "\n\r\0\u0001\u001b\u007f\u0085\u00e9\u2028\u2029\ufeff\uffff\ud83d\ude00";

		static final List<String> WORDS = List.of("${__P(a)}", "${x}", "\\${", "@TARGET@", "]]>", "%s", "\\x41",
				"\\u0041", "\\065", "*/", "--]]", "\"\"\"", "!!java", "null", "&a");

	}

	/**
	 * The request that a tool reads out of its file.
	 */
	private record Sent(String method, String path, String header, @Nullable String body) {
	}

	private static String content(Export export) {
		return export.files().values().iterator().next();
	}

	private static JsonNode k6Options(String script) {
		return JSON.readTree(line(script, "export const options = ").replaceFirst(";$", ""));
	}

	private static String line(String script, String begin) {
		List<String> lines = new ArrayList<>(List.of(script.split("\n", -1)));
		lines.removeIf((line) -> !line.startsWith(begin));
		assertThat(lines).hasSize(1);
		return lines.getFirst().substring(begin.length());
	}

	private static Sent read(ExportFormat format, Export export) throws Exception {
		return switch (format) {
			case K6 -> {
				String script = content(export);
				assertThat(script).isASCII();
				JsonNode request = JSON.readTree(
						line(script, "  {\"name\":").transform((rest) -> "{\"name\":" + rest).replaceFirst(",$", ""));
				yield new Sent(request.path("method").stringValue(), request.path("paths").get(0).stringValue(),
						request.path("headers").path("X-Odd").stringValue(), request.path("body").stringValue());
			}
			case VEGETA -> {
				String line = export.files().get("webflux-c16.jsonl").strip();
				assertThat(line.lines()).hasSize(1);
				// As sed does
				JsonNode target = JSON.readTree(line.replaceFirst("@TARGET@", "http://a"));
				yield new Sent(target.path("method").stringValue(),
						target.path("url").stringValue().substring("http://a".length()),
						target.path("header").path("X-Odd").get(0).stringValue(), new String(
								Base64.getDecoder().decode(target.path("body").stringValue()), StandardCharsets.UTF_8));
			}
			case HYPERFOIL -> {
				JsonNode request = YAMLMapper.shared()
					.readTree(content(export))
					.path("phases")
					.get(1)
					.path("measure")
					.path("always")
					.path("scenario")
					.path("sequences")
					.get(0)
					.path("odd")
					.get(0)
					.path("httpRequest");
				yield new Sent("POST", request.path("POST").stringValue(),
						request.path("headers").path("X-Odd").stringValue(),
						request.path("body").path("text").stringValue());
			}
			case WRK -> {
				String line = line(content(export), "  {weight = ");
				List<String> texts = quoted(line, (text) -> bytes(text, LUA, 10));
				yield new Sent(texts.get(0), texts.get(1), texts.get(3), texts.get(4));
			}
			case LOCUST -> {
				String script = content(export);
				assertThat(script).isASCII();
				String line = line(script, "    (\"odd\"");
				List<String> texts = quoted(line, Function.identity());
				yield new Sent(json(texts.get(0)), json(texts.get(1)), json(texts.get(3)),
						bytes(texts.get(4).replace("\\\"", "\""), PYTHON, 16));
			}
			case JMETER -> jmeter(content(export));
		};
	}

	/**
	 * The literals of a line.
	 */
	private static List<String> quoted(String line, Function<String, String> read) {
		return Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"")
			.matcher(line)
			.results()
			.map((literal) -> read.apply(literal.group(1)))
			.toList();
	}

	private static String json(String literal) {
		return JSON.readValue("\"" + literal + "\"", String.class);
	}

	private static String bytes(String literal, Pattern escape, int radix) {
		Matcher escapes = escape.matcher(literal);
		String latin = escapes.replaceAll(
				(match) -> Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(match.group(1), radix))));
		return new String(latin.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
	}

	private static Sent jmeter(String xml) throws Exception {
		Document document = DocumentBuilderFactory.newDefaultInstance()
			.newDocumentBuilder()
			.parse(new InputSource(new StringReader(xml)));
		NodeList samplers = document.getElementsByTagName("HTTPSamplerProxy");
		assertThat(samplers.getLength()).isEqualTo(2);
		Element sampler = (Element) samplers.item(1);
		return new Sent(property(sampler, "HTTPSampler.method"), jmeterText(property(sampler, "HTTPSampler.path")),
				jmeterText(property(document.getDocumentElement(), "Header.value")),
				jmeterText(property(sampler, "Argument.value")));
	}

	private static String property(Element element, String name) {
		NodeList properties = element.getElementsByTagName("stringProp");
		for (int index = 0; index < properties.getLength(); index++) {
			Element property = (Element) properties.item(index);
			if (property.getAttribute("name").equals(name)) {
				return property.getTextContent();
			}
		}
		throw new AssertionError("no " + name);
	}

	/**
	 * What JMeter makes of a text: it removes backslashes, but only if it finds a
	 * function.
	 */
	private static String jmeterText(String text) {
		Pattern special = Pattern.compile("\\\\([\\\\$,])|\\$\\{__char\\(([0-9]+)\\)}");
		if (special.matcher(text).results().noneMatch((match) -> match.group(2) != null)) {
			assertThat(text).doesNotContain("${");
			return text;
		}
		return special.matcher(text).replaceAll(ExportFormatTests::jmeterCharacter);
	}

	private static String jmeterCharacter(MatchResult match) {
		String character = (match.group(2) != null) ? Character.toString(Integer.parseInt(match.group(2)))
				: match.group(1);
		return Matcher.quoteReplacement(character);
	}

}
