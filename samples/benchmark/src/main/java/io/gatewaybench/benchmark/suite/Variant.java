package io.gatewaybench.benchmark.suite;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * One way to set up a gateway, the thing that is compared.
 *
 * @param id the name in scenario ids, for example {@code webmvc-vt}
 * @param title the name in reports, for example {@code WebMVC+VT}
 * @param flavour the server it runs on, {@code null} for {@link #DIRECT}
 * @param threads what serves a request
 * @param arguments further arguments of the gateway, such as
 * {@code --server.tomcat.threads.max=400}
 */
public record Variant(String id, String title, @Nullable Flavour flavour, Threads threads, List<String> arguments) {

	/**
	 * The control: no gateway, load goes to a backend directly. What it shows of noise
	 * and of latency is none of a gateway's.
	 */
	public static final Variant DIRECT = new Variant("direct", "direct", null, Threads.PLATFORM, List.of());

	/**
	 * Copies the list.
	 */
	public Variant {
		arguments = List.copyOf(arguments);
	}

	/**
	 * Whether it is {@link #DIRECT}.
	 * @return whether there is no gateway
	 */
	public boolean control() {
		return this.flavour == null;
	}

	/**
	 * The same variant under another name, to be compared with itself: what differs then
	 * is noise (an A/A test).
	 * @return a copy
	 */
	public Variant again() {
		return new Variant(this.id + "-again", this.title + " again", this.flavour, this.threads, this.arguments);
	}

}
