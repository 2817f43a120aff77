package io.gatewaybench.sim;

import java.util.function.Function;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Parses the request's JSON into a tree and serialises the object that answers it.
 */
final class ParsedContent implements Content {

	private final JsonMapper mapper;

	private final Function<JsonNode, Object> response;

	/**
	 * Creates the content.
	 * @param mapper reads the requests and writes the responses
	 * @param response makes the response to a request
	 */
	ParsedContent(JsonMapper mapper, Function<JsonNode, Object> response) {
		this.mapper = mapper;
		this.response = response;
	}

	@Override
	public ByteBuf body(ByteBuf request, ByteBufAllocator allocator) throws BadRequestException {
		JsonNode json = RequestJson.read(this.mapper, request, this.mapper::readTree);
		return Contents.serialise(this.mapper, this.response.apply(json), allocator);
	}

}
