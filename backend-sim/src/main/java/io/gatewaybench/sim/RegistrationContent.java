package io.gatewaybench.sim;

import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.json.JsonMapper;

/**
 * Checks the request's JSON and answers with a new id, without building an object.
 */
final class RegistrationContent implements Content {

	private static final byte[] PREFIX = "{\"id\":\"".getBytes(StandardCharsets.US_ASCII);

	private static final byte[] SUFFIX = "\"}".getBytes(StandardCharsets.US_ASCII);

	private static final int DIGITS = Long.BYTES * 2;

	private final JsonMapper mapper;

	private final RandomGenerator random;

	/**
	 * Creates the content.
	 * @param mapper reads the requests
	 * @param random source of the ids, which differ if its numbers do
	 */
	RegistrationContent(JsonMapper mapper, RandomGenerator random) {
		this.mapper = mapper;
		this.random = random;
	}

	@Override
	public ByteBuf body(ByteBuf request, ByteBufAllocator allocator) throws BadRequestException {
		RequestJson.read(this.mapper, request, JsonParser::skipChildren);
		ByteBuf body = allocator.directBuffer(PREFIX.length + DIGITS + SUFFIX.length).writeBytes(PREFIX);
		long id = this.random.nextLong();
		for (int shift = Long.SIZE - 4; shift >= 0; shift -= 4) {
			body.writeByte(Character.forDigit((int) (id >>> shift) & 0xf, 16));
		}
		return body.writeBytes(SUFFIX);
	}

}
