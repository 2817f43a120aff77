package io.gatewaybench.benchmark.observe;

import java.net.URI;
import java.util.List;
import java.util.ServiceLoader;

import org.jspecify.annotations.Nullable;

/**
 * A kind of {@link Probe}. Providers are found by {@link ServiceLoader}: a jar on the
 * class path names its own in
 * {@code META-INF/services/io.gatewaybench.benchmark.observe.ProbeProvider}.
 */
public interface ProbeProvider {

	/**
	 * Looks at a target, after it has started and before it is warmed up.
	 * @param target what is measured
	 * @return the probe, {@code null} if it has nothing to tell about such a target
	 */
	@Nullable Probe attach(Target target);

	/**
	 * All providers that are there.
	 * @return our own first
	 */
	static List<ProbeProvider> all() {
		return ServiceLoader.load(ProbeProvider.class, ProbeProvider.class.getClassLoader())
			.stream()
			.map(ServiceLoader.Provider::get)
			.toList();
	}

	/**
	 * What is measured.
	 *
	 * @param address {@code http://host:port}
	 * @param pid its process, {@code null} if it has none on this machine
	 * @param jvm what looks into its JVM, {@code null} if there is none. It belongs to
	 * the caller, and stays open as long as the probe
	 */
	record Target(URI address, @Nullable Long pid, @Nullable JvmProbe jvm) {
	}

}
