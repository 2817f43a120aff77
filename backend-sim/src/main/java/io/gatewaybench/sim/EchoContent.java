package io.gatewaybench.sim;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.json.JsonMapper;

/**
 * Checks the request's JSON and wraps its bytes, without building a tree.
 */
final class EchoContent implements Content {

	private static final byte[] SUFFIX = { '}' };

	private final JsonMapper mapper;

	private final byte[] prefix;

	EchoContent(JsonMapper mapper, Instant processedAt) {
		this.mapper = mapper;
		this.prefix = ("{\"status\":\"processed\",\"processedAt\":\"" + processedAt + "\",\"request\":")
			.getBytes(StandardCharsets.US_ASCII);
	}

	@Override
	public ByteBuf body(ByteBuf request, ByteBufAllocator allocator) throws BadRequestException {
		RequestJson.read(this.mapper, request, JsonParser::skipChildren);
		return allocator.directBuffer(this.prefix.length + request.readableBytes() + SUFFIX.length)
			.writeBytes(this.prefix)
			.writeBytes(request, request.readerIndex(), request.readableBytes())
			.writeBytes(SUFFIX);
	}

}
