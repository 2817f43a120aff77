package io.gatewaybench.sim;

import java.io.OutputStream;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.buffer.Unpooled;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes the contents of all endpoints. Instances with the same seed share prepared bytes,
 * which keeps them in the processor's cache.
 */
final class Contents {

	/** The time in prepared bodies: the day of P1. */
	private static final Instant PREPARED_AT = Instant.parse("2025-12-11T08:00:00.123Z");

	/** Of a stream, which is made while it is written. */
	private static final Content NONE = (request, allocator) -> Unpooled.EMPTY_BUFFER;

	private final JsonMapper mapper = JsonMapper.shared();

	private final Map<Key, Content> contents = new HashMap<>();

	/**
	 * Returns the content of an endpoint.
	 * @param endpoint the endpoint
	 * @param settings its payload mode and seed
	 */
	Content get(Endpoint endpoint, EndpointSettings settings) {
		return this.contents.computeIfAbsent(new Key(endpoint, settings.payload(), settings.seed()), this::create);
	}

	void release() {
		this.contents.values().forEach(Content::release);
		this.contents.clear();
	}

	private Content create(Key key) {
		return (key.payload() == PayloadMode.PREPARED)
				? prepared(key.endpoint(), SeededRandom.of(key.seed(), key.endpoint().key()))
				: generated(key.endpoint());
	}

	private Content prepared(Endpoint endpoint, RandomGenerator random) {
		return switch (endpoint) {
			case PROCESS -> new EchoContent(this.mapper, PREPARED_AT);
			case REGISTRATIONS -> new RegistrationContent(this.mapper, random);
			case EVENTS, LINES, SOCKET -> NONE;
			default -> new PreparedContent(this.mapper.writeValueAsBytes(sample(endpoint, random, PREPARED_AT)));
		};
	}

	private Content generated(Endpoint endpoint) {
		return switch (endpoint) {
			case PROCESS -> new ParsedContent(this.mapper, (request) -> SampleData.processed(request, Instant.now()));
			case REGISTRATIONS ->
				new ParsedContent(this.mapper, (request) -> SampleData.registration(ThreadLocalRandom.current()));
			case EVENTS, LINES, SOCKET -> NONE;
			default -> (request, allocator) -> serialise(this.mapper,
					sample(endpoint, ThreadLocalRandom.current(), Instant.now()), allocator);
		};
	}

	private static Object sample(Endpoint endpoint, RandomGenerator random, Instant now) {
		return switch (endpoint) {
			case HELLO, UPLOAD -> SampleData.hello(now);
			case DATA -> SampleData.data(random, now);
			case HEAVY -> SampleData.heavy(random, now);
			case USER -> SampleData.user(random);
			case PROCESS, REGISTRATIONS, EVENTS, LINES, SOCKET ->
				throw new IllegalArgumentException("Its content depends on the request");
		};
	}

	/**
	 * Writes an object as JSON.
	 * @param mapper how
	 * @param value the object
	 * @param allocator where the memory comes from
	 * @return the JSON, the caller's to release
	 */
	static ByteBuf serialise(JsonMapper mapper, Object value, ByteBufAllocator allocator) {
		ByteBuf body = allocator.directBuffer();
		boolean written = false;
		try {
			OutputStream out = new ByteBufOutputStream(body);
			mapper.writeValue(out, value);
			written = true;
			return body;
		}
		finally {
			if (!written) {
				body.release();
			}
		}
	}

	private record Key(Endpoint endpoint, PayloadMode payload, long seed) {
	}

}
