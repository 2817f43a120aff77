package io.gatewaybench.webmvc;

import java.io.IOException;
import java.io.InputStream;

import org.apache.hc.core5.http.io.EofSensorInputStream;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.util.ClassUtils;

/**
 * What Apache's client does in a way of its own; on other class paths, nothing.
 */
final class ApacheClient {

	private static final String BODY = "org.apache.hc.core5.http.io.EofSensorInputStream";

	private static final boolean PRESENT = ClassUtils.isPresent(BODY, ApacheClient.class.getClassLoader());

	private ApacheClient() {
	}

	/**
	 * Let the client be found in a native image.
	 */
	static void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.reflection().registerTypeIfPresent(classLoader, BODY);
	}

	/**
	 * Close the connection under the body of a response. To close the body would be to
	 * read on to its end.
	 * @return whether it is a body of this client
	 */
	static boolean abort(InputStream body) throws IOException {
		return PRESENT && Classes.abort(body);
	}

	/**
	 * Loaded only where the client is.
	 */
	private static final class Classes {

		static boolean abort(InputStream body) throws IOException {
			if (body instanceof EofSensorInputStream connected) {
				connected.abort();
				return true;
			}
			return false;
		}

	}

}
