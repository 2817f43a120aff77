package io.gatewaybench.benchmark.suite;

import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * One way to set up a gateway, the thing that is compared.
 *
 * @param id the name in scenario ids, for example {@code webmvc-vt}
 * @param title the name in reports, for example {@code WebMVC+VT}
 * @param artifact the gateway, {@code null} for {@link #DIRECT}
 * @param threads what serves a request
 * @param arguments further arguments of the gateway, such as
 * {@code --server.tomcat.threads.max=400}; <code>{service-a}</code> stands for the
 * address of the first instance of that service
 * @param routes number of routes {@code /r0/**}, {@code /r1/**} and so on to the first
 * service that take the place of the gateway's own ones; 0 to leave these
 * @param baseline title of the variant that it is compared with, {@code null} for the
 * first one under the same load
 */
public record Variant(String id, String title, @Nullable GatewayArtifact artifact, Threads threads,
		List<String> arguments, int routes, @Nullable String baseline) {

	/**
	 * The control: no gateway, load goes to a backend directly. What it shows of noise
	 * and of latency is none of a gateway's.
	 */
	public static final Variant DIRECT = new Variant("direct", "direct", null, Threads.PLATFORM);

	/**
	 * Copies the list.
	 */
	public Variant {
		arguments = List.copyOf(arguments);
	}

	/**
	 * A gateway as its sample is configured.
	 * @param id the name in scenario ids
	 * @param title the name in reports
	 * @param artifact the gateway
	 * @param threads what serves a request
	 */
	public Variant(String id, String title, @Nullable GatewayArtifact artifact, Threads threads) {
		this(id, title, artifact, threads, List.of(), 0, null);
	}

	/**
	 * The same gateway with more arguments.
	 * @param more what is added to the command line
	 * @return a copy
	 */
	public Variant with(List<String> more) {
		return new Variant(this.id, this.title, this.artifact, this.threads,
				Stream.concat(this.arguments.stream(), more.stream()).toList(), this.routes, this.baseline);
	}

	Variant named(String suffix, String what) {
		return new Variant(this.id + "-" + suffix, this.title + " " + what, this.artifact, this.threads, this.arguments,
				this.routes, this.baseline);
	}

	Variant from(GatewayArtifact other) {
		return new Variant(this.id, this.title, other, this.threads, this.arguments, this.routes, this.baseline);
	}

	Variant withRoutes(int number) {
		return new Variant(this.id, this.title, this.artifact, this.threads, this.arguments, number, this.baseline);
	}

	Variant beside(Variant other) {
		return new Variant(this.id, this.title, this.artifact, this.threads, this.arguments, this.routes,
				other.title());
	}

	/**
	 * The server it runs on.
	 * @return the flavour of the sample, {@code null} for {@link #DIRECT}
	 */
	public @Nullable Flavour flavour() {
		return (this.artifact != null) ? this.artifact.flavour() : null;
	}

	/**
	 * Whether it is {@link #DIRECT}.
	 * @return whether there is no gateway
	 */
	public boolean control() {
		return this.artifact == null;
	}

	/**
	 * Whether both are the same gateway, however it is loaded.
	 * @param other the other
	 * @return whether they differ in name only
	 */
	public boolean isSetUpLike(Variant other) {
		return this.artifact == other.artifact && this.threads == other.threads
				&& this.arguments.equals(other.arguments) && this.routes == other.routes;
	}

	/**
	 * The same variant under another name, to be compared with itself: what differs then
	 * is noise (an A/A test).
	 * @return a copy
	 */
	public Variant again() {
		return named("again", "again").beside(this);
	}

}
