package io.gatewaybench.benchmark.export;

import java.util.LinkedHashMap;
import java.util.Map;

import io.gatewaybench.benchmark.plan.RequestType;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Literals of JSON, which are literals of JavaScript, too. They are ASCII, so no tool can
 * take them for another charset.
 */
final class Json {

	private static final JsonMapper MAPPER = JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

	private Json() {
	}

	static String of(@Nullable Object value) {
		return MAPPER.writeValueAsString(value);
	}

	/**
	 * What scripts have to know of a request.
	 */
	static Map<String, @Nullable Object> request(RequestType type) {
		Map<String, @Nullable Object> request = new LinkedHashMap<>();
		request.put("name", type.name());
		request.put("weight", type.weight());
		request.put("method", type.method());
		request.put("paths", type.paths());
		request.put("headers", type.headers());
		request.put("body", type.body());
		request.put("status", type.expect().status());
		request.put("minBytes", type.expect().minBytes());
		return request;
	}

}
