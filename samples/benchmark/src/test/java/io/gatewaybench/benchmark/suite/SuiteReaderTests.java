package io.gatewaybench.benchmark.suite;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.gatewaybench.benchmark.load.Arrivals;
import io.gatewaybench.benchmark.load.Expectation;
import io.gatewaybench.benchmark.load.Protocol;
import io.gatewaybench.benchmark.load.RequestType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

class SuiteReaderTests {

	private static final String GOOD = """
			title: Mine beside nginx
			components:
			  backends: {simulator: {orders: 2}, zero-delay: true}
			templates:
			  spring:
			    ready: /actuator/health
			    config: {server: {port: "${port}"}, a: {b: 1, c: 2}}
			variants:
			  direct: {url: "${orders.url}", prefixes: [""]}
			  webflux:
			    title: WebFlux
			    extends: [spring]
			    jar: gateway-webflux
			    config: {a: {c: 3}}
			  nginx:
			    command: [nginx, -c, "${directory}/nginx.conf"]
			    files: {nginx.conf: "listen ${port}; server ${orders-2.host}:${orders-2.port}; $${x}"}
			    baseline: webflux
			prefixes: [/orders]
			requests:
			  get: {weight: 3, path: /api/data, min-bytes: 4000}
			  post: {method: POST, path: /api/process, body: "{}", headers: {Content-Type: application/json}, status: 201}
			loads:
			  - {users: 16, think-time: 100ms}
			  - {rate: 500, arrivals: poisson, connections: 64}
			  - {rate: 100, steps: [{duration: 9s, factor: 1}, {duration: 1s, factor: 10}]}
			  - {users: 32, iterations: 100, max-duration: 5m}
			study:
			  source: Somebody (2026)
			  figures:
			    webflux-r500-poisson-on64: {throughput: 480}
			  claims:
			    - {text: nginx does more., scenario: nginx-c32x100, beside: webflux-c32x100, metric: throughput, direction: more}
			""";

	@TempDir
	private Path directory;

	@Test
	void aSuiteSaysWhatItIsRunForAndWhatToChoose() throws Exception {
		Suite suite = read(GOOD.replaceFirst("title:",
				"answer: {metric: slo-p99, load: c32x100}\nchoose: [Choose nginx., Choose nothing.]\ntitle:"));
		assertThat(suite.question()).isEqualTo(new Question("slo-p99", "c32x100"));
		assertThat(suite.choose()).containsExactly("Choose nginx.", "Choose nothing.");
	}

	@Test
	void aSuiteHasEveryVariantUnderEveryLoad() throws Exception {
		Suite suite = read(GOOD);
		assertThat(suite.name()).isEqualTo("mine");
		assertThat(suite.question()).isEqualTo(Question.USUAL);
		assertThat(suite.choose()).isEmpty();
		assertThat(suite.scenarios()).extracting(Scenario::id)
			.containsExactly("direct-c16-think100ms", "webflux-c16-think100ms", "nginx-c16-think100ms",
					"direct-r500-poisson-on64", "webflux-r500-poisson-on64", "nginx-r500-poisson-on64",
					"direct-r100-1x9000ms-10x1000ms", "webflux-r100-1x9000ms-10x1000ms",
					"nginx-r100-1x9000ms-10x1000ms", "direct-c32x100", "webflux-c32x100", "nginx-c32x100");
		assertThat(suite.scenarios().get(2).workload().thinkTime()).isEqualTo(Duration.ofMillis(100));
		assertThat(suite.scenarios().get(6).load().arrivals()).isEqualTo(Arrivals.STEPPED);
		assertThat(suite.scenarios().getLast().load().iterations())
			.isEqualTo(new Iterations(100, Duration.ofMinutes(5)));
		assertThat(suite.scenarios().getLast().title()).isEqualTo("nginx × 32, 100 requests each");
		assertThat(suite.scenarios().getLast().variant().baseline()).isEqualTo("WebFlux");
		assertThat(suite.scenarios().getFirst().variant().control()).isTrue();
		assertThat(suite.study().figures()).containsOnlyKeys("webflux-r500-poisson-on64");
	}

	@Test
	void requestsHaveThePrefixesOfTheirVariant() throws Exception {
		List<Scenario> scenarios = read(GOOD).scenarios();
		assertThat(scenarios.getFirst().workload().mix()).extracting(RequestType::paths)
			.containsExactly(List.of("/api/data"), List.of("/api/process"));
		RequestType post = scenarios.getLast().workload().mix().getLast();
		assertThat(post.paths()).containsExactly("/orders/api/process");
		assertThat(post.expect().status()).isEqualTo(201);
		assertThat(post.headers()).containsExactly(Map.entry("Content-Type", "application/json"));
		assertThat(post.weight()).isOne();
	}

	@Test
	void aFullRunHasItsOwnLoadsOrTheSame() throws Exception {
		assertThat(read(GOOD).fullScenarios()).isEqualTo(read(GOOD).scenarios());
		Suite suite = read(GOOD.replace("study:", "full-loads:\n  - {users: 9000, iterations: 4}\nstudy:")
			.replace("    webflux-r500", "    nginx-c9000x4: {throughput: 1}\n    webflux-r500"));
		assertThat(suite.fullScenarios()).extracting(Scenario::id)
			.containsExactly("direct-c9000x4", "webflux-c9000x4", "nginx-c9000x4");
		assertThat(suite.scenarios()).isEqualTo(read(GOOD).scenarios());
	}

	@Test
	void aLoadSendsTheRequestsThatItNames() throws Exception {
		Suite suite = read(GOOD.replace("{users: 16, think-time: 100ms}", "{users: 16, requests: [post]}"));
		Scenario scenario = suite.scenarios().getFirst();
		assertThat(scenario.id()).isEqualTo("direct-c16-post");
		assertThat(scenario.title()).isEqualTo("direct × 16 (post)");
		assertThat(scenario.workload().mix()).extracting(RequestType::name).containsExactly("post");
	}

	@Test
	void conditionsThatFailARunKeepTheirPlaces() throws Exception {
		assertThat(read(GOOD).failIf()).isEmpty();
		Suite suite = read("fail-if:\n  - nginx.cpu > 1ms\n  - \"webflux.cpu > 2ms\"\n" + GOOD);
		assertThat(suite.failIf()).extracting(Suite.FailIf::condition)
			.containsExactly("nginx.cpu > 1ms", "webflux.cpu > 2ms");
		assertThat(suite.failIf().getLast().place()).endsWith("mine.yml:3: fail-if.1");
	}

	@Test
	void variantsThatAreSetUpAlikeMayShareAProcess() throws Exception {
		String own = """
				webflux-too:
				  extends: [spring]
				  jar: gateway-webflux
				  config: {a: {c: 3}}
				  process: webflux
				  threads: 200
				""";
		String shared = GOOD.replace("  nginx:\n", own.indent(2) + "  nginx:\n");
		Suite suite = read(shared);
		Variant variant = suite.scenarios().get(2).variant();
		assertThat(variant.id()).isEqualTo("webflux-too");
		assertThat(variant.threads()).isEqualTo(200);
		assertThat(variant.process()).isEqualTo(suite.scenarios().get(1).variant().process());
		assertThatExceptionOfType(InvalidSuiteException.class)
			.isThrownBy(() -> read(shared.replace("config: {a: {c: 3}}\n    process", "process")))
			.withMessageContaining(
					"mine.yml:18: variants.webflux-too.process: 'webflux' is the process of 'webflux', which runs something else; choose another name, or make both alike");
	}

	@Test
	void aVariantHasWhatItsTemplatesSayAndItsOwnKeysOnTop() throws Exception {
		Component.Jar jar = (Component.Jar) read(GOOD).scenarios().get(1).variant().component();
		assertThat(jar.ready()).isEqualTo("/actuator/health");
		assertThat(jar.config()).isEqualTo(Map.of("server", Map.of("port", "${port}"), "a", Map.of("b", 1, "c", 3)));
	}

	@Test
	void whatIsNullIsNotTakenFromATemplate() throws Exception {
		Suite suite = read(GOOD.replace("    config: {a: {c: 3}}", "    config: {a: null}\n    ready: null"));
		Component.Jar jar = (Component.Jar) suite.scenarios().get(1).variant().component();
		assertThat(jar.ready()).isNull();
		assertThat(jar.config()).containsOnlyKeys("server");
	}

	@Test
	void filesNextToTheSuiteAndShippedOnesAreImported() throws Exception {
		Files.writeString(this.directory.resolve("loads.yml"), "loads: [{users: 4}]\nimport: [samples]\n");
		Suite suite = read(GOOD.replaceFirst("title: Mine beside nginx", "title: A\nimport: [./loads.yml]")
			.replaceFirst("(?s)loads:.*", "")
			.replace("    extends: [spring]\n    jar: gateway-webflux", "    extends: [webflux]"));
		assertThat(suite.scenarios()).hasSize(3).allSatisfy((scenario) -> assertThat(scenario.id()).endsWith("-c4"));
	}

	@Test
	void whatIsNullIsNotTakenFromAnImportedFile() throws Exception {
		Files.writeString(this.directory.resolve("more.yml"),
				"components: {others: {url: \"http://others:80\"}}\nvariants: {other: {url: \"http://other:80\"}}");
		Suite suite = read(GOOD.replaceFirst("title: Mine beside nginx", "title: A\nimport: [./more.yml]")
			.replace("variants:\n", "variants:\n  other: null\n")
			.replace("components:\n", "components:\n  others: null\n"));
		assertThat(suite.components()).doesNotContainKey("others");
		assertThat(suite.scenarios()).noneMatch((scenario) -> scenario.variant().id().equals("other"));
	}

	@Test
	void aJarIsNextToTheFileThatNamesIt() throws Exception {
		Path jar = Files.createDirectories(this.directory.resolve("shared")).resolve("shared.jar");
		Files.writeString(jar, "");
		Files.writeString(this.directory.resolve("shared/gateway.yml"), "templates: {ours: {jar: shared.jar}}");
		Suite suite = read(GOOD.replaceFirst("title: Mine beside nginx", "title: A\nimport: [shared/gateway.yml]")
			.replace("    extends: [spring]\n    jar: gateway-webflux", "    extends: [spring, ours]"));
		assertThat(((Component.Jar) suite.scenarios().get(1).variant().component()).jar()).isEqualTo(jar.toString());
	}

	@Test
	void aJarIsNextToTheSuite() throws Exception {
		Files.writeString(this.directory.resolve("mine.jar"), "");
		Suite suite = read(GOOD.replace("jar: gateway-webflux", "jar: mine.jar"));
		assertThat(((Component.Jar) suite.scenarios().get(1).variant().component()).jar())
			.isEqualTo(this.directory.resolve("mine.jar").toString());
	}

	@Test
	void anotherFileSaysWhatRunsOnWhichHost() throws Exception {
		Path hosts = Files.writeString(this.directory.resolve("hosts.yml"), """
				hosts:
				  gw: {ssh: bench@10.0.0.3, java: /opt/java}
				  backend:
				components: {backends: {host: backend}}
				variants: {webflux: {host: gw}}
				""");
		Path file = Files.writeString(this.directory.resolve("mine.yml"), GOOD);
		Suite suite = Suites.find(file.toString(), hosts);
		assertThat(suite.components().get("backends")).isInstanceOfSatisfying(Component.OnHost.class, (there) -> {
			assertThat(there.component()).isInstanceOf(Component.Simulator.class);
			assertThat(there.host())
				.isEqualTo(new Host("backend", "backend", List.of(), "backend", "java", "/tmp/gateway-bench", 20_000));
		});
		assertThat(suite.scenarios().get(1).variant().component()).isInstanceOfSatisfying(Component.OnHost.class,
				(there) -> assertThat(there.host()).isEqualTo(new Host("gw", "bench@10.0.0.3", List.of(), "10.0.0.3",
						"/opt/java", "/tmp/gateway-bench", 20_000)));
		assertThat(Suites.find("gateway", Files.writeString(hosts, "variants: {webflux: {title: Ours}}")).scenarios())
			.anyMatch((scenario) -> scenario.variant().title().equals("Ours"));
	}

	@Test
	void nullRemovesWhatAnImportedFileHas() throws Exception {
		Files.writeString(this.directory.resolve("base.yml"), GOOD);
		String mine = "import: [./base.yml]\nrequests: {post: null, get: {headers: {X-A: null}}}\nvariants: {nginx: null}\n";
		Suite suite = read(mine);
		assertThat(suite.scenarios()).extracting((scenario) -> scenario.variant().id()).doesNotContain("nginx");
		assertThat(suite.scenarios().getFirst().workload().mix()).extracting(RequestType::name).containsExactly("get");
		assertThat(read(mine + "study: {claims: null, figures: {webflux-r500-poisson-on64: null}}").study().figures())
			.isEmpty();
	}

	@Test
	void anOptionalProgramIsLeftOutWhereItIsNotInstalled() throws Exception {
		String absent = GOOD.replace("[nginx, -c", "[no-such-program, -c");
		assertThat(read(absent).scenarios()).extracting((scenario) -> scenario.variant().absent()).containsOnlyNulls();
		assertThat(read(absent.replace("    baseline", "    optional: true\n    baseline")).scenarios())
			.extracting((scenario) -> scenario.variant().absent())
			.containsOnly(null,
					"nginx, as there is no program 'no-such-program' on the PATH; install it to compare it");
		for (String there : List.of("sh", "/bin/sh")) {
			assertThat(read(GOOD.replace("[nginx, -c", "[" + there + ", -c")
				.replace("    baseline", "    optional: true\n    baseline")).scenarios())
				.extracting((scenario) -> scenario.variant().absent())
				.containsOnlyNulls();
		}
	}

	@Test
	void aVariantSaysWhatLoadSpeaksWithIt() throws Exception {
		String suite = GOOD.replace("    baseline", "    protocol: h2c\n    streams: 5\n    baseline")
			.replace("    jar: gateway-webflux", "    jar: gateway-webflux\n    protocol: https");
		assertThat(read(suite).scenarios()).extracting(Scenario::variant)
			.extracting(Variant::id, Variant::protocol, Variant::streams)
			.contains(tuple("direct", Protocol.HTTP, 10), tuple("webflux", Protocol.HTTPS, 10),
					tuple("nginx", Protocol.H2C, 5));
		String there = GOOD.replace("jar: gateway-webflux", "url: 'https://10.0.0.7'")
			.replace("    extends: [spring]\n", "")
			.replace("    config: {a: {c: 3}}\n", "");
		assertThat(read(there).scenarios()).extracting((scenario) -> scenario.variant().protocol())
			.contains(Protocol.HTTPS);
	}

	@Test
	void aBodyMayBeMadeOfItsSize() throws Exception {
		RequestType post = read(GOOD.replace("body: \"{}\"", "body-size: 12")).scenarios()
			.getFirst()
			.workload()
			.mix()
			.getLast();
		assertThat(post.bodySize()).isEqualTo(12);
		assertThat(post.body()).isNull();
		assertThat(post.filled().body()).isEqualTo("\"xxxxxxxxxx\"");
	}

	@Test
	void aWebSocketHasNoFieldAndTakesHttp1Only() throws Exception {
		String socket = GOOD.replace("min-bytes: 4000", "min-bytes: 4000, web-socket: true")
			.replace("    jar: gateway-webflux", "    jar: gateway-webflux\n    gateway-field: WebFlux");
		assertThat(read(socket).scenarios())
			.allSatisfy((scenario) -> assertThat(scenario.workload().mix().getFirst().expect())
				.isEqualTo(new Expectation(101, 4000, null)));
		String multiplexed = socket.replace("    jar: gateway-webflux", "    jar: gateway-webflux\n    protocol: h2");
		assertThatExceptionOfType(InvalidSuiteException.class).isThrownBy(() -> read(multiplexed))
			.withMessageContaining(
					"requests.get.web-socket: true is not possible; it takes HTTP/1.1, and variant webflux speaks HTTP/2");
	}

	@Test
	void aVariantMayBeLeftOutUnlessTheRunIsFullOrTheUserChooses() throws Exception {
		Suite suite = read(GOOD.replace("    jar: gateway-webflux", "    jar: gateway-webflux\n    only-full: true"));
		assertThat(suite.scenarios()).noneMatch((scenario) -> scenario.variant().id().equals("webflux"));
		assertThat(suite.fullScenarios()).anyMatch((scenario) -> scenario.variant().id().equals("webflux"));
		assertThat(suite.optionalScenarios()).anyMatch((scenario) -> scenario.variant().id().equals("webflux"))
			.containsAll(suite.scenarios());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', ignoreLeadingAndTrailingWhitespace = false, value = {
			"  backends: {sim|\\tbackends: {sim|:3: this is not YAML",
			"think-time: 100ms}|think-time: 100ms|:25: this is not YAML",
			"  direct: {url|  webflux: {url|:10: this is not YAML (Duplicate",
			"  nginx:|  backends:|:15: variants.backends: 'backends' is a component, too",
			"loads:|loads:\\n  -|:24: loads.0: it is empty; write 'users:' or 'rate:'",
			"body: \"{}\"|body: '{}', body-size: 12|:22: requests.post.body-size: 12 is not possible; choose 2 to 16777216 bytes, and no body beside it",
			"body: \"{}\"|web-socket: true|:22: requests.post.status: 201 is not possible; the status of a WebSocket is 101; leave it out",
			", status: 201|, web-socket: true|:22: requests.post.web-socket: true is not possible; its request is a GET without a body",
			"status: 201|status: 101|:22: requests.post.status: 101 is not possible; choose 200 to 599, or write web-socket: true",
			"body: \"{}\"|body-size: 1|:22: requests.post.body-size: 1 is not possible",
			"    jar: gateway-webflux|    jar: gateway-webflux\\n    streams: 5|:14: variants.webflux.streams: 5 is not possible; choose 1 to 100, with protocol h2 or h2c",
			"    jar: gateway-webflux|    jar: gateway-webflux\\n    protocol: spdy|:14: variants.webflux.protocol: 'spdy' does not fit; write one of http, https, h2, h2c",
			"url: \"${orders.url}\"|url: \"https://a:1\", protocol: h2c|:9: variants.direct.protocol: H2C is not possible; with a url of https choose https or h2",
			"title: Mine beside nginx|titel: Mine|:1: titel: there is no such key here; choose one of answer, choose, components, fail-if, full-loads, hosts, import, loads",
			"title: Mine beside nginx|choose: [a]|:1: title: it is missing; say what is compared",
			"title: Mine beside nginx|title: ''\\n|:1: title: '' is not possible; say what is compared",
			"title: Mine|design: turns\\ntitle: Mine|:1: design: there is no such key here",
			"title: Mine|full-design: fresh\\ntitle: Mine|:1: full-design: there is no such key here",
			"title: Mine|answer: {metric: beauty}\\ntitle: Mine|:1: answer",
			"title: Mine|answer: {load: c9}\\ntitle: Mine|:1: answer.load: there is no load c9; choose one of c16-think100ms, r500-poisson-on64",
			"title: Mine|import: [nothing]\\ntitle: Mine|:1: import: 'nothing' is not shipped; name a file relative to this one, or one of samples",
			"title: Mine|import: [./mine.yml]\\ntitle: Mine|:1: import: './mine.yml' imports itself; name a file",
			"{orders: 2}|{orders: 0}|:3: components.backends.simulator.orders: 0 is not possible; choose 1 to 100 instances",
			"{orders: 2}|{Orders!: 2}|:3: components.backends.simulator: 'Orders!' is not possible; use up to 64 small letters",
			"zero-delay: true|zero-delay: maybe|:3: components.backends.zero-delay: 'maybe' does not fit; write true or false",
			"    ready: /actuator/health|    ready: actuator|:6: templates.spring.ready: 'actuator' is not possible; write a path that begins with /",
			"${port}\"}, a|${prt}\"}, a|:7: templates.spring.config.server.port: ${prt} refers to nothing; choose one of orders.url",
			"${orders.url}|${order.url}|:9: variants.direct.url: ${order.url} refers to nothing; choose one of orders.url",
			"url: \"${orders.url}\"|url: \"10.0.0.7:8080\"|:9: variants.direct.url: '10.0.0.7:8080' is not possible; write http://host:port or https://host:port without a path",
			"url: \"${orders.url}\"|url: \"${orders.url}\", actuator: /actuator|:9: variants.direct.actuator: '/actuator' is not possible; remove it, as a url that is a reference is the control",
			"url: \"${orders.url}\"|url: \"http://a:1\", actuator: \"ftp://a:1/x\"|:9: variants.direct.actuator: 'ftp://a:1/x' is not possible; write a path, such as /actuator",
			"    jar: gateway-webflux|    jar: no-such.jar|:13: variants.webflux.jar: there is no file",
			"    jar: gateway-webflux|    jarr: gateway-webflux|:10: variants.webflux: it is not said what runs; write one of jar, command, url and simulator",
			"    jar: gateway-webflux|    jar: gateway-webflux\\n    command: [a]|:10: variants.webflux: only one of command, jar is possible",
			"    jar: gateway-webflux|    jar: gateway-webflux\\n    jwm: [a]|:14: variants.webflux.jwm: there is no such key here; choose one of arguments, config, jar, jvm, ready",
			"    jar: gateway-webflux|    jar: gateway-webflux\\n    jvm: -Xss1m|:14: variants.webflux.jvm: '-Xss1m' does not fit; write a list, such as [a, b]",
			"    jar: gateway-webflux|    jar: gateway-webflux\\n    host: gw|:14: variants.webflux.host: 'gw' is no host; add it to 'hosts'",
			"url: \"${orders.url}\"|url: \"${orders.url}\", host: gw|:9: variants.direct.host: what has a url runs already; remove host",
			"title: Mine|hosts: {gw: {ssh: -oProxyCommand}}\\ntitle: Mine|:1: hosts.gw.ssh: '-oProxyCommand' is not possible; write user@host",
			"extends: [spring]|extends: [sprong]|:12: variants.webflux.extends: 'sprong' is no template; choose one of spring",
			"extends: [spring]|extends: spring|:12: variants.webflux.extends: 'spring' is no list; write [spring]",
			"  spring:|  spring:\\n    extends: [spring]|:6: templates.spring.extends: 'spring' extends itself; remove one of them",
			"    baseline: webflux|    title: WebFlux|:18: variants.nginx.title: another variant is called 'WebFlux', too; choose another title",
			"baseline: webflux|baseline: webfluks|:18: variants.nginx.baseline: 'webfluks' is no other variant; choose one of direct, webflux, nginx",
			"  nginx:|  Nginx:|:15: variants.Nginx: 'Nginx' is not possible; use up to 64 small letters",
			"files: {nginx.conf|files: {../nginx.conf|:17: variants.nginx.files: '../nginx.conf' is not possible; use a file name without a directory",
			"path: /api/data|path: api/data|:21: requests.get.path: 'api/data' is not possible; write a path that begins with /",
			"weight: 3|weight: -1|:21: requests.get.weight: -1.0 is not possible; choose more than 0",
			"status: 201|status: 201, backend: 0s|:22: requests.post.backend: PT0S is not possible; choose 1ms or more, or leave it out",
			"users: 16|users: 16, requests: [put]|:24: loads.0.requests: 'put' is not possible; choose from get, post",
			"users: 16|users: 16, requests: []|:24: loads.0.requests: [] is not possible; name one at least, or leave them out",
			"    baseline: webflux|    threads: 0|:18: variants.nginx.threads: 0 is not possible; choose 1 or more",
			"    baseline: webflux|    process: Two words|:18: variants.nginx.process: 'Two words' is not possible; use up to 64 small letters",
			"study:|full-loads: [{users: 0}]\\nstudy:|:28: full-loads.0.users: 0 is not possible; choose 1 to 60000",
			"status: 201|status: 99|:22: requests.post.status: 99 is not possible; choose 200 to 599",
			"headers: {Content-Type: application/json}|headers: {Host header: a}|:22: requests.post.headers: 'Host header: a' is not possible; write a name and a value in printable ASCII",
			"users: 16|users: many|:24: loads.0.users: 'many' does not fit; write a whole number",
			"users: 16|users: 0|:24: loads.0.users: 0 is not possible; choose 1 to 60000",
			"users: 16|users: 16, rate: 5|:24: loads.0.rate: 5.0 is not possible; write either users or rate",
			"think-time: 100ms|think-time: soon|:24: loads.0.think-time: 'soon' does not fit; write a duration such as 500ms",
			"rate: 500|rate: -500|:25: loads.1.rate: -500.0 is not possible; choose 1 to 1000000 per second",
			"factor: 10|factor: 10000|:26: loads.2.steps.1.factor: 10000.0 is not possible; choose 0 to 1,000",
			"factor: 10|factor: 10, to: -1|:26: loads.2.steps.1.to: -1.0 is not possible; choose 0 to 1,000",
			"  - {rate: 500,|  - {users: 16, think-time: 100ms}\\n  - {rate: 500,|:25: loads.1: the same load is there twice; remove one",
			"rate: 500|p99-limit: 1s|:25: loads.1.users: it is missing; write either users or rate",
			"rate: 500|rate: 500, p99-limit: 0s|:25: loads.1.p99-limit: PT0S is not possible; choose 1ms or more",
			"iterations: 100|iterations: 0|:27: loads.3.iterations: 0 is not possible; choose 1 to 1000000",
			"max-duration: 5m|max-duration: 0s|:27: loads.3.max-duration: PT0S is not possible; choose 1s to less than 24h",
			"users: 32, iterations: 100|users: 32|:27: loads.3.max-duration: PT5M is not possible; it belongs to iterations",
			"rate: 500|rate: 500, iterations: 9|:25: loads.1.iterations: 9 is not possible; they belong to users",
			"webflux-r500-poisson-on64|webflux-r500|:31: study.figures.webflux-r500: there is no scenario 'webflux-r500'; choose one of direct-c16-think100ms",
			"throughput: 480|throughput: fast|:31: study.figures.webflux-r500-poisson-on64.throughput: 'fast' does not fit; write a number",
			"scenario: nginx-c32x100|scenario: nginx|:33: study.claims.0.scenario: there is no scenario 'nginx'; choose one of direct-c16-think100ms",
			"beside: webflux-c32x100|beside: apache|:33: study.claims.0.beside: there is no scenario 'apache'; choose one of direct-c16-think100ms",
			"metric: throughput|metric: speed|:33: study.claims.0.metric: 'speed' is not possible; choose one of cpu, allocation, heap, memory, throughput",
			"direction: more|direction: faster|:33: study.claims.0.direction: 'faster' does not fit; write one of less, equal, more",
			"direction: more|direction: more, ratio: 0|:33: study.claims.0.ratio: 0.0 is not possible; choose more than 0",
			", direction: more|``|:33: study.claims.0.direction: it is missing; write less, equal or more",
			"title: Mine beside nginx|title: &name Mine\\nchoose: [*name]|:2: there is an alias of YAML; write a template and extend it" })
	void aMistakeIsToldWithItsLineItsKeyItsValueAndWhatToWrite(String right, String wrong, String message) {
		assertThat(GOOD).contains(right);
		String yaml = GOOD.replace(right, wrong.replace("\\n", "\n").replace("\\t", "\t"));
		assertThatExceptionOfType(InvalidSuiteException.class).isThrownBy(() -> read(yaml))
			.withMessageContaining("mine.yml" + message);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "''|there are no keys; begin with 'title:'", "[a, b]|there are no keys",
			"title: A|variants: it is missing; name what is compared" })
	void aFileWithoutASuiteIsToldWhatItNeeds(String yaml, String message) {
		assertThatExceptionOfType(InvalidSuiteException.class).isThrownBy(() -> read(yaml))
			.withMessageMatching(".*mine.yml(:1)?: \\Q" + message + "\\E.*");
	}

	@Test
	void aFileThatIsNotThereIsNamed() {
		assertThatExceptionOfType(InvalidSuiteException.class)
			.isThrownBy(() -> Suites.find(this.directory.resolve("absent.yml").toString(), null))
			.withMessageContaining("absent.yml is no file that is there");
	}

	private Suite read(String yaml) throws IOException {
		Path file = this.directory.resolve("mine.yml");
		Files.write(file, yaml.getBytes(StandardCharsets.UTF_8));
		return Suites.find(file.toString(), null);
	}

}
