package io.gatewaybench.sim;

import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A profile as its file has it: changes of the defaults, the more specific ones last.
 *
 * @param seed the seed of all endpoints
 * @param payload how all bodies are made
 * @param endpoints what is different at an endpoint
 * @param instances what is different at an endpoint of an instance
 */
record ProfileFile(@Nullable Long seed, @Nullable PayloadMode payload, @Nullable Map<Endpoint, Change> endpoints,
		@Nullable Map<String, Map<Endpoint, Change>> instances) implements Profile {

	@Override
	public EndpointSettings settings(String instance, Endpoint endpoint) {
		EndpointSettings settings = Profile.defaults().settings(instance, endpoint);
		settings = new Change(null, this.payload, this.seed, null).of(settings);
		settings = changed(settings, this.endpoints, endpoint);
		return (this.instances != null) ? changed(settings, this.instances.get(instance), endpoint) : settings;
	}

	private static EndpointSettings changed(EndpointSettings settings, @Nullable Map<Endpoint, Change> changes,
			Endpoint endpoint) {
		Change change = (changes != null) ? changes.get(endpoint) : null;
		return (change != null) ? change.of(settings) : settings;
	}

	/**
	 * What is different at an endpoint; the rest is as it is above.
	 */
	record Change(@Nullable LatencyDistribution latency, @Nullable PayloadMode payload, @Nullable Long seed,
			@Nullable Fault fault) {

		EndpointSettings of(EndpointSettings settings) {
			return new EndpointSettings(Objects.requireNonNullElse(this.latency, settings.latency()),
					Objects.requireNonNullElse(this.payload, settings.payload()),
					Objects.requireNonNullElse(this.seed, settings.seed()),
					(this.fault != null) ? this.fault : settings.fault());
		}

	}

}
