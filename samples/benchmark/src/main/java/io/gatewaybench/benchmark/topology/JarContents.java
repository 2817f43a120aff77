package io.gatewaybench.benchmark.topology;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;

/**
 * What an executable jar of Spring Boot is made of.
 */
final class JarContents {

	private static final String LIBRARIES = "BOOT-INF/lib/";

	private static final Pattern SETTINGS = Pattern.compile("BOOT-INF/classes/[^/]+\\.(yml|yaml|properties)");

	// Those that can make a difference; the others are in the jar, whose hash is known
	private static final Pattern MATTERS = Pattern
		.compile("(gateway-bench|spring-boot-\\d|spring-web-|spring-webflux-|spring-webmvc-|spring-cloud-gateway|"
				+ "reactor-core|reactor-netty|netty-(transport|codec|handler|buffer)|tomcat-embed-core|httpclient5|"
				+ "httpcore5|jetty-(client|http|io)|jackson-(core|databind)|micrometer-core).*");

	private JarContents() {
	}

	/**
	 * The libraries that can make a difference.
	 * @param jar the jar
	 * @return their file names, none if it cannot be read
	 */
	static List<String> libraries(Path jar) {
		try (JarFile file = new JarFile(jar.toFile())) {
			return file.stream()
				.map(ZipEntry::getName)
				.filter((name) -> name.startsWith(LIBRARIES) && name.endsWith(".jar"))
				.map((name) -> name.substring(LIBRARIES.length(), name.length() - ".jar".length()))
				.filter((name) -> MATTERS.matcher(name).matches())
				.sorted()
				.toList();
		}
		catch (IOException ex) {
			return List.of();
		}
	}

	/**
	 * The configuration files.
	 * @param jar the jar
	 * @return their texts by jar and name, none if it cannot be read
	 */
	static Map<String, String> settings(Path jar) {
		Map<String, String> settings = new LinkedHashMap<>();
		try (JarFile file = new JarFile(jar.toFile())) {
			for (ZipEntry entry : file.stream().filter((each) -> SETTINGS.matcher(each.getName()).matches()).toList()) {
				try (InputStream in = file.getInputStream(entry)) {
					settings.put(jar.getFileName() + "!" + entry.getName().substring("BOOT-INF/classes/".length()),
							new String(in.readAllBytes(), StandardCharsets.UTF_8));
				}
			}
			return settings;
		}
		catch (IOException ex) {
			return Map.of();
		}
	}

}
