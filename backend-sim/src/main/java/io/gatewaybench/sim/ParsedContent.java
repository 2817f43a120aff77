package io.gatewaybench.sim;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Parses the request's JSON into a tree and serialises an object around it.
 */
final class ParsedContent implements Content {

	private final JsonMapper mapper;

	ParsedContent(JsonMapper mapper) {
		this.mapper = mapper;
	}

	@Override
	public ByteBuf body(ByteBuf request, ByteBufAllocator allocator) throws BadRequestException {
		JsonNode json = RequestJson.read(this.mapper, request, this.mapper::readTree);
		Processed processed = new Processed("processed", Instant.now().truncatedTo(ChronoUnit.MILLIS), json);
		return Contents.serialise(this.mapper, processed, allocator);
	}

	/**
	 * The response.
	 *
	 * @param status what became of the request
	 * @param processedAt when
	 * @param request the request as parsed
	 */
	record Processed(String status, Instant processedAt, JsonNode request) {
	}

}
