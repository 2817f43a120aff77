package io.gatewaybench.sim;

import java.util.Locale;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;

/**
 * The endpoints that every instance serves.
 */
enum Endpoint {

	/** A small object: the base line. */
	HELLO("/api/hello"),

	/** 32 objects, about 5 KB. */
	DATA("/api/data"),

	/** Parses a JSON request and wraps it in the response. */
	PROCESS("/api/process", HttpMethod.POST, HttpResponseStatus.OK),

	/** 128 nested objects, about 50 KB. */
	HEAVY("/api/heavy"),

	/** A small object of the slow service behind the proxies of P5. */
	USER("/user"),

	/** Takes a JSON request and answers with an id, as the service behind P4 does. */
	REGISTRATIONS("/registrations", HttpMethod.POST, HttpResponseStatus.CREATED),

	/** Takes any request, keeps nothing of its body, and answers with a small object. */
	UPLOAD("/api/upload", HttpMethod.POST, HttpResponseStatus.OK),

	/** A stream of server-sent events. */
	EVENTS("/api/events"),

	/** A stream of lines of JSON. */
	LINES("/api/lines"),

	/** A stream of texts over a WebSocket. */
	SOCKET("/api/socket");

	private final String key = name().toLowerCase(Locale.ROOT);

	private final String path;

	private final HttpMethod method;

	private final HttpResponseStatus status;

	Endpoint(String path) {
		this(path, HttpMethod.GET, HttpResponseStatus.OK);
	}

	Endpoint(String path, HttpMethod method, HttpResponseStatus status) {
		this.path = path;
		this.method = method;
		this.status = status;
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

	/**
	 * Returns the status of a successful response.
	 */
	HttpResponseStatus status() {
		return this.status;
	}

	String contentType() {
		return (this == EVENTS) ? "text/event-stream" : (this == LINES) ? "application/x-ndjson" : "application/json";
	}

	boolean isStream() {
		return this == EVENTS || this == LINES || this == SOCKET;
	}

	boolean takesBody() {
		return this.method == HttpMethod.POST;
	}

	boolean keepsBody() {
		return takesBody() && this != UPLOAD;
	}

	boolean allows(HttpMethod method) {
		return this.method.equals(method)
				|| (this.method == HttpMethod.GET && !isStream() && HttpMethod.HEAD.equals(method));
	}

	/**
	 * Returns the value of the {@code Allow} field.
	 */
	String allow() {
		return takesBody() ? "POST" : isStream() ? "GET" : "GET, HEAD";
	}

}
