package io.gatewaybench.benchmark.export;

import java.io.StringReader;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.xml.parsers.DocumentBuilderFactory;

import io.gatewaybench.benchmark.load.Arrivals;
import io.gatewaybench.benchmark.load.Expectation;
import io.gatewaybench.benchmark.load.LoadPlan;
import io.gatewaybench.benchmark.load.Model;
import io.gatewaybench.benchmark.load.RequestType;
import io.gatewaybench.benchmark.load.Step;
import io.gatewaybench.benchmark.load.Timeouts;
import io.gatewaybench.benchmark.load.Workload;
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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ExportFormatTests {

	private static final JsonMapper JSON = JsonMapper.shared();

	private static final String PATH = "/service-a/api";

	@ParameterizedTest
	@EnumSource(ExportFormat.class)
	void everyTextArrivesAsItIs(ExportFormat format) throws Exception {
		Random random = new Random(20261125);
		for (int round = 0; round < 300; round++) {
			RequestType type = new RequestType("odd", 1, "POST", List.of("/" + text(random, Hostile.PATH)),
					Map.of("X-Odd", text(random, Hostile.HEADER)), text(random, Hostile.BODY),
					new Expectation(201, 7, null));
			ExportRequest request = request(closed(type), Duration.ofSeconds(5));
			Sent sent = read(format, format.export(request));
			assertThat(sent).as("round %d", round)
				.isEqualTo(new Sent("POST", type.paths().getFirst(), type.headers().get("X-Odd"), type.body()));
		}
	}

	@Test
	void theRateOverTimeIsThatOfTheSteps() throws Exception {
		Load burst = open(200, Arrivals.STEPPED, new Step(Duration.ofSeconds(3), 1),
				new Step(Duration.ofSeconds(2), 1, 3.0));
		ExportRequest request = request(burst, Duration.ofSeconds(4), Duration.ofSeconds(9));
		assertThat(request.parts(request.stage().sending())).containsExactly(new ExportRequest.Part(3, 200, 200),
				new ExportRequest.Part(2, 200, 600), new ExportRequest.Part(3, 200, 200),
				new ExportRequest.Part(1, 200, 400));
		String k6 = ExportFormat.K6.export(request).content();
		JsonNode measure = k6Options(k6).path("scenarios").path("measure");
		assertThat(measure.path("executor").stringValue()).isEqualTo("ramping-arrival-rate");
		assertThat(measure.path("startTime").stringValue()).isEqualTo("5000ms");
		assertThat(measure.path("stages").toString()).startsWith("[{").contains("600");
		assertThat(ExportFormat.JMETER.export(request).content()).contains(
				"rate(200.0/s) even_arrivals(3.0 s) rate(200.0/s) rate(200.0/s) even_arrivals(2.0 s) rate(600.0/s)");
	}

	@Test
	void jmeterBeginsToMeasureWhenTheWarmUpIsOver() {
		String plan = ExportFormat.JMETER.export(request(open(200, Arrivals.CONSTANT), Duration.ofSeconds(4)))
			.content();
		assertThat(plan).contains("name=\"TestPlan.serialize_threadgroups\">false<")
			// The warm-up of 4 s, and the response timeout of 10 s
			.contains(">rate(200.0/s) even_arrivals(4.0 s) rate(200.0/s) pause(11 s)<")
			.contains(">pause(15 s) rate(200.0/s) even_arrivals(8.0 s) rate(200.0/s) pause(11 s)<");
		assertThat(ExportFormat.JMETER.export(request(closed(mix()), Duration.ofSeconds(4))).content())
			.contains("name=\"TestPlan.serialize_threadgroups\">true<");
	}

	@Test
	void jmetersUsersLeaveAfterTheirIterations() {
		assertThat(ExportFormat.JMETER.export(request(loads().get("iterations"), Duration.ZERO)).content())
			.contains("name=\"LoopController.loops\">10<", "name=\"LoopController.continue_forever\">false<");
	}

	@Test
	void stepsLeaveNoRest() {
		ExportRequest request = request(
				open(100, Arrivals.STEPPED, new Step(Duration.ofMillis(4800), 1), new Step(Duration.ofMillis(200), 10)),
				Duration.ZERO, Duration.ofSeconds(60));
		assertThat(request.parts(request.stage().sending())).hasSize(24);
	}

	@Test
	void aRateWithAFractionStaysExact() throws Exception {
		ExportRequest request = request(open(0.25, Arrivals.CONSTANT), Duration.ZERO);
		JsonNode measure = k6Options(ExportFormat.K6.export(request).content()).path("scenarios").path("measure");
		assertThat(measure.path("rate").intValue()).isEqualTo(250);
		assertThat(measure.path("timeUnit").stringValue()).isEqualTo("1000s");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "K6|poisson|it can't spread requests as a Poisson process",
			"K6|open|it leaves out a request that finds all of its users busy",
			"JMETER|open|it opens a connection for every request of the open model",
			"JMETER|thinking|its users begin at the same moment", "JMETER|field|it does not check the _gateway field",
			"JMETER|fragment|it may encode or cut the path /a#b" })
	void whatAFormatLeavesOutIsANote(ExportFormat format, String load, String note) {
		ExportRequest request = request(loads().get(load), Duration.ofSeconds(3));
		assertThat(format.export(request).notes()).filteredOn((each) -> each.startsWith(note)).hasSize(1);
	}

	@Test
	void aTargetOrAnIdThatBreaksOutOfAScriptIsRefused() {
		for (String target : List.of("ftp://a", "http://a/b", "http://a;rm", "http://u@a", "a")) {
			assertThatIllegalArgumentException().as(target)
				.isThrownBy(() -> plan("id", closed(mix()), URI.create(target)));
		}
		for (String id : List.of("../id\n", "-id")) {
			assertThatIllegalArgumentException().as(id)
				.isThrownBy(() -> plan(id, closed(mix()), URI.create("http://localhost")));
		}
	}

	private static Map<String, Load> loads() {
		Map<String, Load> loads = new LinkedHashMap<>();
		loads.put("closed", closed(mix()));
		loads.put("open", open(500, Arrivals.CONSTANT));
		loads.put("poisson", open(500, Arrivals.POISSON));
		loads.put("thinking", new Load(new Workload(Model.CLOSED, List.of(mix()), 16, Duration.ofMillis(50)), null, 0,
				Arrivals.CONSTANT, List.of(), null, null));
		loads.put("iterations", new Load(new Workload(Model.CLOSED, List.of(mix()), 16, Duration.ZERO), null, 0,
				Arrivals.CONSTANT, List.of(), new Iterations(10, Duration.ofMinutes(1)), null));
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
		return new ExportRequest(plan("webflux-c16", load, URI.create("http://localhost:8080")),
				load.measurement("measurement", duration), warmUp);
	}

	private static LoadPlan plan(String id, Load load, URI target) {
		return new LoadPlan(id, target, load.workload(), new Timeouts(Duration.ofSeconds(5), Duration.ofSeconds(10)),
				42);
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

	private static JsonNode k6Options(String script) {
		return JSON.readTree(line(script, "export const options = ").replaceFirst(";$", ""));
	}

	private static String line(String script, String begin) {
		List<String> lines = new ArrayList<>(List.of(script.split("\n", -1)));
		lines.removeIf((line) -> !line.startsWith(begin));
		assertThat(lines).hasSize(1);
		return lines.getFirst().substring(begin.length());
	}

	private static Sent read(ExportFormat format, ExportFormat.Export export) throws Exception {
		return switch (format) {
			case K6 -> {
				String script = export.content();
				assertThat(script).isASCII();
				JsonNode request = JSON.readTree(
						line(script, "  {\"name\":").transform((rest) -> "{\"name\":" + rest).replaceFirst(",$", ""));
				yield new Sent(request.path("method").stringValue(), request.path("paths").get(0).stringValue(),
						request.path("headers").path("X-Odd").stringValue(), request.path("body").stringValue());
			}

			case JMETER -> jmeter(export.content());
		};
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
