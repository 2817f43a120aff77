package io.gatewaybench.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.gatewaybench.autoconfigure.LibraryVersions.Library;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

@ExtendWith(OutputCaptureExtension.class)
class LibraryVersionsTests {

	private static final Library TOMCAT = new Library("Tomcat", "11.0.29", List.of("tomcat"));

	private static final Library NETTY = new Library("Netty", "4.2.18.Final", List.of("netty"));

	private static final Library GATEWAY = new Library("Gateway", "5.0.2", List.of("webflux", "webmvc"));

	@Test
	void thoseThatAreOlderAreToldWithWhatToTake() {
		assertThat(holes(Map.of("tomcat", "11.0.24", "netty", "4.2.9.Final")))
			.isEqualTo("Tomcat 11.0.24 (mended in 11.0.29), Netty 4.2.9.Final (mended in 4.2.18.Final)");
		assertThat(holes(Map.of("webmvc", "5.0.1"))).isEqualTo("Gateway 5.0.1 (mended in 5.0.2)");
	}

	@Test
	void thoseThatAreNewEnoughAreNotTold() {
		assertThat(holes(Map.of("tomcat", "11.0.29", "netty", "4.2.100.Final", "webflux", "5.1.0"))).isEmpty();
	}

	@Test
	void aVersionThatCannotBeToldIsNoHole() {
		assertThat(holes(Map.of("tomcat", "unknown", "netty", ""))).isEmpty();
		assertThat(LibraryVersions.versionOf("there.is.no.such.Type")).isEmpty();
		assertThat(LibraryVersions.versionOf(LibraryVersionsTests.class.getName())).isEmpty();
	}

	private static String holes(Map<String, String> versions) {
		return LibraryVersions.holes(List.of(TOMCAT, NETTY, GATEWAY),
				(type) -> Optional.ofNullable(versions.get(type)));
	}

	@Test
	void theVersionOfEveryLibraryIsTold() {
		assertThat(LibraryVersions.list()).isNotEmpty()
			.allSatisfy((library) -> assertThat(library.classes())
				.allSatisfy((type) -> assertThat(LibraryVersions.versionOf(type)).as(type).isPresent()));
	}

	@Test
	void holesAreToldOnceAtTheStart(CapturedOutput output) {
		String holes = LibraryVersions.holes(LibraryVersions.list(), LibraryVersions::versionOf);
		new WebApplicationContextRunner().withUserConfiguration(Gateways.Application.class)
			.withPropertyValues("spring.cloud.gateway.server.webflux.enabled=false")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output.getOut().split("Libraries with known security holes: ", -1))
					.hasSize(holes.isEmpty() ? 1 : 2);
				assertThat(output).contains(holes);
			});
	}

	@Test
	void theSecurityPolicyNamesTheSameVersions() throws IOException {
		Map<String, String> expected = new LinkedHashMap<>();
		LibraryVersions.list().forEach((library) -> expected.put(library.name(), library.lowest()));
		Map<String, String> actual = new LinkedHashMap<>();
		policy().forEach((library, versions) -> actual.put(library, versions.get(0)));
		assertThat(actual).isEqualTo(expected);
	}

	/**
	 * What the build has, if it was not told to take another Spring Boot.
	 */
	@Test
	void theSecurityPolicyTellsWhatWeHave() throws IOException {
		assumeThat(Files.readString(Path.of("../pom.xml")))
			.contains("<spring-boot.version>%s<".formatted(SpringBootVersion.getVersion()));
		Map<String, String> expected = new LinkedHashMap<>();
		LibraryVersions.list()
			.forEach((library) -> expected.put(library.name(),
					LibraryVersions.versionOf(library.classes().get(0)).orElseThrow()));
		Map<String, String> actual = new LinkedHashMap<>();
		policy().forEach((library, versions) -> actual.put(library, versions.get(1)));
		assertThat(actual).isEqualTo(expected);
	}

	private static Map<String, List<String>> policy() throws IOException {
		Map<String, List<String>> versions = new LinkedHashMap<>();
		Matcher row = Pattern.compile("(?m)^\\| ([^|]+) \\| (\\d[^|]*) \\| (\\d[^|]*) \\|")
			.matcher(Files.readString(Path.of("../SECURITY.md")));
		while (row.find()) {
			versions.put(row.group(1), List.of(row.group(2), row.group(3)));
		}
		return versions;
	}

}
