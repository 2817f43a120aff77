package io.gatewaybench.benchmark.suite;

import java.util.List;

import io.gatewaybench.benchmark.load.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * What is compared: a gateway in one configuration, or the control without a gateway.
 *
 * @param id the name in scenario ids, for example {@code webmvc-vt}
 * @param title the name in reports, for example {@code WebMVC+VT}
 * @param component what load is sent to
 * @param process name of the process that it runs in, which other variants with the same
 * component may share; its id if it has one of its own
 * @param threads how many requests it works on at a time at most, {@code null} if there
 * is no limit
 * @param prefixes what stands before the paths of the requests, such as
 * {@code /service-a}; each request takes one of them
 * @param gatewayField the type in the {@code _gateway} field that every response must end
 * with, {@code null} if it adds none
 * @param baseline title of the variant that it is compared with, {@code null} for the
 * first one under the same load
 * @param protocol what load speaks with it
 * @param streams how many users share a connection with HTTP/2
 */
public record Variant(String id, String title, Component component, String process, @Nullable Integer threads,
		List<String> prefixes, @Nullable String gatewayField, @Nullable String baseline, Protocol protocol,
		int streams) {

	/**
	 * Whether it is the control: load goes to a backend directly. What it shows of noise
	 * and of latency is none of a gateway's.
	 * @return whether there is no gateway
	 */
	public boolean control() {
		return this.component instanceof Component.Remote remote && remote.isReference();
	}

	/**
	 * Whether one process can be both.
	 * @param other another variant
	 * @return whether both run the same and speak the same
	 */
	boolean sharesWith(Variant other) {
		return this.component.equals(other.component) && this.protocol == other.protocol
				&& this.streams == other.streams;
	}

	/**
	 * Why a run leaves it out.
	 * @return its name and the reason, {@code null} if it takes part
	 */
	public @Nullable String absent() {
		return (this.component instanceof Component.Program program && program.optional() && !program.installed())
				? "%s, as there is no program '%s' on the PATH; install it to compare it".formatted(this.title,
						program.command().getFirst())
				: null;
	}

	/**
	 * The same variant under another name, to be compared with itself: what differs then
	 * is noise (an A/A test).
	 * @return a copy
	 */
	public Variant again() {
		return new Variant(this.id + "-again", this.title + " again", this.component, this.process + "-again",
				this.threads, this.prefixes, this.gatewayField, this.title, this.protocol, this.streams);
	}

}
