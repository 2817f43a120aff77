package io.gatewaybench.internal.netty;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import reactor.netty.http.Http2SettingsSpec;
import reactor.netty.http.server.HttpServer;

/**
 * Lets the clients of an HTTP/2 connection cancel as many streams as they are told to.
 * Settings can only be made anew, so the others are copied.
 */
final class CancelledStreams {

	private static final int SECONDS = 10;

	private CancelledStreams() {
	}

	/**
	 * A number that the application has set stays.
	 */
	static HttpServer of(HttpServer server, int most) {
		Http2SettingsSpec current = server.configuration().http2SettingsSpec();
		if (current != null && current.maxDecodedRstFramesPerWindow() != null) {
			return server;
		}
		return server.http2Settings((settings) -> {
			if (current != null) {
				copy(current, settings);
			}
			settings.maxDecodedRstFramesPerWindow(most, SECONDS).maxEncodedRstFramesPerWindow(most, SECONDS);
		});
	}

	private static void copy(Http2SettingsSpec from, Http2SettingsSpec.Builder to) {
		set(from.connectProtocolEnabled(), to::connectProtocolEnabled);
		set(from.headerTableSize(), to::headerTableSize);
		set(from.initialWindowSize(), to::initialWindowSize);
		set(from.maxConcurrentStreams(), to::maxConcurrentStreams);
		set(from.maxFrameSize(), to::maxFrameSize);
		set(from.maxHeaderListSize(), to::maxHeaderListSize);
		set(from.maxStreams(), to::maxStreams);
		set(from.pingAckTimeout(), to::pingAckTimeout);
		set(from.pingAckDropThreshold(), to::pingAckDropThreshold);
	}

	private static <T> void set(@Nullable T value, Consumer<T> setter) {
		if (value != null) {
			setter.accept(value);
		}
	}

}
