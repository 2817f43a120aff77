package io.gatewaybench.benchmark;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.gatewaybench.benchmark.export.ExportFormat;

import static org.assertj.core.api.Assertions.assertThat;

class ExportCommandTests {

	private final BenchFixture bench = new BenchFixture();

	@TempDir
	private Path directory;

	@ParameterizedTest
	@EnumSource(ExportFormat.class)
	void everyFormatHasTheLoadsOfTheDefaultSuite(ExportFormat format) throws Exception {
		Path out = this.directory.resolve("new");
		assertThat(this.bench.run("export", "gateway", "--format", format.key(), "--only", "webflux-c16", "--out",
				out.toString()))
			.isZero();
		assertThat(files(out)).extracting((file) -> file.getFileName().toString().replaceFirst("\\..*", ""))
			.contains("direct-c16", "webflux-c16");
		assertThat(this.bench.out()).contains("Files: " + out,
				"webflux is started by the runner, so its address is not known: the files send to http://localhost:8080");
		// Once for all loads
		assertThat(this.bench.out().lines()).filteredOn((line) -> line.endsWith("does not check the _gateway field"))
			.singleElement()
			.asString()
			.startsWith(format.title() + ", webflux-c16: ");
	}

	@Test
	void theTargetIsThatOfTheVariantOrOfTheOption() throws Exception {
		Path suite = Files.writeString(this.directory.resolve("mine.yml"), """
				title: Mine
				components: {nginx: {url: "http://10.0.0.7:80/"}}
				variants:
				  direct: {url: "${nginx.url}"}
				  gateway: {url: "http://10.0.0.8:8080"}
				requests: {a: {path: /a}}
				loads: [{users: 4}]
				""");
		Path out = this.directory.resolve("own");
		assertThat(this.bench.run("export", suite.toString(), "--format", "k6", "--out", out.toString())).isZero();
		assertThat(out.resolve("direct-c4.js")).content().contains("__ENV.TARGET || \"http://10.0.0.7:80\"");
		assertThat(out.resolve("gateway-c4.js")).content().contains("__ENV.TARGET || \"http://10.0.0.8:8080\"");
		assertThat(this.bench.out()).doesNotContain("started by the runner");
		Path other = this.directory.resolve("other");
		assertThat(this.bench.run("export", suite.toString(), "--format", "jmeter", "--target", "http://a:1", "--out",
				other.toString()))
			.isZero();
		assertThat(this.bench.out()).contains("gateway-c4.jmx", "-Jtarget.host=a -Jtarget.port=1");
	}

	@Test
	void whatCanNotBeExportedIsWrongUsageAndWritesNothing() {
		Path out = this.directory.resolve("none");
		for (List<String> wrong : List.of(List.of("gateway", "--format", "wrk"), List.of("capacity", "--format", "k6"),
				List.of("gateway", "--format", "k6", "--target", "ftp://a"),
				List.of("gateway", "--format", "k6", "--target", "h2://a"),
				List.of("gateway", "--format", "k6", "--duration", "1ms"), List.of("nothing", "--format", "k6"))) {
			assertThat(this.bench.run(Stream.of(List.of("export"), wrong, List.of("--out", out.toString()))
				.flatMap(List::stream)
				.toArray(String[]::new))).isEqualTo(Bench.USAGE);
		}
		assertThat(this.bench.err()).contains("Invalid value for option '--format'", "searches its highest rate",
				"--target is 'ftp://a'; write http://host:port",
				"speaks HTTP/2, which only the runner's own engine does", "--duration 1ms",
				"There is no suite 'nothing'");
		assertThat(out).doesNotExist();
	}

	@Test
	void noFileIsReplaced() throws Exception {
		Files.writeString(this.directory.resolve("webflux-c16.js"), "mine");
		assertThat(this.bench.run("export", "gateway", "--format", "k6", "--only", "webflux-c16", "--out",
				this.directory.toString()))
			.isEqualTo(Bench.NOT_MEASURED);
		assertThat(this.bench.err()).contains("webflux-c16.js is there already; remove it");
		assertThat(this.directory.resolve("webflux-c16.js")).hasContent("mine");
	}

	private static List<Path> files(Path directory) throws Exception {
		try (Stream<Path> files = Files.list(directory)) {
			return files.toList();
		}
	}

}
