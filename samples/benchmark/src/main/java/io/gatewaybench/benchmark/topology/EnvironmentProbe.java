package io.gatewaybench.benchmark.topology;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.result.Environment;
import io.gatewaybench.benchmark.result.Environment.GroupedBy;
import org.jspecify.annotations.Nullable;
import oshi.SystemInfo;
import oshi.hardware.CentralProcessor;
import oshi.hardware.HardwareAbstractionLayer;

/**
 * Finds out what machine and what software this is.
 */
public final class EnvironmentProbe {

	private static final String LIBRARIES = "BOOT-INF/lib/";

	private static final Pattern SETTINGS = Pattern.compile("BOOT-INF/classes/[^/]+\\.(yml|yaml|properties)");

	// Those that can make a difference; the others are in the jar, whose hash is known
	private static final Pattern MATTERS = Pattern
		.compile("(gateway-bench|spring-boot-\\d|spring-web-|spring-webflux-|spring-webmvc-|spring-cloud-gateway|"
				+ "reactor-core|reactor-netty|netty-(transport|codec|handler|buffer)|tomcat-embed-core|httpclient5|"
				+ "httpcore5|jetty-(client|http|io)|jackson-(core|databind)|micrometer-core).*");

	private EnvironmentProbe() {
	}

	/**
	 * Looks at everything.
	 * @param installation the programs of this project
	 * @param jars what the run starts beside simulator and generator
	 * @param groupedBy by what Linux tells the processes apart
	 * @param backendCommand command line of the backends
	 * @param runnerArguments arguments of the runner
	 * @return what was found
	 */
	public static Environment probe(Installation installation, List<Path> jars, GroupedBy groupedBy,
			List<String> backendCommand, List<String> runnerArguments) {
		String commit = output(installation.home(), "git", "rev-parse", "HEAD");
		String changes = (commit != null) ? output(installation.home(), "git", "status", "--porcelain") : null;
		Map<String, String> hashes = new LinkedHashMap<>();
		Map<String, List<String>> libraries = new LinkedHashMap<>();
		Map<String, String> settings = new LinkedHashMap<>();
		for (Path jar : jars) {
			hashes.put(jar.getFileName().toString(), sha256(jar));
			look(jar, libraries, settings);
		}
		for (Path jar : List.of(installation.backends(), installation.runner())) {
			hashes.put(jar.getFileName().toString(), sha256(jar));
		}
		SystemInfo system = new SystemInfo();
		HardwareAbstractionLayer hardware = system.getHardware();
		return new Environment(cpu(hardware.getProcessor()), Runtime.getRuntime().availableProcessors(),
				hardware.getMemory().getTotal(),
				System.getProperty("os.name")
						+ " " + System.getProperty("os.version") + " " + System.getProperty("os.arch"),
				groupedBy, System.getProperty("java.version"),
				System.getProperty("java.vm.vendor") + " " + System.getProperty("java.vm.name") + " "
						+ System.getProperty("java.vm.version"),
				commit, (changes != null) ? !changes.isEmpty() : null, hashes, MachineDetails.read(system), libraries,
				settings, backendCommand, runnerArguments);
	}

	/**
	 * Looks into a jar. Nothing is known of one that cannot be read.
	 * @param jar the jar
	 * @param libraries takes the file names of those that can make a difference
	 * @param settings takes the texts of the configuration files
	 */
	private static void look(Path jar, Map<String, List<String>> libraries, Map<String, String> settings) {
		String name = jar.getFileName().toString();
		libraries.put(name, List.of());
		try (JarFile file = new JarFile(jar.toFile())) {
			libraries.put(name,
					file.stream()
						.map(ZipEntry::getName)
						.filter((entry) -> entry.startsWith(LIBRARIES) && entry.endsWith(".jar"))
						.map((entry) -> entry.substring(LIBRARIES.length(), entry.length() - ".jar".length()))
						.filter((library) -> MATTERS.matcher(library).matches())
						.sorted()
						.toList());
			for (ZipEntry entry : file.stream().filter((each) -> SETTINGS.matcher(each.getName()).matches()).toList()) {
				settings.put(name + "!" + entry.getName().substring("BOOT-INF/classes/".length()),
						new String(file.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8));
			}
		}
		catch (IOException ex) {
			// A detail for the record; a run does not fail for want of it
		}
	}

	private static String cpu(CentralProcessor processor) {
		String model = processor.getProcessorIdentifier().getName().strip();
		return model.isEmpty() ? System.getProperty("os.arch") : model;
	}

	/**
	 * The hash of a file.
	 * @param file the file
	 * @return its SHA-256, in hexadecimal digits
	 */
	public static String sha256(Path file) {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			Files.copy(file, new DigestOutputStream(OutputStream.nullOutputStream(), digest));
			return HexFormat.of().formatHex(digest.digest());
		}
		catch (IOException ex) {
			throw new BenchFailure(file + " can't be read: " + ex.getMessage(), ex);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("every Java platform has SHA-256", ex);
		}
	}

	/**
	 * What a small program prints, {@code null} if it is not there or fails.
	 */
	private static @Nullable String output(Path directory, String... command) {
		try {
			Process process = new ProcessBuilder(command).directory(directory.toFile())
				.redirectError(ProcessBuilder.Redirect.DISCARD)
				.start();
			String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			return (process.onExit().join().exitValue() == 0) ? text.strip() : null;
		}
		catch (IOException ex) {
			return null;
		}
	}

}
