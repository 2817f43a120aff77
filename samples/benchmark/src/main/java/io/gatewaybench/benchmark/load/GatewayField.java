package io.gatewaybench.benchmark.load;

import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Checks that a JSON body ends with the {@code _gateway} field a gateway was to add, from
 * the last bytes alone: what follows the field is one closing brace, so the field is the
 * last member of the top-level object if the body is JSON at all.
 */
public final class GatewayField {

	// A space stands for any
	private static final Pattern AT_THE_END = Pattern
		.compile(("[,{] \"_gateway\" : \\{ \"type\" : \"([^\"]*)\" , \"timestamp\" : ([0-9]{1,18}) ,"
				+ " \"processed\" : true } } \\z")
			.replace(" ", "[ \\n\\r\\t]*+"));

	private static final long TOLERANCE_MILLIS = TimeUnit.MINUTES.toMillis(5);

	private GatewayField() {
	}

	/**
	 * Checks a body.
	 * @param tail its end
	 * @param type the expected gateway type
	 * @param nowMillis the time, in milliseconds since the epoch
	 * @return what is wrong, {@code null} if nothing
	 */
	public static @Nullable String problem(String tail, String type, long nowMillis) {
		Matcher field = AT_THE_END.matcher(tail);
		if (!field.find()) {
			return "the body does not end with the _gateway field";
		}
		if (!field.group(1).equals(type)) {
			return "the _gateway field is not of type " + type;
		}
		long timestamp = Long.parseLong(field.group(2));
		return (Math.abs(nowMillis - timestamp) <= TOLERANCE_MILLIS) ? null
				: "the timestamp of the _gateway field, %d, is more than 5 minutes off".formatted(timestamp);
	}

}
