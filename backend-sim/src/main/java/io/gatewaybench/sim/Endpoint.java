package io.gatewaybench.sim;

import java.util.Locale;

import io.netty.handler.codec.http.HttpMethod;

/**
 * The endpoints that every instance serves.
 */
enum Endpoint {

	/** A small object: the base line. */
	HELLO(HttpMethod.GET),

	/** 32 objects, about 5 KB. */
	DATA(HttpMethod.GET),

	/** Parses a JSON request and wraps it in the response. */
	PROCESS(HttpMethod.POST),

	/** 128 nested objects, about 50 KB. */
	HEAVY(HttpMethod.GET);

	private final String key = name().toLowerCase(Locale.ROOT);

	private final String path = "/api/" + this.key;

	private final HttpMethod method;

	Endpoint(HttpMethod method) {
		this.method = method;
	}

	/**
	 * Returns the name that profiles and statistics use, such as {@code heavy}.
	 */
	String key() {
		return this.key;
	}

	String path() {
		return this.path;
	}

	boolean takesBody() {
		return this.method == HttpMethod.POST;
	}

	boolean allows(HttpMethod method) {
		return this.method.equals(method) || (this.method == HttpMethod.GET && HttpMethod.HEAD.equals(method));
	}

	/**
	 * Returns the value of the {@code Allow} field.
	 */
	String allow() {
		return takesBody() ? "POST" : "GET, HEAD";
	}

}
