package io.gatewaybench.samples.service;

import java.net.URI;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * What registering a person gives.
 *
 * @param id id of the person
 */
public record Registration(String id) {

	/**
	 * A registration.
	 * @param id id of the person
	 * @throws IllegalArgumentException if there is none, which makes the answer of the
	 * registration service one that cannot be read
	 */
	public Registration(@Nullable String id) {
		Assert.hasText(id, "A registration has an id");
		this.id = id;
	}

	/**
	 * Where the person is.
	 * @return the value of {@code Location}
	 */
	public URI location() {
		return UriComponentsBuilder.fromPath("/persons/{id}").encode().buildAndExpand(this.id).toUri();
	}

}
