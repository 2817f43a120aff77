package io.gatewaybench.sim;

import io.gatewaybench.sim.Content.BadRequestException;
import io.netty.buffer.ByteBuf;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads the JSON in a request's body.
 */
final class RequestJson {

	private RequestJson() {
	}

	/**
	 * Opens a parser and checks that it parses a complete document of UTF-8.
	 * @param mapper how
	 * @param body the document, on the heap
	 * @param reader what is done with the document; must consume it
	 * @return what the reader returns
	 * @throws BadRequestException if it isn't one JSON document
	 */
	static <T> T read(JsonMapper mapper, ByteBuf body, Reader<T> reader) throws BadRequestException {
		// Jackson would also take the other encodings of Unicode, which RFC 8259 excludes
		// and which can't be wrapped as they are
		for (int i = 0; i < Math.min(2, body.readableBytes()); i++) {
			byte value = body.getByte(body.readerIndex() + i);
			if (value == 0 || (i == 0 && (value == (byte) 0xef || value == (byte) 0xfe || value == (byte) 0xff))) {
				throw new BadRequestException("The body is no JSON: expected UTF-8 without a byte order mark");
			}
		}
		try (JsonParser parser = mapper.createParser(body.array(), body.arrayOffset() + body.readerIndex(),
				body.readableBytes())) {
			if (parser.nextToken() == null) {
				throw new BadRequestException("The body is empty: expected JSON");
			}
			T result = reader.read(parser);
			if (parser.nextToken() != null) {
				throw new BadRequestException("The body is no JSON: there is more after the first value");
			}
			return result;
		}
		catch (JacksonException ex) {
			throw new BadRequestException("The body is no JSON: the error is at line " + ex.getLocation().getLineNr()
					+ ", column " + ex.getLocation().getColumnNr());
		}
	}

	/**
	 * Consumes one JSON value.
	 *
	 * @param <T> type of the result
	 */
	interface Reader<T> {

		T read(JsonParser parser);

	}

}
